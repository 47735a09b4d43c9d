"""Its being here puts this folder on the path of the tests below it (recording)."""

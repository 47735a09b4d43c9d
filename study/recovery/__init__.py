"""`waltax recovery`: how long an engine takes to serve again, by the log that it must replay."""

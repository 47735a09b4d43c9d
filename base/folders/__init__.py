"""The folders that waltax makes on a disk, and may therefore remove.

removal    emptying a folder without following links or entering mounts
folder     a folder of ours: made with its marker, held, taken over from a killed process, removed
places     folders as commands use them: for the length of a `with`, swept up, named
whole      files that are written completely or not at all
machine    who measures on this machine: lock files that nobody else can prepare or hold for ever
clean      `make clean`

docs/getting-started.md lists everything that waltax ever removes, and why it may.
"""

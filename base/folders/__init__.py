"""What waltax makes on a disk, and what it may therefore remove.

removal    emptying a folder without following links or entering mounts
folder     a folder of ours: made with its marker, held, taken over from a process that was
           killed, removed
places     folders as commands use them: for the length of a `with`, swept up, given a name
whole      files that are there whole or not at all
machine    who measures on this machine: lock files that nobody else can prepare, or hold for ever
clean      `make clean` and `make uninstall`

docs/getting-started.md lists all that is ever removed, and why waltax may.
"""

"""Device files from what other tools printed on any machine.

`formats` reads the tools' files, `record` makes a device of them, `command` is the command line.
"""

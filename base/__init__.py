"""The modules that every room uses and that import no room.

errors, printable, terminal   messages to the user
strictjson, tomlfile          reading and checking input
proc                          starting programs
folders                       the folders that waltax makes, locks and removes
"""

"""The modules that every room uses and that import no room.

errors, printable, terminal   messages to the user
inputs, strictjson, tomlfile  reading and checking input
proc, perf                    starting programs, and what the kernel counts for them
folders                       the folders that waltax makes, locks and removes
"""

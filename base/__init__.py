"""What every room stands on, and what imports no room.

errors, printable, terminal   what a person is told
inputs, strictjson, tomlfile  what is read, and refused by its own words
proc, perf                    programs that are started, and what the kernel counts of them
folders                       the folders that waltax makes, locks and removes
"""

"""`waltax sweep statements`: SQL statements as a published study had them, and as they can be.

command   what is typed, and the order of what is done
shapes    the study's threads, ramps and loops, and the same at another size
cells     the cells that take turns on a statement: both engines, closed loop and arrivals
rounds    a statement's rounds; a row for each slice
sizes     a row for what the table takes on disk
"""

"""`waltax sweep statements`: SQL statements as a published study ran them, and in closed loop.

command   the options, and the order of the work
shapes    the study's threads, ramps and loops, also at another size
cells     the cells that take turns on a statement: both engines, closed loop and arrivals
rounds    a statement's rounds, with a row for each slice
sizes     a row for the table's size on disk
"""

"""What leaves the machine in an archive: texts without what is the machine's alone, equal bytes.

scrub    paths, hosts' names and passwords taken out of rows and recipes
archive  a folder as an archive whose bytes hang on its content alone
"""

from __future__ import annotations

"""A campaign in a format of other tools: its tables, and a writer for each format.

tables    what is exported: the campaign, its cells, its rows
writers   SQLite, CSV, Parquet, Markdown; a new one is a function and a line
"""

from __future__ import annotations

"""Cells of db_bench: a whole run is a slice, and nothing lives in between."""

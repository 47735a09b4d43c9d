"""Sweeps of db_bench: sizes of keys and values, and the WAL's knobs. Reads rows and nothing else.

study         the published study of sizes: its table and its ratios
slots         columns of cells that are no comparison group, on one grid
points        rows to benchmark, size, log on or off; `sizes` reports them
conclusions   what the rows show of what the study concluded
knobs         rows to one line a setting; `knob_report` reports them
"""

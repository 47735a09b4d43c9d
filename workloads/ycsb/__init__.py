"""YCSB's own face: its workload files, its letters and its report. Each becomes a mix."""

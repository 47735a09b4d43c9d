"""Campaigns over more than devices: sync latencies, clients, sizes of data, knobs of the log."""

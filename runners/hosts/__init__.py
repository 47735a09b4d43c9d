"""Campaigns over hosts, on dask.distributed: each session is a task on one worker.

where      the address that `--hosts` names
worker     `waltax worker`
tasks      what a worker does: say what it is, and measure a session
agreement  what must be the same on every host, and which devices are real on each
fleet      the hosts of a campaign: which is free, which is out, and why
executor   the campaign's side: sessions to free hosts, rows into the campaign

docs/getting-started.md says how workers are started. dask is an extra that is imported when it is
used.
"""

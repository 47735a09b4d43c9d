"""Campaigns over hosts, on dask.distributed: each session is a task on one worker.

where     the address that `--hosts` names
worker    `waltax worker`
tasks     what a worker does: compare what must be the same on every host, and measure a session
executor  the campaign's side: a session for each host at a time, rows into the campaign

docs/getting-started.md says how workers are started. dask is an extra that is imported when it is
used.
"""

"""Campaigns over hosts, on dask.distributed: each session is a task on one worker.

where      what `--hosts` says
worker     `waltax worker`, and a scheduler with workers of this machine for `--hosts local:N`
tasks      what a worker does: say what it is, and measure a session
agreement  what must be the same on every host, and which devices are real on each
fleet      the hosts of a campaign: which is free, which is out, and why
link       the connection to the scheduler: greets workers, and reads their messages
executor   the campaign's side: sessions to free hosts, rows into the campaign

docs/getting-started.md says how workers are started. Only `link` and `tasks` know dask, an extra
that they import when it is used.
"""

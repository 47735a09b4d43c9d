"""Campaigns over hosts, on dask.distributed: each session is a task on one worker.

where      what `--hosts` says
worker     `waltax worker`: a worker of dask that says what its host offers
tasks      what a worker does: say what it is, and measure a session
agreement  digests of all that must be the same on every host
fleet      the hosts that agree: which is free, which has gone, and why
inbox      what workers and the scheduler tell us, in the order in which it came
sessions   one under way on each host, and its rows as they come; files what else it sent
link       the connection to the scheduler, and the greeting of its workers
executor   the campaign's side: sessions to free hosts, rows into the campaign
local      a scheduler and workers on this machine, for `--hosts local:N`

docs/hosts.md says how workers are started. Of dask only `link`, `inbox`, `local` and `tasks`
know, and they import it when they are used: it is an extra.
"""

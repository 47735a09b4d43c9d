"""Check who else uses the CPUs now."""

from __future__ import annotations

import re

from .answer import Answer, ok, unknown, warn
from .cpu import hypervisor
from .machine_view import Seen

_MOST_STEAL = 0.01  # of the CPUs' time
_MOST_STALLED = {"cpu": 0.10, "io": 0.05, "memory": 0.01}  # of the time
_MOST_LOAD = 0.25  # of the CPUs
_SERVERS = ("mariadbd", "mysqld", "postgres", "mongod")


def steal(seen: Seen) -> Answer:
    ticks, ever = seen.window.cpu, seen.window.cpu_ever
    whole = sum(ticks.values())
    if "steal" not in ticks or whole <= 0:
        return unknown("the kernel does not say")
    share = ticks["steal"] / whole
    text = f"{100 * share:.1f} % of the CPUs' time in {seen.window.seconds:g} s"
    if share > _MOST_STEAL:
        return warn(text)
    if hypervisor(seen.kernel) != "" and not ever["steal"]:
        return unknown("none since the machine began, perhaps because its host tells of none")
    return ok(text)


def pressure(resource: str, seen: Seen) -> Answer:
    if resource not in seen.window.stalled:
        return unknown("the kernel does not say: it is built or started without PSI")
    share = seen.window.stalled[resource] / seen.window.seconds
    text = f"some task waited in {100 * share:.0f} % of {seen.window.seconds:g} s"
    return warn(text) if share > _MOST_STALLED[resource] else ok(text)


def load(seen: Seen) -> Answer:
    words = (seen.kernel.read("/proc/loadavg") or "").split()
    cpus = len(re.findall(r"^cpu\d", seen.kernel.read("/proc/stat") or "", re.MULTILINE))
    if not words or not cpus:
        return unknown("the kernel does not say")
    text = f"{words[0]} over the last minute, on {cpus} CPUs"
    return warn(text) if float(words[0]) > _MOST_LOAD * cpus else ok(text)


def other_servers(seen: Seen) -> Answer:
    pids = [name for name in seen.kernel.entries("/proc") if name.isdecimal()]
    if not pids:
        return unknown("no process can be seen")
    commands = {pid: seen.kernel.read(f"/proc/{pid}/comm") for pid in pids}
    servers = [f"{name} (pid {pid})" for pid, name in commands.items() if name in _SERVERS]
    if servers:
        return warn(", ".join(servers))
    return ok("none that can be seen from here")

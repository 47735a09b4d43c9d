"""Check who else uses the CPUs now, and how late a thread runs that waits for one."""

from __future__ import annotations

import re
import statistics

from ...devices.kernel import Kernel
from ...devices.mounts import find_mount, read_mounts
from .answer import Answer, ok, unknown, warn
from .cpu import hypervisor
from .machine_view import Seen

_MOST_STEAL = 0.01  # of the CPUs' time
_MOST_STALLED = {"cpu": 0.10, "io": 0.05, "memory": 0.01}  # of the time
_MOST_LOAD = 0.25  # of the CPUs
# A wake-up across idle CPUs of a small virtual machine takes 25 us: docs/devices.md.
_MOST_LATE_US = 60.0
_DEFAULT_SLACK_NS = 50_000
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
    if not _sees_all(seen.kernel):
        return unknown("none that can be seen from here; there may be processes that cannot")
    return ok("none")


def timer_slack(seen: Seen) -> Answer:
    text = seen.kernel.read("/proc/self/timerslack_ns")
    if text is None or not text.isdecimal():
        return unknown("the kernel does not say")
    words = f"{int(text):,} ns; the tap's own threads take 1"
    return warn(words) if int(text) > _DEFAULT_SLACK_NS else ok(words)


def wake_up(seen: Seen) -> Answer:
    """Judge the shortest emulated sync: below it a wait is spun, which takes a CPU."""
    if len(seen.late_us) < 2:
        return unknown("no thread woke in time to be asked")
    median = statistics.median(seen.late_us)
    p99 = statistics.quantiles(seen.late_us, n=100)[-1]
    text = f"{median:.0f} us late in the median, {p99:,.0f} us at p99"
    return warn(text) if median > _MOST_LATE_US else ok(text)


def _sees_all(kernel: Kernel) -> bool:
    """Return whether /proc shows the processes of all users, and is not a container's.

    The second process of a machine is the kernel's own; that of a container is not.
    """
    mount = find_mount(read_mounts(kernel), "/proc")
    hides = None if mount is None else mount.option("hidepid")
    return kernel.read("/proc/2/comm") == "kthreadd" and hides in (None, "0", "off")

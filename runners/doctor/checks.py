"""Look at a machine, and at a directory on it for a log, and judge them.

A root in place of / makes a recorded machine readable.

A new check is a function under `@_check`, with its name and the remedy when it warns.
docs/method.md says when it does. What cannot be read is unknown, and never ok.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...base.kernel import Kernel
from ...base.printable import one_line
from ...devices.block import UNKNOWN as NOT_SAID
from ...devices.check import CANNOT_TELL, check, describe_disk
from ...devices.throttling import throttled_s

OK, WARN, UNKNOWN = "ok", "warn", "unknown"
_TICKS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
_RESOURCES = ("cpu", "io", "memory")
Answer = tuple[str, str]
"""A state, and a sentence with the figure that it rests on."""


@dataclass(frozen=True)
class Seen:
    """A machine that was watched for `seconds`, and what its kernel counted before and after.

    Counters are seconds in which some task waited for a resource, and clock ticks of all CPUs, by
    the names of /proc/stat; one that the kernel lacks is left out. The checks of a place look at
    `directory`, where a log would be, beside data in `data_dir`.
    """

    kernel: Kernel
    seconds: float
    before: Mapping[str, float]
    after: Mapping[str, float]
    data_dir: Path | None = None
    directory: Path | None = None

    def since(self, *names: str) -> float:
        """Return the sum of what these counters rose by, 0 for those that the kernel lacks."""
        return sum(self.after.get(name, 0.0) - self.before.get(name, 0.0) for name in names)

    def ticks(self) -> float:
        """Return the clock ticks of all CPUs, whatever they did."""
        return self.since(*_TICKS)


@dataclass(frozen=True)
class Finding:
    """The answer of a check, by its name, and the remedy, which is empty where it is ok."""

    check: str
    state: str
    text: str
    advice: str = ""


@dataclass(frozen=True)
class Check:
    """A check of the machine, or of a directory for the log; `advice` is its remedy."""

    name: str
    judge: Callable[[Seen], Answer]
    advice: str
    of_directory: bool = False

    def find(self, seen: Seen) -> Finding:
        state, text = self.judge(seen)
        return Finding(self.name, state, one_line(text), self.advice if state == WARN else "")


CHECKS: list[Check] = []
"""All checks, in the order in which their findings are shown."""

_CPU = "/sys/devices/system/cpu"
_SILENT = "the kernel does not say"
_HIDDEN = f"{_SILENT}; in a virtual machine its host decides"
_FAST_CLOCKS = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter")
_SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "pit", "refined-jiffies", "xen", "hyperv_clocksource")
# How late a CPU may leave its deepest sleep before syncs of tens of microseconds show it.
_MOST_EXIT_US = 50
_MOST_STEAL = 0.01  # of the CPUs' time


def look(
    seconds: float = 5.0,
    *,
    data_dir: Path | None = None,
    kernel: Kernel | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> Seen:
    """Look at the machine for `seconds`."""
    kernel = kernel or Kernel()
    before = _counters(kernel)
    pause(seconds)
    return Seen(kernel, seconds, before, _counters(kernel), data_dir)


def _counters(kernel: Kernel) -> dict[str, float]:
    first, *ticks = (kernel.read("/proc/stat") or "-").partition("\n")[0].split()
    counters = dict(zip(_TICKS, map(float, ticks), strict=False)) if first == "cpu" else {}
    for resource in _RESOURCES:
        line = (kernel.read(f"/proc/pressure/{resource}") or "").partition("\n")[0]
        _, total, us = line.rpartition("total=")
        if total:
            counters[f"waited for {resource}"] = float(us) / 1e6
    return counters


def examine(seen: Seen, directories: Sequence[Path] = ()) -> list[Finding]:
    """Return what each check says of the machine, and of each of these directories for a log.

    Findings are in the checks' order. Errors: UsageError for a directory that does not exist.
    """
    places = [replace(seen, directory=directory) for directory in directories]
    return [
        each.find(view) for each in CHECKS for view in (places if each.of_directory else [seen])
    ]


def in_a_line(findings: Sequence[Finding]) -> str:
    """Return how many checks are in each state, and the names of those that warn."""
    warned = [finding.check for finding in findings if finding.state == WARN]
    silent = sum(finding.state == UNKNOWN for finding in findings)
    names = f" ({', '.join(warned)})" if warned else ""
    return f"{len(warned)} of {len(findings)} checks warn{names}, {silent} cannot tell"


def _check(
    name: str, advice: str, *, of_directory: bool = False
) -> Callable[[Callable[[Seen], Answer]], None]:
    """Add the function below to the checks."""
    return lambda judge: CHECKS.append(Check(name, judge, advice, of_directory))


@_check("governor", "cpupower frequency-set -g performance")
def _governor(seen: Seen) -> Answer:
    files = [f"{_CPU}/{cpu}/cpufreq/scaling_governor" for cpu in _cpus(seen.kernel)]
    governors = Counter(filter(None, map(seen.kernel.read, files)))
    if not governors:
        return UNKNOWN, _HIDDEN
    words = ", ".join(f"{name} on {count} CPUs" for name, count in sorted(governors.items()))
    return OK if set(governors) == {"performance"} else WARN, words


@_check("turbo", f"echo 1 >{_CPU}/intel_pstate/no_turbo, or echo 0 >{_CPU}/cpufreq/boost")
def _turbo(seen: Seen) -> Answer:
    off = seen.kernel.read(f"{_CPU}/intel_pstate/no_turbo")
    boost = seen.kernel.read(f"{_CPU}/cpufreq/boost")
    if off == "1" or boost == "0":
        return OK, "off"
    if off == "0" or boost == "1":
        return WARN, "on: the clock falls as more CPUs are busy, and with the temperature"
    return UNKNOWN, _HIDDEN


@_check("smt", f"echo off >{_CPU}/smt/control")
def _smt(seen: Seen) -> Answer:
    active = seen.kernel.read(f"{_CPU}/smt/active")
    if active == "1":
        return WARN, "on: two threads share a core, and slow each other"
    if active != "0":
        return UNKNOWN, _SILENT
    if _hypervisor(seen.kernel) != "":
        return UNKNOWN, "off here, but a host may run two virtual CPUs on one core"
    return OK, "off"


@_check("idle-states", "cpupower idle-set -D 50; or hold /dev/cpu_dma_latency open with a 0 in it")
def _idle_states(seen: Seen) -> Answer:
    states = []
    for cpu in _cpus(seen.kernel):
        for state in seen.kernel.entries(f"{_CPU}/{cpu}/cpuidle"):
            exit_us, name, is_disabled = (
                seen.kernel.read(f"{_CPU}/{cpu}/cpuidle/{state}/{field}")
                for field in ("latency", "name", "disable")
            )
            if exit_us and exit_us.isdecimal() and is_disabled != "1":
                states.append((int(exit_us), name or state))
    if not states:
        return UNKNOWN, _HIDDEN
    deepest_us, name = max(states)
    text = f"the deepest, {name}, is left within {deepest_us} us"
    if deepest_us > _MOST_EXIT_US:
        return WARN, text
    if _hypervisor(seen.kernel) != "":
        return UNKNOWN, f"{text}; those of the host cannot be seen"
    return OK, text


@_check("clock-source", "boot with clocksource=tsc, where the CPU's counter is steady")
def _clock_source(seen: Seen) -> Answer:
    name = seen.kernel.read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    if name in _FAST_CLOCKS:
        return OK, f"{name}, read without a system call"
    if name in _SLOW_CLOCKS:
        return WARN, f"{name}: each look at the clock is a system call or slower"
    return UNKNOWN, name or _SILENT


@_check(
    "virtual-machine",
    "measure at several moments (REPEAT=3 EVERY=1h), or on a machine of your own",
)
def _virtual_machine(seen: Seen) -> Answer:
    name = _hypervisor(seen.kernel)
    if name is None:
        return UNKNOWN, "the kernel does not say whether there is a host below"
    if name:
        return WARN, f"{name}: others on its host take CPU, cache and disk unseen"
    return OK, "no hypervisor is announced"


@_check(
    "cpu-quota", "start the container or the service without a CPU limit; bind it to CPUs instead"
)
def _quota(seen: Seen) -> Answer:
    """Judge the cgroups of this process, and those above them as far as they can be seen."""
    denied_s = throttled_s(kernel=seen.kernel)
    if denied_s is None:
        return UNKNOWN, "no cgroup of the CPU can be read"
    if denied_s:
        return WARN, f"a limit of our cgroup stopped programs for {denied_s:.3g} s so far"
    return OK, "no limit was reached"


@_check("steal", "measure at another hour, or on another host")
def _steal(seen: Seen) -> Answer:
    if "steal" not in seen.after or seen.ticks() <= 0:
        return UNKNOWN, _SILENT
    share = seen.since("steal") / seen.ticks()
    text = f"{100 * share:.1f} % of the CPUs' time in {seen.seconds:g} s"
    if share > _MOST_STEAL:
        return WARN, text
    if _hypervisor(seen.kernel) != "" and not seen.after["steal"]:
        return UNKNOWN, "none since the machine began, perhaps because its host tells of none"
    return OK, text


def _pressure(resource: str, most: float, advice: str) -> None:
    """Add the check of how long some task waited for a resource, `most` as a share of the time."""

    @_check(f"pressure-{resource}", advice)
    def _(seen: Seen) -> Answer:
        counter = f"waited for {resource}"
        if not seen.before.keys() & seen.after.keys() & {counter}:
            return UNKNOWN, f"{_SILENT}: it is built or started without PSI"
        share = seen.since(counter) / seen.seconds
        text = f"some task waited in {100 * share:.0f} % of {seen.seconds:g} s"
        return WARN if share > most else OK, text


_pressure("cpu", 0.10, "find the program with top, and wait until it ends")
_pressure("io", 0.05, "find the program with pidstat -d or iotop, and wait until it ends")
_pressure("memory", 0.01, "end the programs that hold memory, or choose a smaller profile")


@_check("swap", "swapoff -a, where memory suffices")
def _swap(seen: Seen) -> Answer:
    text = seen.kernel.read("/proc/meminfo") or ""
    mib = {name: int(kib) / 1024 for name, kib in re.findall(r"Swap(Total|Free):\s+(\d+) kB", text)}
    if len(mib) < 2:
        return UNKNOWN, _SILENT
    if mib["Total"] > mib["Free"]:
        return WARN, f"swap is in use: {mib['Total'] - mib['Free']:,.0f} MiB"
    return OK, f"none of {mib['Total']:,.0f} MiB in use" if mib["Total"] else "there is none"


@_check(
    "device",
    "name a directory on the device itself; waltax devices check DIR shows all layers",
    of_directory=True,
)
def _device(seen: Seen) -> Answer:
    """Judge a directory by the facts and in the words of `devices/check.py`."""
    assert seen.directory is not None
    facts = check(seen.directory, seen.data_dir, seen.kernel)
    doubts = [text for text in facts.warnings if not text.startswith(CANNOT_TELL)]
    if doubts:
        return WARN, f"{facts.path}: {'; '.join(doubts)}"
    kind = f"{facts.path} is on {facts.device_class}: {facts.fs_type}"
    kind += "".join(f", {describe_disk(disk)}" for disk in facts.disks[:1])
    is_known = facts.device_class not in (NOT_SAID, "virtual") and not facts.warnings
    return (OK, kind) if is_known else (UNKNOWN, "; ".join([kind, *facts.warnings]))


def _hypervisor(kernel: Kernel) -> str | None:
    """Return what this machine runs on: "" for nothing below it, None if unknown."""
    dmi = [kernel.read(f"/sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name")]
    name = " ".join(filter(None, dmi)) or kernel.read("/sys/hypervisor/type") or ""
    flags = re.search(r"^flags\s*:(.*)$", kernel.read("/proc/cpuinfo") or "", re.MULTILINE)
    if flags is not None:  # on x86 every hypervisor announces itself
        return (name or "a virtual machine") if "hypervisor" in flags[1].split() else ""
    if kernel.exists("/sys/hypervisor/type") or kernel.exists("/proc/device-tree/hypervisor"):
        return name or "a virtual machine"
    return None


def _cpus(kernel: Kernel) -> list[str]:
    return [name for name in kernel.entries(_CPU) if re.fullmatch(r"cpu\d+", name)]

"""Find what about this machine, and a directory on it, devalues figures.

for finding in doctor.examine([Path("/mnt/x")]):
    print(finding.check, finding.state, finding.text, finding.advice)

A root in place of / makes a recorded machine readable. A new check is a function under `@_check`,
with its name and the remedy when it warns; docs/method.md says when it does. What cannot be read is
unknown, and never ok.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..base.kernel import Kernel
from ..base.printable import one_line
from ..devices.block import UNKNOWN as NOT_SAID
from ..devices.check import CANNOT_TELL, check, describe_disk
from ..devices.throttling import throttled_s

OK, WARN, UNKNOWN = "ok", "warn", "unknown"
Answer = tuple[str, str]
"""A state, and a sentence with the figure that it rests on."""


@dataclass(frozen=True)
class Finding:
    """The answer of a check, by its name, and the remedy, which is empty where it is ok."""

    check: str
    state: str
    text: str
    advice: str = ""


@dataclass(frozen=True)
class Watched(Kernel):
    """A machine that was watched for a while, since what is over says nothing of what comes."""

    before: Mapping[str, str | None] = field(default_factory=dict, compare=False)

    def rose(self, path: str, pattern: str) -> list[float] | None:
        """Return by how much a file's numbers rose meanwhile, None where it has none."""
        old, new = (re.match(pattern, text or "") for text in (self.before[path], self.read(path)))
        if old is None or new is None:
            return None
        pairs = zip(old.groups(), new.groups(), strict=True)
        return [float(after) - float(before) for before, after in pairs]


CHECKS: dict[str, Callable[[Watched], Finding]] = {}
"""The checks of the machine by name, in the order in which their findings are shown."""

_CPU = "/sys/devices/system/cpu"
_SILENT = "the kernel does not say"
_HIDDEN = f"{_SILENT}; in a virtual machine its host decides"
_FAST_CLOCKS = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter")
_SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "pit", "refined-jiffies", "xen", "hyperv_clocksource")
# How late a CPU may leave its deepest sleep before syncs of tens of microseconds show it.
_MOST_EXIT_US = 50
_MOST_STEAL = 0.01  # of the CPUs' time
_WATCHED_S = 1.0
_STAT = "/proc/stat"
_PRESSURE = {name: f"/proc/pressure/{name}" for name in ("cpu", "io", "memory")}


def examine(
    directories: Sequence[Path] = (),
    data_dir: Path | None = None,
    kernel: Kernel | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> list[Finding]:
    """Return what each check says of the machine, and of each of these directories for a log.

    `data_dir` is where the data beside it would be. It watches the machine for a second. Findings
    are in the checks' order. Errors: UsageError for a directory that does not exist.
    """
    kernel = kernel or Kernel()
    of_directories = [_device(directory, data_dir, kernel) for directory in directories]
    before = {path: kernel.read(path) for path in (_STAT, *_PRESSURE.values())}
    pause(_WATCHED_S)
    watched = Watched(kernel.root, before)
    return [*(find(watched) for find in CHECKS.values()), *of_directories]


def in_a_line(findings: Sequence[Finding]) -> str:
    """Return how many checks are in each state, and the names of those that warn."""
    warned = [finding.check for finding in findings if finding.state == WARN]
    silent = sum(finding.state == UNKNOWN for finding in findings)
    names = f" ({', '.join(warned)})" if warned else ""
    return f"{len(warned)} of {len(findings)} checks warn{names}, {silent} cannot tell"


def _finding(name: str, answer: Answer, advice: str) -> Finding:
    state, text = answer
    return Finding(name, state, one_line(text), advice if state == WARN else "")


def _check(name: str, advice: str) -> Callable[[Callable[[Watched], Answer]], None]:
    """Add the function below to the checks."""

    def add(judge: Callable[[Watched], Answer]) -> None:
        CHECKS[name] = lambda kernel: _finding(name, judge(kernel), advice)

    return add


@_check("governor", "cpupower frequency-set -g performance")
def _governor(kernel: Kernel) -> Answer:
    files = [f"{_CPU}/{cpu}/cpufreq/scaling_governor" for cpu in _cpus(kernel)]
    governors = Counter(filter(None, map(kernel.read, files)))
    if not governors:
        return UNKNOWN, _HIDDEN
    words = ", ".join(f"{name} on {count} CPUs" for name, count in sorted(governors.items()))
    return OK if set(governors) == {"performance"} else WARN, words


@_check("turbo", f"echo 1 >{_CPU}/intel_pstate/no_turbo, or echo 0 >{_CPU}/cpufreq/boost")
def _turbo(kernel: Kernel) -> Answer:
    off = kernel.read(f"{_CPU}/intel_pstate/no_turbo")
    boost = kernel.read(f"{_CPU}/cpufreq/boost")
    if off == "1" or boost == "0":
        return OK, "off"
    if off == "0" or boost == "1":
        return WARN, "on: the clock falls as more CPUs are busy, and with the temperature"
    return UNKNOWN, _HIDDEN


@_check("smt", f"echo off >{_CPU}/smt/control")
def _smt(kernel: Kernel) -> Answer:
    active = kernel.read(f"{_CPU}/smt/active")
    if active == "1":
        return WARN, "on: two threads share a core, and slow each other"
    if active != "0":
        return UNKNOWN, _SILENT
    if _hypervisor(kernel) != "":
        return UNKNOWN, "off here, but a host may run two virtual CPUs on one core"
    return OK, "off"


@_check("idle-states", "cpupower idle-set -D 50; or hold /dev/cpu_dma_latency open with a 0 in it")
def _idle_states(kernel: Kernel) -> Answer:
    states = []
    for cpu in _cpus(kernel):
        for state in kernel.entries(f"{_CPU}/{cpu}/cpuidle"):
            exit_us, name, is_disabled = (
                kernel.read(f"{_CPU}/{cpu}/cpuidle/{state}/{field}")
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
    if _hypervisor(kernel) != "":
        return UNKNOWN, f"{text}; those of the host cannot be seen"
    return OK, text


@_check("clock-source", "boot with clocksource=tsc, where the CPU's counter is steady")
def _clock_source(kernel: Kernel) -> Answer:
    name = kernel.read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    if name in _FAST_CLOCKS:
        return OK, f"{name}, read without a system call"
    if name in _SLOW_CLOCKS:
        return WARN, f"{name}: each look at the clock is a system call or slower"
    return UNKNOWN, name or _SILENT


@_check(
    "virtual-machine",
    "measure at several moments (REPEAT=3 EVERY=1h), or on a machine of your own",
)
def _virtual_machine(kernel: Kernel) -> Answer:
    name = _hypervisor(kernel)
    if name is None:
        return UNKNOWN, "the kernel does not say whether there is a host below"
    if name:
        return WARN, f"{name}: others on its host take CPU, cache and disk unseen"
    return OK, "no hypervisor is announced"


@_check(
    "cpu-quota", "start the container or the service without a CPU limit; bind it to CPUs instead"
)
def _quota(kernel: Kernel) -> Answer:
    """Judge the cgroups of this process, and those above them as far as they can be seen."""
    denied_s = throttled_s(kernel=kernel)
    if denied_s is None:
        return UNKNOWN, "no cgroup of the CPU can be read"
    if denied_s:
        return WARN, f"a limit of our cgroup stopped programs for {denied_s:.3g} s so far"
    return OK, "no limit was reached"


@_check("steal", "measure at another hour, or on another host")
def _steal(kernel: Watched) -> Answer:
    # Those of guests, which follow, are in the user's as well.
    ticks = kernel.rose(_STAT, "cpu " + r" (\d+)" * 8)
    if not ticks or not sum(ticks):
        return UNKNOWN, _SILENT
    share = ticks[-1] / sum(ticks)
    text = f"{100 * share:.1f} % of the CPUs' time in {_WATCHED_S:g} s"
    if share > _MOST_STEAL:
        return WARN, text
    if _hypervisor(kernel) != "" and (kernel.before[_STAT] or "").split()[8] == "0":
        return UNKNOWN, "none since the machine began, perhaps because its host tells of none"
    return OK, text


def _pressure(resource: str, most: float, advice: str) -> None:
    """Add the check of how long some task waited for a resource, `most` as a share of the time."""

    @_check(f"pressure-{resource}", advice)
    def _(kernel: Watched) -> Answer:
        waited_us = kernel.rose(_PRESSURE[resource], r"some .*total=(\d+)")
        if waited_us is None:
            return UNKNOWN, f"{_SILENT}: it is built or started without PSI"
        share = waited_us[0] / 1e6 / _WATCHED_S
        text = f"some task waited in {100 * share:.0f} % of {_WATCHED_S:g} s"
        return WARN if share > most else OK, text


_pressure("cpu", 0.10, "find the program with top, and wait until it ends")
_pressure("io", 0.05, "find the program with pidstat -d or iotop, and wait until it ends")
_pressure("memory", 0.01, "end the programs that hold memory, or choose a smaller profile")


@_check("swap", "swapoff -a, where memory suffices")
def _swap(kernel: Kernel) -> Answer:
    text = kernel.read("/proc/meminfo") or ""
    mib = {name: int(kib) / 1024 for name, kib in re.findall(r"Swap(Total|Free):\s+(\d+) kB", text)}
    if len(mib) < 2:
        return UNKNOWN, _SILENT
    if mib["Total"] > mib["Free"]:
        return WARN, f"swap is in use: {mib['Total'] - mib['Free']:,.0f} MiB"
    return OK, f"none of {mib['Total']:,.0f} MiB in use" if mib["Total"] else "there is none"


def _device(directory: Path, data_dir: Path | None, kernel: Kernel) -> Finding:
    """Judge a directory for a log by the facts and in the words of `devices/check.py`."""
    facts = check(directory, data_dir, kernel)
    doubts = [text for text in facts.warnings if not text.startswith(CANNOT_TELL)]
    kind = f"{facts.path} is on {facts.device_class}: {facts.fs_type}"
    kind += "".join(f", {describe_disk(disk)}" for disk in facts.disks[:1])
    is_known = facts.device_class not in (NOT_SAID, "virtual") and not facts.warnings
    answer = (OK, kind) if is_known else (UNKNOWN, "; ".join([kind, *facts.warnings]))
    if doubts:
        answer = WARN, f"{facts.path}: {'; '.join(doubts)}"
    advice = "name a directory on the device itself; waltax devices check DIR shows all layers"
    return _finding("device", answer, advice)


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

"""Check what the CPUs are, and what changes their speed."""

from __future__ import annotations

import re
from collections import Counter

from ...devices.kernel import Kernel
from ...devices.throttling import throttled_s
from .answer import Answer, ok, unknown, warn
from .machine_view import Seen

_CPUS = "/sys/devices/system/cpu"
_FAST_CLOCKS = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter")
_SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "pit", "refined-jiffies", "xen", "hyperv_clocksource")
# How late a CPU may leave its deepest sleep before syncs of tens of microseconds show it.
_MOST_EXIT_US = 50
_OF_A_STATE = ("latency", "name", "disable")
_HIDDEN = "the kernel does not say; in a virtual machine its host decides"


def governor(seen: Seen) -> Answer:
    files = [f"{_CPUS}/{cpu}/cpufreq/scaling_governor" for cpu in _names(seen.kernel)]
    governors = Counter(filter(None, map(seen.kernel.read, files)))
    if not governors:
        return unknown(_HIDDEN)
    words = ", ".join(f"{name} on {count} CPUs" for name, count in sorted(governors.items()))
    return ok(words) if set(governors) == {"performance"} else warn(words)


def turbo(seen: Seen) -> Answer:
    off = seen.kernel.read(f"{_CPUS}/intel_pstate/no_turbo")
    boost = seen.kernel.read(f"{_CPUS}/cpufreq/boost")
    if off == "1" or boost == "0":
        return ok("off")
    if off == "0" or boost == "1":
        return warn("on: the clock falls as more CPUs are busy, and with the temperature")
    return unknown(_HIDDEN)


def smt(seen: Seen) -> Answer:
    active = seen.kernel.read(f"{_CPUS}/smt/active")
    if active == "1":
        return warn("on: two threads share a core, and slow each other")
    if active != "0":
        return unknown("the kernel does not say")
    if hypervisor(seen.kernel) != "":
        return unknown("off here, but a host may run two virtual CPUs on one core")
    return ok("off")


def idle_states(seen: Seen) -> Answer:
    deepest = [_deepest(seen.kernel, cpu) for cpu in _names(seen.kernel)]
    known = [state for state in deepest if state is not None]
    if not known:
        return unknown(_HIDDEN)
    exit_us, name = max(known)
    text = f"the deepest, {name}, is left within {exit_us} us"
    if exit_us > _MOST_EXIT_US:
        return warn(text)
    if hypervisor(seen.kernel) != "":
        return unknown(f"{text}; those of the host cannot be seen")
    return ok(text)


def clock_source(seen: Seen) -> Answer:
    name = seen.kernel.read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    if name in _FAST_CLOCKS:
        return ok(f"{name}, read without a system call")
    if name in _SLOW_CLOCKS:
        return warn(f"{name}: each look at the clock is a system call or slower")
    return unknown(name or "the kernel does not say")


def virtual_machine(seen: Seen) -> Answer:
    name = hypervisor(seen.kernel)
    if name is None:
        return unknown("the kernel does not say whether there is a host below")
    if name:
        return warn(f"{name}: others on its host take CPU, cache and disk unseen")
    return ok("no hypervisor is announced")


def quota(seen: Seen) -> Answer:
    """Judge the cgroups of this process, and those above them as far as they can be seen."""
    denied_s = throttled_s(kernel=seen.kernel)
    if denied_s is None:
        return unknown("no cgroup of the CPU can be read")
    if denied_s:
        return warn(f"a limit of our cgroup stopped programs for {denied_s:.3g} s so far")
    return ok("no limit was reached")


def hypervisor(kernel: Kernel) -> str | None:
    """Return what this machine runs on: "" for nothing below it, None if unknown."""
    dmi = [kernel.read(f"/sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name")]
    name = " ".join(filter(None, dmi)) or kernel.read("/sys/hypervisor/type") or ""
    flags = re.search(r"^flags\s*:(.*)$", kernel.read("/proc/cpuinfo") or "", re.MULTILINE)
    if flags is not None:  # on x86 every hypervisor announces itself
        return (name or "a virtual machine") if "hypervisor" in flags[1].split() else ""
    if kernel.exists("/sys/hypervisor/type") or kernel.exists("/proc/device-tree/hypervisor"):
        return name or "a virtual machine"
    return None


def _names(kernel: Kernel) -> list[str]:
    return [name for name in kernel.entries(_CPUS) if re.fullmatch(r"cpu\d+", name)]


def _deepest(kernel: Kernel, cpu: str) -> tuple[int, str] | None:
    """Return the longest exit time of a CPU's allowed idle states, and that state's name."""
    states = []
    for state in kernel.entries(f"{_CPUS}/{cpu}/cpuidle"):
        read = [kernel.read(f"{_CPUS}/{cpu}/cpuidle/{state}/{field}") for field in _OF_A_STATE]
        exit_us, name, is_disabled = read
        if exit_us and exit_us.isdecimal() and is_disabled != "1":
            states.append((int(exit_us), name or state))
    return max(states, default=None)

"""List the checks. A new one is a function that judges, and an entry here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ...base.printable import one_line
from . import contention, cpu, memory, place
from .answer import UNKNOWN, WARN, Answer, Finding
from .machine_view import Seen


@dataclass(frozen=True)
class Check:
    """A check; `advice` is the remedy when it warns, and docs/method.md says when it does."""

    name: str
    judge: Callable[[Seen], Answer]
    advice: str
    of_directory: bool = False  # asked about a directory for the log, if there is one


_CPU = "/sys/devices/system/cpu"
_QUIET = "find the program with top, and wait until it ends"
CHECKS: tuple[Check, ...] = (
    Check("governor", cpu.governor, "cpupower frequency-set -g performance"),
    Check(
        "turbo", cpu.turbo, f"echo 1 >{_CPU}/intel_pstate/no_turbo, or echo 0 >{_CPU}/cpufreq/boost"
    ),
    Check("smt", cpu.smt, f"echo off >{_CPU}/smt/control"),
    Check(
        "idle-states",
        cpu.idle_states,
        "cpupower idle-set -D 50; or hold /dev/cpu_dma_latency open with a 0 in it",
    ),
    Check(
        "clock-source",
        cpu.clock_source,
        "boot with clocksource=tsc, where the CPU's counter is steady",
    ),
    Check(
        "virtual-machine",
        cpu.virtual_machine,
        "measure at several moments (REPEAT=3 EVERY=1h), or on a machine of your own",
    ),
    Check(
        "cpu-quota",
        cpu.quota,
        "start the container or the service without a CPU limit; bind it to CPUs instead",
    ),
    Check("steal", contention.steal, "measure at another hour, or on another host"),
    Check("pressure-cpu", partial(contention.pressure, "cpu"), _QUIET),
    Check(
        "pressure-io",
        partial(contention.pressure, "io"),
        "find the program with pidstat -d or iotop, and wait until it ends",
    ),
    Check(
        "pressure-memory",
        partial(contention.pressure, "memory"),
        "end the programs that hold memory, or choose a smaller profile",
    ),
    Check("load", contention.load, _QUIET),
    Check(
        "other-servers",
        contention.other_servers,
        "stop it while you measure, as with systemctl stop mariadb",
    ),
    Check("swap", memory.swap, "swapoff -a, where memory suffices"),
    Check(
        "huge-pages",
        memory.huge_pages,
        "echo madvise >/sys/kernel/mm/transparent_hugepage/enabled",
    ),
    Check(
        "device",
        place.device,
        "name a directory on the device itself; waltax devices check DIR shows all layers",
        of_directory=True,
    ),
)


def examine(seen: Seen, directories: Sequence[Path] = ()) -> list[Finding]:
    """Return what each check says of the machine, and of each of these directories for a log.

    Findings are in the table's order. Errors: UsageError for a directory that does not exist.
    """
    findings = [_finding(check, seen) for check in CHECKS if not check.of_directory]
    for directory in directories:
        there = replace(seen, directory=directory)
        findings += [_finding(check, there) for check in CHECKS if check.of_directory]
    return findings


def _finding(check: Check, seen: Seen) -> Finding:
    answer = check.judge(seen)
    advice = check.advice if answer.state == WARN else ""
    return Finding(check.name, answer.state, one_line(answer.text), advice)


def in_a_line(findings: Sequence[Finding]) -> str:
    """Return how many checks are in each state, and the names of those that warn."""
    warned = [finding.check for finding in findings if finding.state == WARN]
    silent = sum(finding.state == UNKNOWN for finding in findings)
    names = f" ({', '.join(warned)})" if warned else ""
    return f"{len(warned)} of {len(findings)} checks warn{names}, {silent} cannot tell"

"""Each check in each of its states, on machines of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import recorded
from recorded import Recorded
from waltax.base.errors import UsageError
from waltax.runners import doctor
from waltax.runners.doctor import OK, UNKNOWN, WARN

CPU = "/sys/devices/system/cpu"
BARE_METAL = "processor\t: 0\nflags\t\t: fpu vme sse2"
VIRTUAL = "processor\t: 0\nflags\t\t: fpu vme hypervisor sse2"
Build = Callable[[Recorded], None]
Find = Callable[..., dict[str, doctor.Finding]]


def _found(
    tmp_path: Path,
    build: Build,
    *,
    meanwhile: Build = lambda _: None,
    data_dir: str | None = None,
    directory: str | None = None,
) -> dict[str, doctor.Finding]:
    """What is found of a machine, by check; `meanwhile` is what happens while it is watched."""
    machine = Recorded(tmp_path)
    build(machine)
    directories = [] if directory is None else [Path(directory)]
    data = None if data_dir is None else Path(data_dir)
    findings = doctor.examine(directories, data, machine.kernel, lambda _: meanwhile(machine))
    return {one.check: one for one in findings}


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Find:
    monkeypatch.setattr(doctor, "_WATCHED_S", 1.0)
    return lambda build, **more: _found(tmp_path, build, **more)


def _files(**texts: str) -> Build:
    """A machine of two CPUs with these files, by the ends of their names in this table."""

    def build(machine: Recorded) -> None:
        for cpu in ("cpu0", "cpu1"):
            machine.directory(f"{CPU}/{cpu}")
        for name, text in texts.items():
            machine.file(_PATHS[name], text)

    return build


_PATHS = {
    "governor0": f"{CPU}/cpu0/cpufreq/scaling_governor",
    "governor1": f"{CPU}/cpu1/cpufreq/scaling_governor",
    "no_turbo": f"{CPU}/intel_pstate/no_turbo",
    "boost": f"{CPU}/cpufreq/boost",
    "smt": f"{CPU}/smt/active",
    "latency": f"{CPU}/cpu1/cpuidle/state2/latency",
    "state": f"{CPU}/cpu1/cpuidle/state2/name",
    "disabled": f"{CPU}/cpu1/cpuidle/state2/disable",
    "clock": "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    "cpuinfo": "/proc/cpuinfo",
    "vendor": "/sys/class/dmi/id/sys_vendor",
    "stat": "/proc/stat",
    "meminfo": "/proc/meminfo",
    "psi_cpu": "/proc/pressure/cpu",
    "psi_io": "/proc/pressure/io",
    "psi_memory": "/proc/pressure/memory",
}


@pytest.mark.parametrize(
    ("check", "texts", "state", "words"),
    [
        ("governor", {"governor0": "performance", "governor1": "performance"}, OK, "on 2 CPUs"),
        ("governor", {"governor0": "performance", "governor1": "powersave"}, WARN, "powersave on"),
        ("turbo", {"no_turbo": "1"}, OK, "off"),
        ("turbo", {"no_turbo": "0"}, WARN, "on: "),
        ("turbo", {"boost": "0"}, OK, "off"),
        ("turbo", {"boost": "1"}, WARN, "on: "),
        ("smt", {"smt": "1"}, WARN, "two threads share a core"),
        ("smt", {"smt": "0", "cpuinfo": BARE_METAL}, OK, "off"),
        ("smt", {"smt": "0", "cpuinfo": VIRTUAL}, UNKNOWN, "a host may"),
        ("idle-states", {"latency": "2", "state": "C1", "cpuinfo": BARE_METAL}, OK, "C1"),
        ("idle-states", {"latency": "2", "state": "C1", "cpuinfo": VIRTUAL}, UNKNOWN, "the host"),
        ("idle-states", {"latency": "133", "state": "C6"}, WARN, "C6, is left within 133 us"),
        ("idle-states", {"latency": "133", "disabled": "1"}, UNKNOWN, "does not say"),
        ("clock-source", {"clock": "tsc"}, OK, "tsc"),
        ("clock-source", {"clock": "hpet"}, WARN, "hpet"),
        ("clock-source", {"clock": "of-2040"}, UNKNOWN, "of-2040"),
        ("virtual-machine", {"cpuinfo": BARE_METAL}, OK, "no hypervisor"),
        ("virtual-machine", {"cpuinfo": VIRTUAL, "vendor": "QEMU"}, WARN, "QEMU: others on"),
        ("virtual-machine", {"cpuinfo": "CPU architecture: 8"}, UNKNOWN, "does not say"),
        ("swap", {"meminfo": "SwapTotal: 2048 kB\nSwapFree: 2048 kB"}, OK, "none of 2 MiB"),
        ("swap", {"meminfo": "SwapTotal: 0 kB\nSwapFree: 0 kB"}, OK, "there is none"),
        ("swap", {"meminfo": "SwapTotal: 2048 kB\nSwapFree: 1024 kB"}, WARN, "in use: 1 MiB"),
    ],
)
def test_a_file_of_the_kernel_decides(
    found: Find,
    check: str,
    texts: dict[str, str],
    state: str,
    words: str,
) -> None:
    one = found(_files(**texts))[check]
    assert (one.state, words in one.text) == (state, True), one
    assert bool(one.advice) is (state == WARN)


def test_a_machine_that_says_nothing_is_never_called_well(
    found: Find,
) -> None:
    states = {name: one.state for name, one in found(lambda _: None).items()}
    assert set(states.values()) == {UNKNOWN}
    assert list(states) == list(doctor.CHECKS)


def _ticks(steal: int, idle: int) -> Build:
    return lambda machine: machine.file("/proc/stat", f"cpu  0 0 0 {idle} 0 0 0 {steal} 9 0\ncpu0")


@pytest.mark.parametrize(
    ("cpuinfo", "before", "after", "state", "words"),
    [
        (VIRTUAL, (5, 1000), (5, 2000), OK, "0.0 % of the CPUs' time in 1 s"),
        (VIRTUAL, (5, 1000), (105, 1900), WARN, "10.0 %"),
        (VIRTUAL, (0, 1000), (0, 2000), UNKNOWN, "none since the machine began"),
        (BARE_METAL, (0, 1000), (0, 2000), OK, "0.0 %"),
    ],
)
def test_stolen_time_is_that_of_the_second(
    found: Find,
    cpuinfo: str,
    before: tuple[int, int],
    after: tuple[int, int],
    state: str,
    words: str,
) -> None:
    def build(machine: Recorded) -> None:
        machine.file("/proc/cpuinfo", cpuinfo)
        _ticks(*before)(machine)

    one = found(build, meanwhile=_ticks(*after))["steal"]
    assert (one.state, words in one.text) == (state, True), one


@pytest.mark.parametrize(
    ("resource", "stalled_ms", "state"),
    [
        ("cpu", 90, OK),
        ("cpu", 110, WARN),
        ("io", 40, OK),
        ("io", 60, WARN),
        ("memory", 5, OK),
        ("memory", 20, WARN),
    ],
)
def test_pressure_is_that_of_the_second(
    found: Find, resource: str, stalled_ms: int, state: str
) -> None:
    def stalled(us: int) -> Build:
        text = f"some avg10=99.00 avg60=99.00 avg300=0.00 total={us}\nfull avg10=99.00 total=0"
        return _files(**{f"psi_{resource}": text})

    some = found(stalled(70_000), meanwhile=stalled(70_000 + 1000 * stalled_ms))
    assert some[f"pressure-{resource}"].state == state


@pytest.mark.parametrize(
    ("cpu_stat", "state", "words"),
    [
        ("throttled_usec 0", OK, "no limit was reached"),
        ("throttled_usec 1500000", WARN, "stopped programs for 1.5 s"),
        (None, UNKNOWN, "no cgroup"),
    ],
)
def test_a_quota_is_told_by_what_it_denied(
    found: Find, cpu_stat: str | None, state: str, words: str
) -> None:
    def build(machine: Recorded) -> None:
        machine.mount("/sys/fs/cgroup", "cgroup2", "cgroup")
        machine.file("/proc/self/cgroup", "0::/user/shell")
        if cpu_stat is not None:
            machine.file("/sys/fs/cgroup/user/cpu.stat", cpu_stat)

    one = found(build)["cpu-quota"]
    assert (one.state, words in one.text) == (state, True), one


@pytest.mark.parametrize(
    ("build", "data_dir", "state", "words"),
    [
        (recorded.nvme, None, OK, "is on nvme"),
        (recorded.nvme, "/", UNKNOWN, "cannot tell whether the WAL shares"),
        (recorded.sata, "/data", WARN, "the WAL shares"),
        (recorded.sata, None, WARN, "reports a write-back cache"),
        (recorded.tmpfs, None, WARN, "volatile"),
        (recorded.virtio, None, WARN, "without a journal"),
    ],
)
def test_a_directory_is_judged_by_what_it_sits_on(
    found: Find, build: Build, data_dir: str | None, state: str, words: str
) -> None:
    one = found(build, data_dir=data_dir, directory="/wal")["device"]
    assert (one.state, words in one.text) == (state, True), one


def test_a_directory_that_is_not_there_is_refused(
    found: Find,
) -> None:
    with pytest.raises(UsageError, match="does not exist; create it on"):
        found(recorded.nvme, directory="/nowhere")


def test_a_line_counts_the_states_and_names_what_warns(
    found: Find,
) -> None:
    some = found(_files(smt="1", clock="hpet"))
    said = doctor.in_a_line(list(some.values()))
    assert "2 of 12 checks warn (smt, clock-source)" in said

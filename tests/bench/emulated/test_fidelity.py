"""The benchmark that holds a directory against its replay: its plan, its figures, its refusals."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from waltax import devices
from waltax.base.errors import WaltaxError
from waltax.devices import Device
from waltax.devices.check import check
from waltax.devices.resolve import SHM
from waltax.devices.tap_model import DeviceModel
from waltax.row import Row
from waltax.runners.progress import Progress

from bench.emulated import fidelity
from bench.emulated.fidelity import REAL, REPEATS, REPLAY
from bench.emulated.fidelity_db_bench import CASES, Case, Run

CASE = Case(4, 1000)
_DB_BENCH = [f"--case={case.word}" for case in CASES]


class Planted:
    """Stands in for probes and runs of db_bench: a replay has `error` times the throughput."""

    def __init__(self, error: float = 1.08) -> None:
        self.error = error
        self.probes = 0
        self.runs: list[tuple[int, Case, Path, DeviceModel | None, int]] = []
        self.fails_at: int | None = None

    def probed(self, _directory: Path, _folder: Path) -> Device:
        self.probes += 1
        return devices.load("nvme")

    def run(
        self, case: Case, _seconds: int, root: Path, model: DeviceModel | None, seed: int
    ) -> Run:
        if len(self.runs) == self.fails_at:
            raise WaltaxError(f"{case}, WAL below {root}: exit code 1: IO error")
        self.runs.append((self.probes, case, root, model, seed))
        share = 1.0 if model is None else self.error
        return Run(1000.0 * case.threads * self.probes * share, 100.0 / share, 20.0)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Planted:
    planted = Planted()
    monkeypatch.setattr(fidelity, "check", lambda _: SimpleNamespace(device_class="nvme"))
    monkeypatch.setattr(fidelity, "probed", planted.probed)
    monkeypatch.setattr(fidelity, "run", planted.run)
    monkeypatch.setattr(
        fidelity, "_campaign", lambda *_: fidelity.campaign_lines(Progress(rows=_rows(0.96)))
    )
    return planted


def _fidelity(*words: object) -> Result:
    return CliRunner().invoke(fidelity.main, [*map(str, words), "--share-machine"])


def _slice(device: str, workload: str, throughput: float, session: int, round_: int) -> Row:
    durability = "off" if device == "off" else "sync"
    return {
        **{"engine": "rocksdb", "profile": "ci", "throughput_unit": "requests/s"},
        **{"campaign": "planted", "schema": 1, "slice": 0, "status": "ok", "failure": None},
        **{"session": session, "round": round_, "threads": 4, "replica": "", "warnings": []},
        **{"cell": f"{workload}-{device}", "workload": workload, "throughput": throughput},
        **{
            "device": device,
            "durability": durability,
            "emulated": device == REPLAY,
            "device_kind": "real",
        },
        **{"tap_syncs": 50, "tap_sync_ns": 50 * 200_000, "cpu_user_s": 1e-3, "cpu_system_s": 5e-4},
    }


def _rows(error: float) -> list[Row]:
    """Of three sessions of four rounds, each at another speed of the machine."""
    shares = {"off": 3.0, REAL: 1.0, "again": 1.02, REPLAY: error}
    return [
        _slice(device, workload, 1000.0 * share * (1 + session / 2 + round_ / 8), session, round_)
        for workload in ("linkbench", "tpcc")
        for session in range(3)
        for round_ in range(4)
        for device, share in shares.items()
    ]


def test_a_case_is_run_on_both_sides_before_the_next_in_an_order_of_the_seed() -> None:
    turns = list(fidelity.turns(random.Random(1)))
    cases = [case for case, _ in groupby(turns, key=lambda turn: turn[0])]
    assert sorted(map(str, cases)) == sorted(map(str, CASES))
    assert cases != list(CASES)
    assert set(Counter(turns).values()) == {REPEATS}
    assert len({tuple(side for of, side in turns if of == case) for case in CASES}) > 1
    assert turns == list(fidelity.turns(random.Random(1)))
    assert turns != list(fidelity.turns(random.Random(2)))


def test_each_block_has_a_probe_of_its_own_and_every_case_twice_on_each_side(
    planted: Planted, tmp_path: Path
) -> None:
    done = _fidelity(tmp_path, "--blocks=2", *_DB_BENCH, "--seed=3")
    assert done.exit_code == 0, done.output
    model = devices.load("nvme").model
    assert model is not None
    places = {(tmp_path, None), (SHM, model.tap_model())}
    found = Counter((block, case, root, model) for block, case, root, model, _ in planted.runs)
    assert found == {(b, c, *place): REPEATS for b in (1, 2) for c in CASES for place in places}
    assert len({seed for *_, seed in planted.runs}) == len(planted.runs)


def test_the_sleeps_that_were_asked_for_replace_those_of_the_probe(
    planted: Planted, tmp_path: Path
) -> None:
    _fidelity(tmp_path, "--blocks=1", *_DB_BENCH, "--sleeps=3")
    assert {model.sync_sleeps for *_, model, _ in planted.runs if model is not None} == {3}


def test_a_case_that_was_asked_for_is_run_alone(planted: Planted, tmp_path: Path) -> None:
    done = _fidelity(tmp_path, "--blocks=1", "--case=4x1000")
    assert done.exit_code == 0, done.output
    assert {case for _, case, *_ in planted.runs} == {CASE}
    assert "linkbench" not in done.output


@pytest.mark.usefixtures("planted")
def test_what_was_planted_is_printed_for_each_load_and_counted(tmp_path: Path) -> None:
    done = _fidelity(tmp_path, "--blocks=2")
    assert done.exit_code == 0, done.output
    lines = [line for line in done.output.splitlines() if line.startswith("db_bench")]
    assert len(lines) == len(CASES)
    for line in lines:
        assert "+8.0 % [+8.0, +8.0]" in line
        assert "+0.0 % [+0.0, +0.0]" in line
        assert "100 -> 93" in line
    assert "tuned on, db_bench: 0 of 9 within 5%: none" in done.output
    assert "the test, LinkBench and TPC-C: 2 of 2 within 5%: linkbench; tpcc" in done.output
    assert "of 11 errors 2 within 5%, 11 within 10%" in done.output


@pytest.mark.parametrize(
    ("words", "blocks", "names"),
    [
        (("--blocks=0",), 0, ("linkbench", "tpcc")),
        (("--blocks=1", *_DB_BENCH), 1, ("db_bench",)),
    ],
)
def test_either_half_is_left_out_when_asked(
    planted: Planted, tmp_path: Path, words: Sequence[str], blocks: int, names: Sequence[str]
) -> None:
    done = _fidelity(tmp_path, *words)
    assert done.exit_code == 0, done.output
    assert planted.probes == blocks
    said = {line.split()[0] for line in done.output.splitlines() if "->" in line}
    assert said == set(names)


def _runs(*throughputs: float) -> list[Run]:
    return [Run(one, 200.0, 30.0) for one in throughputs]


def test_an_error_is_of_a_block_s_replay_to_that_block_s_directory() -> None:
    """Blocks differ tenfold here, as a disk may after an hour; the error does not."""
    found = fidelity.line(CASE, _runs(100, 100, 1000, 1000), _runs(95, 95, 950, 950))
    error = found.error
    assert (error.value, error.low, error.high) == pytest.approx((0.95, 0.95, 0.95))
    assert found.throughput == pytest.approx(550)
    assert found.name == str(CASE)


def test_an_error_that_differs_from_block_to_block_has_a_wide_interval() -> None:
    error = fidelity.line(CASE, _runs(*[100] * 6), _runs(80, 80, 100, 100, 120, 120)).error
    assert error.value == pytest.approx(1.0)
    assert error.low is not None
    assert error.high is not None
    assert error.low < 0.9
    assert error.high > 1.1


def test_what_differs_between_blocks_tells_less_than_what_differs_within_them() -> None:
    """Runs of a block share its probe: two that agree are hardly more than one."""
    between = fidelity.line(CASE, _runs(*[100] * 6), _runs(80, 80, 100, 100, 120, 120)).error
    within = fidelity.line(CASE, _runs(*[100] * 6), _runs(80, 120, 100, 100, 120, 80)).error
    widths = []
    for error in (between, within):
        assert error.low is not None
        assert error.high is not None
        widths.append(error.high - error.low)
    assert widths[0] > 1.2 * widths[1]


def test_noise_is_the_directory_against_itself_within_a_block() -> None:
    noise = fidelity.line(CASE, _runs(100, 90, 1000, 900), _runs(1, 2, 3, 4)).noise
    assert (noise.value, noise.low, noise.high) == pytest.approx((0.9, 0.9, 0.9))


def test_one_block_has_an_error_whose_interval_is_of_its_own_runs() -> None:
    found = fidelity.line(CASE, _runs(100, 110), _runs(100, 110))
    assert found.error.value == pytest.approx(1.0)
    assert (found.noise.low, found.noise.high) == (None, None)  # of one pair there is none


def test_beside_an_error_stand_the_median_syncs_and_their_cpu_time() -> None:
    real = [Run(1, 10.0, 1.0), Run(1, 30.0, 2.0), Run(1, 20.0, 9.0), Run(1, 22.0, 3.0)]
    replayed = [Run(1, 11.0, 3.0), Run(1, 999.0, 4.0), Run(1, 12.0, 5.0), Run(1, 14.0, 6.0)]
    found = fidelity.line(CASE, real, replayed)
    assert found.sync_us == (21.0, 13.0)
    assert found.cpu_us == (2.5, 4.5)


def test_the_campaign_s_errors_are_those_of_its_rows() -> None:
    lines = fidelity.campaign_lines(Progress(rows=_rows(0.96)))
    assert [line.name for line in lines] == ["linkbench", "tpcc"]
    for line in lines:
        assert line.error.value == pytest.approx(0.96)
        assert (line.error.low, line.error.high) == pytest.approx((0.96, 0.96))
        assert line.noise.value == pytest.approx(1.02)
        assert line.sync_us == pytest.approx((200.0, 200.0))
        assert line.cpu_us == pytest.approx((30.0, 30.0))


def test_a_campaign_in_which_a_cell_failed_is_no_result() -> None:
    failed = Progress(rows=_rows(0.96), failures={"linkbench-replay": "no space left"})
    with pytest.raises(WaltaxError, match="linkbench-replay: no space left"):
        fidelity.campaign_lines(failed)


def test_a_run_that_fails_ends_the_benchmark_with_its_words(
    planted: Planted, tmp_path: Path
) -> None:
    planted.fails_at = 5
    done = _fidelity(tmp_path)
    assert done.exit_code == 1
    assert "exit code 1: IO error" in done.output
    assert "Traceback" not in done.output
    assert "linkbench" not in done.output
    assert len(planted.runs) == 5


def test_a_directory_that_is_none_is_refused(planted: Planted, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name, said in (("file", "is not a directory"), ("nowhere", "does not exist")):
        done = _fidelity(tmp_path / name)
        assert done.exit_code == 2
        assert f"{tmp_path / name} {said}" in done.output
    assert planted.probes == 0


def test_a_directory_in_memory_is_refused(
    planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fidelity, "check", check)
    done = _fidelity(SHM)
    assert done.exit_code == 2
    assert "/dev/shm is in memory; give a directory on a real disk" in done.output
    assert planted.probes == 0


def test_a_directory_of_which_the_kernel_says_nothing_is_refused(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fidelity, "check", lambda _: SimpleNamespace(device_class="unknown"))
    done = _fidelity(tmp_path)
    assert done.exit_code == 2
    assert "on what the kernel says nothing of" in done.output
    assert planted.probes == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--blocks=0", "--case=1x100"), "leaves nothing to do"),
        (("--blocks=-1",), "--blocks"),
        (("--seconds=0",), "--seconds"),
        (("--sleeps=-1",), "--sleeps"),
        (("--seed=-1",), "--seed"),
    ],
)
def test_what_is_no_plan_is_refused(
    planted: Planted, tmp_path: Path, words: Sequence[str], said: str
) -> None:
    done = _fidelity(tmp_path, *words)
    assert done.exit_code == 2
    assert said in done.output
    assert planted.probes == 0

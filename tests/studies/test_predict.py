"""`waltax devices predict`: overheads read off the curve of a recorded sweep."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
import sweeping
from sweeping import Said
from waltax.devices.tap_model import DeviceModel, SyncLatency
from waltax.studies import curve_lookup, predict

pytestmark = pytest.mark.drawn


def _predict(*words: object) -> Said:
    return sweeping.said(predict.command, *words)


@dataclass(frozen=True)
class _Curve:
    """Groups grow with what callers wait: a byte more each microsecond, up to 1,000."""

    known: bool = True
    queue_us: float = 0.0

    def waited_us(self, device_us: float) -> float:
        return device_us + self.queue_us

    def bytes_per_sync_at(self, sync_us: float) -> float | None:
        return min(100 + sync_us, 1000) if self.known else None


def _device(*rows: tuple[int, float], bandwidth: float = 0) -> DeviceModel:
    sync = tuple(SyncLatency(size, ((50.0, us),)) for size, us in rows)
    return DeviceModel(sync, 0.0, 0.0, bandwidth, 64.0, 0.0, 0.0, 0.0)


def _time(model: DeviceModel, curve: _Curve | None = None) -> float:
    return curve_lookup.sync_us(cast(Any, curve or _Curve()), model)


def test_a_constant_device_has_its_time_whatever_is_written() -> None:
    assert _time(_device((4096, 38.0))) == pytest.approx(38)


def test_a_device_that_grows_with_bytes_is_read_where_time_and_bytes_agree() -> None:
    # t = 50 + (b - 100) / 2 and b = 100 + t, so t = 100.
    assert _time(_device((100, 50.0), (1100, 550.0))) == pytest.approx(100, rel=1e-4)


def test_a_device_slower_than_any_group_is_read_at_the_largest_group() -> None:
    assert _time(_device((100, 5000.0), (1100, 6000.0))) == pytest.approx(5900)


def test_what_callers_wait_for_cores_gathers_bytes_but_is_not_the_device_s_time() -> None:
    # t = 50 + (b - 100) / 2 and b = 100 + t + 100, so t = 200.
    slow = _device((100, 50.0), (1100, 550.0))
    assert _time(slow, _Curve(queue_us=100)) == pytest.approx(200, rel=1e-4)


def test_without_bytes_in_the_rows_a_sync_has_a_page() -> None:
    assert _time(_device((2048, 10.0), (6144, 30.0)), _Curve(known=False)) == pytest.approx(20)


def test_a_drive_of_several_states_is_predicted_in_each(swept: tuple[Path, str]) -> None:
    results = f"--results={swept[0]}/results"
    done = _predict("--device=nvme-990pro", results)
    assert done.code == 0, done.text
    own = re.search(r"predicted (\S+) %", done.flowing)
    states = re.search(r"between (\S+) and (\S+) %, depending on the state", done.flowing)
    assert own is not None
    assert states is not None
    assert states[1] == own[1]
    assert float(states[2]) > float(states[1])
    assert "depending on the state" not in _predict("--device=nvme", results).flowing


def test_a_prediction_names_its_curve_its_evidence_and_the_loss_in_words(
    swept: tuple[Path, str],
) -> None:
    done = _predict("--device=optane-p4800x", f"--results={swept[0]}/results")
    assert done.code == 0, done.text
    (campaign,) = swept[0].glob("results/2*")
    for expected in (
        "LinkBench on RocksDB with 2 clients, log on optane-p4800x: Intel Optane",
        "(evidence: estimate)",
        campaign.name,
        "measured on 20",
    ):
        assert expected in done.text, expected
    assert "outside the curve" not in done.text


def _busy(swept: tuple[Path, str], to: Path) -> Path:
    """The sweep's campaign on a busy machine."""
    (campaign,) = swept[0].glob("results/2*")
    shutil.copytree(campaign, to / campaign.name)
    lines = []
    for line in (campaign / "rows.jsonl").read_text().splitlines():
        one = json.loads(line)
        one["warnings"] = ["other programs used 31 % of the CPU time"]
        lines.append(json.dumps(one) + "\n")
    (to / campaign.name / "rows.jsonl").write_text("".join(lines))
    return to


def test_what_is_read_off_carries_the_warnings_of_its_curve(
    swept: tuple[Path, str], tmp_path: Path
) -> None:
    results = f"--results={_busy(swept, tmp_path)}"
    cells = "off, sync-0us, sync-232us, sync-5000us"
    said = f"the curve: {cells}: other programs used 31 % of the CPU time"
    assert f"warning: {said}" in _predict("--device=nvme", results).flowing
    outside = _predict("--device=hdd-7200", results).flowing
    assert f"warning: {said}" in outside
    assert "outside the curve, slower than any wait measured" in outside


def test_outside_the_curve_there_is_a_warning_and_a_bound(swept: tuple[Path, str]) -> None:
    done = _predict("--device=hdd-7200", f"--results={swept[0]}/results")
    assert done.code == 0, done.text
    assert "outside the curve, slower than any wait measured: at least " in done.text


def test_a_file_is_a_device_too(swept: tuple[Path, str], tmp_path: Path) -> None:
    mine = tmp_path / "mybox.toml"
    mine.write_text(sweeping.device(500, "mybox"))
    done = _predict(f"--device={mine}", f"--results={swept[0]}/results")
    assert done.code == 0, done.text
    assert "with 2 clients, log on mybox" in done.text
    assert "a sync takes 500.0 us" in done.text
    assert "not measured itself" in done.text


def test_what_was_measured_stands_beside_what_the_curve_says(swept: tuple[Path, str]) -> None:
    done = _predict("--device=nvme", f"--results={swept[0]}/results")
    assert done.code == 0, done.text
    assert "; measured " in done.text
    assert "points" in done.text


def test_without_a_sweep_it_says_what_to_type(tmp_path: Path) -> None:
    done = _predict("--device=nvme", f"--results={tmp_path}")
    assert done.code == 2
    assert "no campaign of sweep latency there yet; run: make sweep-latency" in done.text


def test_a_campaign_without_a_curve_is_refused() -> None:
    campaign = Path(__file__).parents[1] / "golden" / "threads"
    done = _predict("--device=nvme", f"--campaign={campaign}")
    assert done.code == 2
    assert "has no curve; name one of waltax sweep latency" in done.text


def test_a_campaign_that_is_named_must_have_the_curve(tmp_path: Path) -> None:
    done = _predict("--device=nvme", f"--campaign={tmp_path}")
    assert done.code == 2
    assert "no rows there" in done.text


def test_a_device_without_times_is_to_be_probed(tmp_path: Path) -> None:
    text = sweeping.device(500, "mybox").replace('"estimate"', '"none"', 1)
    head, _, _ = text.partition("[sources]")
    (tmp_path / "mybox.toml").write_text(f'{head}path = "/srv/log"\n')
    done = _predict(f"--device={tmp_path}/mybox.toml")
    assert done.code == 2
    assert "waltax devices probe /srv/log" in done.text


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), "Missing option '--device'"),
        (("--device=off",), "off writes no log"),
        (("--device=floppy",), 'unknown device "floppy"'),
    ],
)
def test_what_cannot_be_predicted_is_refused(words: tuple[str, ...], expected: str) -> None:
    done = _predict(*words)
    assert done.code == 2
    assert expected in done.text

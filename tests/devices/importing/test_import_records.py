"""Files of a drive become one device: a row for each size, and a spread where they differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from waltax import devices
from waltax.base.errors import UsageError
from waltax.devices import Device, load
from waltax.devices.importing.command import import_files
from waltax.devices.importing.record import of_files
from waltax.devices.tap_model import mean_sync_us

SAMPLES = Path(__file__).parent / "samples"


def _mean(device: Device, size: int = 4096) -> float:
    assert device.model is not None
    return mean_sync_us(device.model.tap_model(), size)


def _slower(tmp_path: Path, factor: int) -> Path:
    """Write fio's log of a drive whose writes take so many times as long."""
    path = tmp_path / f"times-{factor}.log"
    path.write_text("".join(f"{n}, {factor * (90_000 + 100 * n)}, 1, 4096, 0\n" for n in range(99)))
    return path


def test_a_path_is_a_device_as_it_is() -> None:
    device = load(str(SAMPLES / "fio.txt"))
    assert (device.name, device.kind) == ("fio", "measured")
    assert device.typical_sync_us() == 135
    assert "a sync after each write" in device.stands_for


def test_a_file_may_be_called_as_a_device_of_the_catalog(tmp_path: Path) -> None:
    path = tmp_path / "nvme.txt"
    path.write_text((SAMPLES / "fio.txt").read_text())
    assert load(path).name == "nvme-imported"


def test_a_device_s_directory_goes_with_a_file_too(tmp_path: Path) -> None:
    assert load(SAMPLES / "fio.txt", tmp_path).path == str(tmp_path)


def test_the_command_writes_a_file_that_loads_as_the_same_device(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    words = [str(SAMPLES / "fio.json"), "--name=mine", f"--out={out}", "--class=nvme"]
    done = CliRunner().invoke(import_files, words)
    assert done.exit_code == 0, done.output
    assert load(out) == of_files([SAMPLES / "fio.json"], "mine", "nvme")
    assert "direct=0" in done.output


def test_files_that_differ_are_the_middle_one_with_a_spread(tmp_path: Path) -> None:
    device = of_files([_slower(tmp_path, factor) for factor in (1, 2, 8)])
    assert device.spread is not None
    assert (device.spread.fastest, device.spread.slowest) == (0.5, 4.0)
    assert _mean(device) == pytest.approx(_mean(of_files([_slower(tmp_path, 2)])))


def test_files_of_other_sizes_are_rows_without_a_spread(tmp_path: Path) -> None:
    device = of_files([_slower(tmp_path, 1), SAMPLES / "direct.txt"])
    assert device.model is not None
    assert [row.bytes for row in device.model.sync] == [4096, 16384]
    assert device.spread is None


def test_syncs_that_no_tap_can_replay_are_refused_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "fio.txt"
    text = (SAMPLES / "fio.txt").read_text()
    path.write_text(
        text.replace("sync (usec)", "sync (nsec)").replace("tiles (usec)", "tiles (nsec)")
    )
    with pytest.raises(UsageError, match=r"fio\.txt: no device can be made of it: .* floor"):
        of_files([path])


@pytest.mark.parametrize(
    ("fresh", "worn"),
    [
        ("nvme-990pro", "nvme-990pro-worn"),
        ("nvme-t500", "nvme-t500-slow"),
        ("gcp-local", "gcp-local-slow"),
    ],
)
def test_the_two_states_of_a_drive_name_each_other_s_times(fresh: str, worn: str) -> None:
    first, second = devices.load(fresh), devices.load(worn)
    assert first.spread is not None
    assert second.spread is not None
    apart = _mean(second, 16384) / _mean(first, 16384)
    assert first.spread.slowest == pytest.approx(apart, rel=0.01)
    assert second.spread.fastest == pytest.approx(1 / apart, rel=0.01)
    assert worn in first.notes
    assert fresh in second.notes


def test_a_preset_says_which_measured_drive_it_is_closest_to() -> None:
    measured = [one for name in devices.names() if (one := load(name)).kind == "measured"]
    for name, closest, percent in (("nvme", "nvme-p5510-raid1", -10), ("ssd", "nvme-990pro", -23)):
        own = load(name).typical_sync_us(16384) or 0
        ratios = {one.name: (one.typical_sync_us(16384) or 0) / own for one in measured}
        assert min(ratios, key=lambda key: max(ratios[key], 1 / ratios[key])) == closest
        assert round(100 * (ratios[closest] - 1)) == percent
        assert closest in load(name).notes
        assert f"{abs(percent)} %" in load(name).notes

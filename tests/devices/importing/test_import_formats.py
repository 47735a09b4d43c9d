"""What other tools print is read as they meant it, and refused with the run to make instead."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.devices.importing.formats import FORMATS, WANTED, read
from waltax.devices.importing.timed import Timed
from waltax.devices.tap_model import mass

SAMPLES = Path(__file__).parent / "samples"
TOLD = sorted(path for path in SAMPLES.iterdir() if not re.search("read|jobs", path.name))


def _only(name: str) -> Timed:
    (timed,) = read(SAMPLES / name)
    return timed


def _changed(tmp_path: Path, name: str, old: str, new: str) -> Path:
    text = (SAMPLES / name).read_text()
    assert old in text
    path = tmp_path / name
    path.write_text(text.replace(old, new))
    return path


def _error(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))
    return caught.value


@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.name)
def test_every_tool_s_quantiles_have_the_mean_that_it_tells(path: Path) -> None:
    for timed in read(path):
        pairs = timed.quantiles()
        times = [us for _, us in pairs]
        assert times == sorted(times)
        drawn = mass([(0.0, times[0]), *pairs, (100.0, times[-1])])
        assert drawn == pytest.approx(timed.mean_us, rel=0.01)


def test_json_and_bins_tell_the_quantiles_that_fio_printed() -> None:
    told = json.loads((SAMPLES / "fio.json").read_text())["jobs"][0]["sync"]["lat_ns"]
    found = dict(_only("fio.json").quantiles())
    for percent, ns in told["percentile"].items():
        assert found[float(percent)] == pytest.approx(ns / 1000)
    bins = json.loads((SAMPLES / "plus.json").read_text())["jobs"][0]["sync"]["lat_ns"]["bins"]
    assert dict(_only("plus.json").quantiles())[50] in {int(ns) / 1000 for ns in bins}


def test_text_is_read_in_the_unit_of_each_table() -> None:
    timed = _only("fio.txt")
    assert (timed.bytes, timed.mean_us) == (4096, 143.29)
    found = dict(timed.quantiles())
    assert (found[0], found[50], found[99], found[99.99]) == (77, 135, 249, 6259)


def test_text_in_other_units_is_the_same_time(tmp_path: Path) -> None:
    text = (SAMPLES / "fio.txt").read_text()
    for us in ("77", "6567"):
        text = text.replace(f"={us},", f"={us}k,")
    text = text.replace("avg=143.29", "avg=143.29k").replace("sync (usec)", "sync (nsec)")
    (tmp_path / "fio.txt").write_text(text)
    assert read(tmp_path / "fio.txt") == read(SAMPLES / "fio.txt")


def test_a_bin_that_ends_beyond_the_maximum_is_taken() -> None:
    text = (SAMPLES / "direct.txt").read_text()
    assert "max=1625," in text
    assert "99.00th=[ 1631]" in text
    assert _only("direct.txt").write is not None


def test_a_direct_write_is_waited_for_and_one_into_the_page_cache_is_not() -> None:
    assert _only("direct.txt").mean_us == pytest.approx(327.05 + 1992.23)
    assert _only("fio.txt").write is None
    assert _only("fio.json").write is None


def test_jobs_at_once_are_left_out() -> None:
    assert "found no synced writes of one job" in str(_error(SAMPLES / "jobs.txt"))


def test_each_write_of_a_log_is_one_time() -> None:
    ns = [int(line.split(",")[1]) for line in (SAMPLES / "dsync_clat.log").open()]
    timed = _only("dsync_clat.log")
    assert timed.mean_us == pytest.approx(sum(ns) / len(ns) / 1000)
    assert "does not say" in timed.said


def test_pg_test_fsync_tells_the_means_of_two_sizes() -> None:
    assert [(one.bytes, round(one.mean_us)) for one in read(SAMPLES / "pg.txt")] == [
        (8192, 207),
        (16384, 201),
    ]


def test_ioping_s_warm_up_is_no_time() -> None:
    assert _only("ioping.txt").mean_us == pytest.approx(280.1, abs=0.1)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("read.json", "--fdatasync=1"), ("ioping_read.txt", "ioping -W -y")],
)
def test_a_run_that_read_is_refused_with_one_that_writes(name: str, wanted: str) -> None:
    error = _error(SAMPLES / name)
    assert "found no synced writes" in str(error)
    assert wanted in error.lines[-1]


def test_a_run_without_syncs_is_refused_with_one_that_syncs(tmp_path: Path) -> None:
    text = (SAMPLES / "fio.txt").read_text()
    path = tmp_path / "unsynced.txt"
    path.write_text(re.sub(r"  fsync/.*?(?=  cpu)", "", text, flags=re.DOTALL))
    assert WANTED in _error(path).lines[-1]


def test_an_empty_file_is_refused_with_the_run_to_make(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    error = _error(tmp_path / "empty")
    assert "found an empty file" in str(error)
    assert WANTED in error.lines[-1]


def test_a_truncated_json_says_in_which_line_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "fio.json"
    path.write_text("\n".join((SAMPLES / "fio.json").read_text().split("\n")[:40]))
    assert "its JSON ends in line 40" in str(_error(path))


def test_a_wrong_type_names_its_key(tmp_path: Path) -> None:
    path = _changed(tmp_path, "fio.json", '"groupid" : 0', '"groupid" : "x"')
    assert "jobs.0.groupid" in str(_error(path))


def test_a_broken_line_of_a_log_is_named(tmp_path: Path) -> None:
    text = (SAMPLES / "dsync_clat.log").read_text().split("\n")
    path = tmp_path / "x.log"
    path.write_text("\n".join([*text[:3], "4, later, 1, 4096, 0", *text[3:]]))
    assert 'line 4: found "4, later, 1' in str(_error(path))


def test_a_log_of_writes_that_the_page_cache_took_is_no_device(tmp_path: Path) -> None:
    path = tmp_path / "cached.log"
    path.write_text("".join(f"{n}, {6000 + n}, 1, 4096, 0\n" for n in range(100)))
    assert "a page cache took without a sync" in str(_error(path))


def test_what_is_no_tool_s_output_lists_the_tools(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("dear diary\n")
    error = str(_error(path))
    assert 'found "dear diary" in line 1' in error
    assert all(form.name in error for form in FORMATS)

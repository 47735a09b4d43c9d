from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from device_files import GOOD, PROBE, error_of, written
from waltax.base.errors import UsageError
from waltax.devices import Device, load, names
from waltax.devices.catalog import CATALOG
from waltax.devices.device import Probe

PAPER = ("ssd", "nvme", "nvram", "off")


def mean_sync_us(device: Device, row: int = 0) -> float:
    """Return the mean of the distribution that the tap draws from: linear between quantiles."""
    assert device.model is not None
    pairs = device.model.sync[row].latency().quantiles
    return sum((p1 - p0) / 100 * (us0 + us1) / 2 for (p0, us0), (p1, us1) in pairwise(pairs))


def test_the_paper_s_devices_are_in_the_catalog() -> None:
    assert set(PAPER) <= set(names())


@pytest.mark.parametrize("name", names())
def test_a_catalog_file_is_named_after_its_device(name: str) -> None:
    assert load(name).name == name


@pytest.mark.parametrize("name", names())
def test_every_source_of_a_catalog_file_is_text_without_an_address(name: str) -> None:
    for source in load(name).sources.values():
        assert len(source) > 20
        assert "://" not in source


@pytest.mark.parametrize("name", [name for name in names() if name != "off"])
def test_every_figure_has_a_source_and_a_kind(name: str) -> None:
    device = load(name)
    assert device.model is not None
    figures, rows = device.model.figures().values(), device.model.sync
    assert len(figures) + len(rows) >= 8
    assert all(figure.source in device.sources and figure.kind for figure in figures)
    assert all(row.source in device.sources and row.kind for row in rows)


@pytest.mark.parametrize("name", [name for name in names() if name != "off"])
def test_every_model_can_be_emulated(name: str) -> None:
    model = load(name).model
    assert model is not None
    assert model.under_floor() is None


@pytest.mark.parametrize("name", [name for name in names() if name != "off"])
def test_the_caller_s_cpu_time_fits_into_the_shortest_sync(name: str) -> None:
    model = load(name).model
    assert model is not None
    shortest = min(us for row in model.sync for us in row.quantiles_us.values())
    assert model.cpu_caller_us.value <= shortest


def test_syncs_are_ordered_as_in_the_paper() -> None:
    times = [load(name).typical_sync_us() or 0 for name in ("nvram", "nvme", "ssd")]
    assert times == sorted(times)
    assert 0 < times[0] < times[1] / 1.5 < times[2] / 3


def test_power_loss_protection_matters_more_than_the_bus() -> None:
    protected = load("ssd-plp").typical_sync_us() or 0
    assert protected * 5 < (load("nvme-consumer").typical_sync_us() or 0)


@pytest.mark.parametrize(
    ("name", "mean_us"),
    [
        ("ssd", 4096 / 3.7),  # MX200: 3.7 MB/s of 4 KiB writes
        ("ssd-consumer", 4096 / 1.9),  # 850 EVO: 1.9 MB/s
        ("nvme", 1e6 / 34090),  # PM963: 34,090 writes a second
    ],
)
def test_quantiles_have_the_mean_of_their_source(name: str, mean_us: float) -> None:
    assert mean_sync_us(load(name)) == pytest.approx(mean_us, rel=0.02)


def test_sync_time_is_read_between_and_beyond_the_sizes_as_the_tap_does() -> None:
    device = load("ssd-plp")
    assert device.typical_sync_us(100) == 138
    assert device.typical_sync_us(4096) == 158
    assert device.typical_sync_us((4096 + 16384) // 2) == 184
    assert device.typical_sync_us(2 << 20) == pytest.approx(5867 + (1 << 20) / 171)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("NVMe", "; did you mean nvme?"),
        ("ssd,nvme", '; several are separated by blanks: "ssd nvme"'),
    ],
)
def test_another_case_and_commas_are_understood(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(name)
    assert str(caught.value).endswith(hint)


@pytest.mark.parametrize("name", ["../../etc", "nvem", "", "/etc/absent", "NVME", "a/b"])
def test_a_wrong_name_lists_the_valid_ones_and_their_folder(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(name)
    assert f'unknown device "{name}"; valid names are' in str(caught.value)
    assert all(valid in str(caught.value) for valid in (*PAPER, str(CATALOG)))


def test_a_file_that_is_not_there_is_told_to_be_missing() -> None:
    with pytest.raises(UsageError, match=r"^no\.toml: cannot be read: No such file"):
        load("./no.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "value = 500",
            "value = 1e13",
            "mb_per_s.value: found 10000000000000.0, want a number, 1,0",
        ),
        ("bytes = 4096", "bytes = 1099511627777", "want a number, 1,099,511,627,776 or less"),
        ("p50 = 1080", "p50 = 1e9", "quantiles_us.p50: found 1000000000.0, want a number, 60,000,"),
    ],
)
def test_figures_that_no_device_comes_near_are_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert message in error_of(tmp_path, old, new)


def test_a_device_is_loaded_from_the_path_of_its_file(tmp_path: Path) -> None:
    assert load(written(tmp_path, GOOD)).name == "mine"


def test_a_file_of_the_catalog_may_be_given_by_its_path() -> None:
    assert load(CATALOG / "nvme.toml") == load("nvme")


def test_a_user_s_file_may_not_take_a_catalog_name(tmp_path: Path) -> None:
    assert "is taken by the catalog" in error_of(tmp_path, '"mine"', '"nvme"')
    assert "is taken by the catalog" in error_of(tmp_path, '"mine"', '"with-data"')


def test_every_device_has_a_line_in_the_documentation() -> None:
    page = (CATALOG.parent / "docs" / "devices.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"| `{name}` |" not in page] == []


def test_the_documentation_s_example_is_a_device(tmp_path: Path) -> None:
    page = (CATALOG.parent / "docs" / "devices.md").read_text(encoding="utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    assert load(written(tmp_path, example)).typical_sync_us() == 28


ANOTHER = """
[[model.sync]]
bytes = 1000000
quantiles_us = { p50 = 40_000 }
kind = "class-proxy"
tail_kind = "estimate"
source = "han"
"""


def test_sizes_must_rise(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sync: bytes = 1000000 follows 1000000; sizes must rise"):
        load(written(tmp_path, GOOD + ANOTHER + ANOTHER))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("p50 = 40", "p50 = -40", "model.sync[1].quantiles_us.p50: found -40000, want a num"),
        ("= 40_000", "= 40, p99 = 3", "model.sync[1].quantiles_us: p50 = 40 is above"),
        ("= 40_000", "= 40, p50_0 = 40", "model.sync[1].quantiles_us: p50 and p50_0"),
        ("source", "age = 3\nsource", "model.sync[1].age: unknown key; accept"),
        ('source = "han"', 'source = "hna"', "source hna is not a key of [sources]"),
        ('kind = "class-proxy"', 'kind = "estimate"', 'kind is "class-proxy", but a median'),
        ("model.sync", "model.sinc", "model.sinc: unknown key; accepted: sync, write_us"),
    ],
)
def test_a_bad_table_of_syncs_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(written(tmp_path, GOOD + ANOTHER.replace(old, new, 1)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("warnings = []", "", "probe.warnings: missing"),
        ("warnings = []", "warnings = [1]", "probe.warnings[0]: found 1, want a string"),
    ],
)
def test_evidence_that_was_edited_into_nonsense_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    load(written(tmp_path, GOOD + PROBE))
    with pytest.raises(UsageError) as caught:
        load(written(tmp_path, GOOD + PROBE.replace(old, new, 1)))
    assert message in str(caught.value)


def test_a_wal_directory_overrides_the_file_s_path(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("title", 'path = "/from/toml"\ntitle', 1))
    assert load(path).path == "/from/toml"
    assert load(path, "/from/user").path == "/from/user"


def test_off_takes_no_wal_directory() -> None:
    with pytest.raises(UsageError, match="off writes no WAL"):
        load("off", "/tmp")


def test_an_unknown_key_is_named_with_what_is_accepted(tmp_path: Path) -> None:
    message = error_of(tmp_path, "title", 'tilte = "x"\ntitle')
    assert message.startswith("tilte: unknown key; accepted: name, title, stands_for, class, kind")


def test_an_unknown_key_in_a_row_is_named_with_its_place(tmp_path: Path) -> None:
    message = error_of(tmp_path, "bytes = 4096", "bytes = 4096\nsize = 1")
    assert message.startswith("model.sync[0].size: unknown key; accepted: bytes, quantiles_us")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("value = 500", "value = -5", "model.bandwidth_mb_per_s.value: found -5, want a number, 0"),
        ("value = 500", "value = inf", "model.bandwidth_mb_per_s.value: found inf, want a finite"),
        ("value = 500", "value = nan", "model.bandwidth_mb_per_s.value: found nan, want a"),
        ("value = 500", "value = true", "model.bandwidth_mb_per_s.value: found True, want a num"),
        ("value = 500", 'value = "x"', 'model.bandwidth_mb_per_s.value: found "x", want a number'),
        ("bytes = 4096", "bytes = 0", "model.sync[0].bytes: found 0, want a number, above 0"),
        ("bytes = 4096", "bytes = 1.5", "model.sync[0].bytes: found 1.5, want a whole number"),
        ("p50 = 1080", "p50 = 9080", "model.sync[0].quantiles_us: p50 = 9080 is above p90 = 1280"),
        ("p50 = 1080, ", "", "model.sync[0].quantiles_us: p50 is missing"),
        ("p99_9", "p999", "model.sync[0].quantiles_us: p999 is not a quantile"),
        ("p50 = 1080", "p50 = -1", "model.sync[0].quantiles_us.p50: found -1, want a number, 0"),
        ('class = "sata"', 'class = "ssd"', "class: found \"ssd\", want one of 'nvme', 'sata'"),
        ('name = "mine"', 'name = "My SSD"', 'name: found "My SSD", want'),
        ('name = "mine"', "", "name: missing"),
        ('name = "mine"', "name = 3", "name: found 3, want a string"),
        ('source = "han"', 'source = "hna"', "source hna is not a key of [sources]"),
        ('kind = "class-proxy"', 'kind = "measured"', 'kind is "measured", but a median in'),
        ("title", 'path = "wal"\ntitle', 'path: found "wal", want an absolute directory'),
        ("[model]", "[model", "not TOML"),
    ],
)
def test_a_bad_device_file_is_refused_with_file_key_and_what_is_accepted(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert error_of(tmp_path, old, new).startswith(message)


def test_sizes_that_do_not_rise_are_refused(tmp_path: Path) -> None:
    row = GOOD[GOOD.index("[[model.sync]]") :]
    with pytest.raises(UsageError, match="bytes = 4096 follows 4096; sizes must rise"):
        load(written(tmp_path, f"{GOOD}\n{row}"))


def test_every_problem_of_a_file_gets_its_own_line(tmp_path: Path) -> None:
    message = error_of(tmp_path, 'name = "mine"', "name = 3\nspeed = 1")
    assert len(message.splitlines()) == 2


def test_what_a_probe_saw_and_nothing_reads_is_read_over(tmp_path: Path) -> None:
    device = load(written(tmp_path, GOOD + PROBE))
    assert device.model == load(written(tmp_path, GOOD)).model
    assert device.probe == Probe(warnings=())

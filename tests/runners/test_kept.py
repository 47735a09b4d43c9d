"""A campaign.json that nobody's waltax wrote ends in a sentence, and at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from waltax.base.errors import UsageError
from waltax.runners import campaign
from waltax.runners.campaign import Recipe
from waltax.runners.doctor import Finding
from waltax.runners.recipe import campaign_file as kept
from waltax.studies import options


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",))
    one = campaign.new(recipe, tmp_path, tmp_path / "data")
    one.save()
    return one.folder


def _changed(folder: Path, **changes: Any) -> None:
    path = folder / "campaign.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_what_a_campaign_kept_is_what_its_resume_does(folder: Path) -> None:
    kept = campaign.resume(folder, None).recipe
    assert (kept.workloads, kept.devices, kept.axes) == (("linkbench",), ("nvme",), {})


def test_what_the_machine_was_like_is_kept_once_and_harms_no_resume(tmp_path: Path) -> None:
    one = campaign.new(Recipe("rocksdb", ("linkbench",), "quick", ("nvme",)), tmp_path, tmp_path)
    one.save([Finding("swap", "warn", "swap is in use: 1 MiB", "swapoff -a")])
    again = campaign.resume(one.folder, None)
    again.save([Finding("swap", "ok", "there is none")])
    (found,) = json.loads((one.folder / "campaign.json").read_text())["doctor"]
    assert (found["check"], found["state"]) == ("swap", "warn")
    assert found["text"] == "swap is in use: 1 MiB"


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"null", b"1", b'"x"', b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000),
        *(b'{"a":' * 100_000, b"\xff\xfe\x00", b"NaN", b"9" * 5000, b'{"seed": 1e400}', b"{}"),
    ],
)
def test_what_is_no_recipe_is_told_to_start_anew(folder: Path, content: bytes) -> None:
    (folder / "campaign.json").write_bytes(content)
    with pytest.raises(UsageError, match=r"--resume: .*campaign\.json: .*start a new campaign$"):
        campaign.resume(folder, None)
    assert kept.told(folder).devices == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"engine": "mongodb"}, 'engine: found "mongodb", want one of rocksdb, myrocks, innodb'),
        ({"engine": ["rocksdb"]}, "engine: found an array of 1, want a string"),
        ({"workloads": "linkbench"}, 'workloads: found "linkbench", want an array'),
        ({"workloads": ["x\n"]}, 'workloads[0]: found "x ", want one of linkbench, tpcc, '),
        ({"workloads": [["linkbench"]]}, "workloads[0]: found an array of 1, want a string"),
        ({"devices": None}, "devices: found None, want an array"),
        ({"devices": [1]}, "devices[0]: found 1, want a string"),
        ({"threads": [4]}, "threads: unknown key"),  # older releases had it here
        ({"axes": {"threads": [4]}}, "axes.threads[0]: found 4, want a string"),
        ({"seed": 2**70}, "no JSON (a whole number is beyond 64 bits)"),
        ({"seed": -1}, "seed: found -1, want a number, 0 or more"),
        ({"seed": True}, "seed: found True, want a whole number"),
        ({"durability": "later"}, 'durability: found "later", want one of sync'),
        ({"wal_dir": {}}, "wal_dir: found a table, want a string"),
        ({"profile": "\ud800"}, "hex escape"),
        ({"data_dir": 7}, "data_dir: found 7, want a string"),
        ({"allow_mismatch": "no"}, 'allow_mismatch: found "no", want true or false'),
        ({"color": "red"}, "color: unknown key"),
    ],
)
def test_a_wrong_value_is_named_with_its_key(
    folder: Path, changes: dict[str, Any], words: str
) -> None:
    _changed(folder, **changes)
    with pytest.raises(UsageError) as caught:
        campaign.resume(folder, None)
    assert words in str(caught.value)
    assert str(caught.value).endswith("start a new campaign")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("value", [None, 1, "x", {"a": 1}, [1], [[]], [None], ["\x1b"], True])
def test_a_report_and_a_search_take_whatever_the_recipe_holds(folder: Path, value: Any) -> None:
    for name in ("devices", "threads", "sizes", "knobs", "workloads", "engine"):
        _changed(folder, **{name: value})
        (folder / "rows.jsonl").touch()
        with pytest.raises(UsageError, match="no campaign of sweep latency there yet"):
            options.last_campaign(folder.parent, "sweep-latency")

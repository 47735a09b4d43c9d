"""What a campaign says of its data is what its profile loads, whatever it is a copy of."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_profile import written
from sweeping import said
from waltax import cli, profiles
from waltax.profiles.model import FOLDER
from waltax.studies import profile_scale


def _head(folder: Path, text: str, *words: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text.replace('name = "quick"', 'name = "mine"'))
    flags = ("--results", folder, "--data-dir", folder / "data", "--plan")
    found = said(cli.cli, "run", "--profile", path, *flags, *words)
    assert found.code == 0, found.text
    return found.text


def _edited(old: str, new: str) -> str:
    text = (FOLDER / "quick.toml").read_text()
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("maxid1 = 100001", "maxid1 = 2001", "2,000 ids; out-degree capped at 25,000 links"),
        ("degree_cap = 25000", "", "100,000 ids; out-degree not capped"),
        ("degree_cap = 25000", "link_datasize = 8", "out-degree not capped; link_datasize = 8"),
        ("warehouses = 4", "warehouses = 5", "5 warehouses; a terminal for each thread"),
        ("warehouses = 4", "warehouses = 1", "1 warehouse; a terminal for each thread; threads "),
        (
            "warehouses = 4",
            "warehouses = 4\n[tpcc.run]\nterminals = 8",
            "4 warehouses; 8 terminals that 4 threads serve in turn",
        ),
    ],
)
def test_the_head_of_a_copied_profile_says_what_the_copy_loads(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    assert says in _head(tmp_path, _edited(old, new))


def test_clients_that_get_in_each_other_s_way_are_told_of_only_where_they_do(
    tmp_path: Path,
) -> None:
    told = "threads that share a warehouse get in each other's way"
    crowded = _head(tmp_path, _edited("warehouses = 4", "warehouses = 3"))
    assert told in crowded
    assert told not in _head(tmp_path, (FOLDER / "quick.toml").read_text())


def test_a_profile_takes_no_words_of_its_own_about_its_size(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    mine = _edited("[linkbench]\n", '[linkbench]\nnote = "100,000 ids"\n')
    path.write_text(mine.replace('name = "quick"', 'name = "mine"'))
    found = said(cli.cli, "run", "--profile", path, "--plan")
    assert (found.code, "linkbench.note: unknown key" in found.text) == (2, True)


def test_a_scaled_profile_is_told_at_its_own_size(tmp_path: Path) -> None:
    path = written(profile_scale.at_scale(profiles.load("quick"), 0.5), tmp_path)
    text = _head(tmp_path, path.read_text())
    assert "50,000 ids; out-degree capped at 12,500 links" in text
    assert "2 warehouses; a terminal for each thread" in text

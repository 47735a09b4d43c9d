from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.linkbench.original.settings import HOME_VARIABLE, read_config


def _files(folder: Path, main: str, workload: str = "") -> Path:
    (folder / "config").mkdir()
    (folder / "config" / "w.properties").write_text(workload)
    path = folder / "config" / "main.properties"
    path.write_text(f"workload_file = config/w.properties\n{main}")
    return path


def test_the_command_line_wins_over_the_main_file_and_that_over_the_workload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    path = _files(tmp_path, "a=main\nb=main", "a=work\nb=work\nc=work")
    found = read_config(path, ["a=typed=so"])
    assert [found[key].value for key in "abc"] == ["typed=so", "main", "work"]
    assert found["a"].origin == "-D"
    assert found["c"].origin == f"{tmp_path}/config/w.properties:3"


def test_relative_paths_start_at_linkbench_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "config").mkdir(parents=True)
    (tmp_path / "home" / "config" / "w.properties").write_text("a=home")
    path = _files(tmp_path, "", "a=beside")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    assert read_config(path)["a"].value == "home"


def test_a_missing_workload_file_is_refused_with_all_places_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, "/no/such/folder")
    path = _files(tmp_path, "")
    with pytest.raises(UsageError) as caught:
        read_config(path, ["workload_file=else/w"])
    assert str(caught.value).startswith("-D: workload_file: found 'else/w'")
    assert f"{tmp_path}/else/w" in str(caught.value)
    assert f"{tmp_path}/config/else/w" in str(caught.value)
    assert HOME_VARIABLE in str(caught.value)


def test_the_name_of_a_workload_file_may_be_longer_than_any_file_s(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"-D: workload_file: found 'x+\.\.\.', but there is no "):
        read_config(_files(tmp_path, ""), [f"workload_file={'x' * 5000}"])


def test_a_missing_config_file_and_a_word_without_value_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: cannot be read: No such file"):
        read_config(tmp_path / "none")
    with pytest.raises(UsageError, match="-D: found 'maxid1', want KEY=VALUE"):
        read_config(_files(tmp_path, ""), ["maxid1"])

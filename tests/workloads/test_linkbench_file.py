"""A LinkBench configuration is a workload: what becomes of its keys."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from waltax import profiles, workloads
from waltax.base import proc
from waltax.base.errors import UsageError
from waltax.workload import Workload
from waltax.workloads import files, linkbench_file

Configured = Callable[..., Workload]
_STOCK = Path(__file__).parent / "config"


@pytest.fixture
def stock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The stock configuration, in config/ as the original is unpacked."""
    monkeypatch.delenv(linkbench_file.HOME_VARIABLE, raising=False)
    shutil.copytree(_STOCK, tmp_path / "config")
    return tmp_path / "config" / "LinkConfigMysql.properties"


@pytest.fixture
def configured(stock: Path) -> Configured:
    """The workload of the stock configuration with other lines at its end."""

    def read(*lines: str) -> Workload:
        stock.write_text("\n".join([stock.read_text(), *lines]))
        return _read(stock)[0]

    return read


def _read(path: Path) -> tuple[Workload, tuple[str, ...]]:
    return files.read(path, path.read_bytes())


def _without(stock: Path, *names: str) -> Workload:
    for path in stock.parent.iterdir():
        lines = path.read_text().splitlines()
        path.write_text("\n".join(line for line in lines if line.split(" ")[0] not in names))
    return _read(stock)[0]


def test_the_stock_files_become_the_drivers_flags(configured: Configured) -> None:
    one = configured()
    assert (one.name, one.title) == ("linkconfigmysql", "LinkBench linkconfigmysql")
    assert (one.driver_program, one.sized_by, one.own_clients) == ("linkbench", "linkbench", 100)
    assert one.own_load == {
        "startid1": 1,
        "maxid1": 10_000_001,
        "link_type_count": "2",
        "link_datasize": "8",
        "node_datasize": "128",
        "link_add_datagen_startbyte": "32",
        "link_add_datagen_endbyte": "100",
        "link_add_datagen_uniqueness": "0.225",
        "node_add_datagen_startbyte": "50",
        "node_add_datagen_endbyte": "220",
        "node_add_datagen_uniqueness": "0.63",
    }
    run = one.own_run
    mix = [run[name] for name in ("addlink", "getlinklist", "getnode")]
    assert mix == [8.9886601, 50.7119145, 12.9326683]
    assert (run["read_function"], run["read_shape"]) == ("zipf", "0.8")
    assert (run["node_delete_function"], run["read_uncorr_blend"]) == ("uniform", "99.5")
    multiget = [run[f"link_multiget_{end}"] for end in ("min", "max", "prob")]
    assert multiget == ["1", "128", "0.382"]
    assert not any(name.startswith("write_uncorr") for name in run)
    assert "rate" not in run


def test_all_keys_together_are_flags_that_the_driver_knows() -> None:
    for command, keys in (("load", linkbench_file._GRAPH), ("run", linkbench_file._REQUESTS)):
        words = [str(proc.program("linkbench")), command, "--help"]
        shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        for key in keys:
            assert f"--{key.replace('_', '-')} " in shown


def test_a_campaign_keeps_its_two_files_as_one_text(configured: Configured) -> None:
    one = configured("maxid1 = 501", "node_up_datagen = UniformDataGenerator")
    again = files.record(one.name, one.text)
    assert (again.own_load, again.own_run) == (one.own_load, one.own_run)
    assert (again.digest, again.title, again.writes) == (one.digest, one.title, one.writes)


def test_what_has_no_effect_is_said_of_the_stock_files(stock: Path) -> None:
    (unused,) = _read(stock)[1]
    assert unused.startswith(f"{stock}: no effect: ")
    for name in ("write_uncorr_blend", "link_add_datagen_motif_length", "password", "maxtime"):
        assert f" {name}, " in unused


def test_unknown_keys_are_warned_about_with_the_nearest_known_one(stock: Path) -> None:
    stock.write_text("requestrat = 5\nqqq = 1\n" + stock.read_text())
    _, near, other = _read(stock)[1]
    said = f"warning: {stock}:1: requestrat: unknown key; did you mean requestrate?; ignored"
    assert (near, other) == (said, f"warning: {stock}:2: qqq: unknown key; ignored")


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("maxid1", "1e6", "a whole number from 1 to "),
        ("nlinks_func", "PERFECT_POWERS", "real: of out-degrees waltax has those alone"),
        ("data_file", "config/my.dat", "Distribution.dat: no other table is read"),
        ("link_up_datagen", "x.NoGenerator", "one of the classes MotifDataGenerator, "),
        ("requesters", "1025", "a whole number from 1 to 1024"),
        ("requestrate", "2.5", "a whole number"),
        ("addlink", "many", "a number of at least 0 and at most 100"),
    ],
)
def test_a_wrong_value_is_refused_with_line_key_value_and_what_is_accepted(
    stock: Path, configured: Configured, name: str, value: str, wanted: str
) -> None:
    with pytest.raises(UsageError, match=rf"^{stock}:\d+: {name}: found .*, want {wanted}"):
        configured(f"{name} = {value}")


def test_a_wrong_value_in_the_workload_file_is_refused_with_its_line(stock: Path) -> None:
    path = stock.with_name("FBWorkload.properties")
    path.write_text(path.read_text().replace("maxid1          = 10000001", "maxid1 = many"))
    with pytest.raises(UsageError, match=r"FBWorkload\.properties:3: maxid1: found 'many'"):
        _read(stock)


def test_the_size_of_the_graph_must_be_there(stock: Path) -> None:
    with pytest.raises(UsageError, match=r"^linkconfigmysql: maxid1: missing; it is the size of"):
        _without(stock, "maxid1")


def test_absent_keys_have_the_originals_defaults(stock: Path) -> None:
    absent = ("read_uncorr_blend", "link_type_count", "getlinklist_history", "link_multiget_dist")
    one = _without(stock, *absent, "addnode", "requesters")
    assert one.own_load["link_type_count"] == 1
    assert [one.own_run[name] for name in (absent[0], absent[2], "addnode")] == [0, 0, 0]
    # At most max - 1 links, so that every multiget asks for one.
    assert (one.own_run["link_multiget_min"], one.own_run["link_multiget_max"]) == (0, 2)
    assert one.own_clients is None
    kept = ("UPDATE_NODE", "DELETE_NODE", "ADD_LINK", "UPDATE_LINK", "DELETE_LINK")
    assert one.writes == kept


def test_a_uniform_generator_repeats_nothing(configured: Configured) -> None:
    run = configured("node_up_datagen = UniformDataGenerator").own_run
    assert run["node_up_datagen_uniqueness"] == "1"
    assert run["link_up_datagen_uniqueness"] == "0.225"


def test_a_rate_of_each_requester_becomes_that_of_all(stock: Path, configured: Configured) -> None:
    assert configured("requestrate = 50", "requesters = 4").own_run["rate"] == 200
    with pytest.raises(UsageError, match=r"requestrate: found 50 for each of the requesters, of"):
        _without(stock, "requesters")


def test_what_only_reads_is_known_to_read(configured: Configured) -> None:
    changes = ("addlink", "deletelink", "updatelink", "addnode", "updatenode", "deletenode")
    one = configured(*(f"{name} = 0" for name in changes), "getnode = 43.8753")
    assert one.only_reads


def test_its_graph_and_requests_go_in_place_of_the_profiles(configured: Configured) -> None:
    one = configured("maxid1 = 200001", "degree_cap = 50000", "max_retries = 3")
    workloads.add(one)
    quick = profiles.load("quick")
    section, ours = quick.workload(one.name), quick.workload("linkbench")
    assert (section.load, section.run) == (one.own_load, one.own_run)
    assert (section.load["degree_cap"], section.run["max_retries"]) == (50_000, "3")
    assert section.data_mb == pytest.approx(2 * ours.data_mb, abs=1)
    assert quick.threads_of(one.name) == 100


def test_a_file_is_told_in_words(stock: Path) -> None:
    said = files.explained(stock, stock.read_bytes())
    assert said[0].startswith("LinkBench linkconfigmysql: 10,000,000 ids; out-degree not capped; ")
    assert said[1].startswith(f"{stock}: no effect: ")


def _beside(folder: Path, main: str, workload: str = "") -> Path:
    (folder / "config").mkdir()
    (folder / "config" / "w.properties").write_text(workload)
    path = folder / "config" / "main.properties"
    path.write_text(f"workload_file = config/w.properties\nmaxid1 = 9\n{main}")
    return path


def test_the_main_file_wins_over_the_workload_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(linkbench_file.HOME_VARIABLE, raising=False)
    one, _ = _read(_beside(tmp_path, "read_shape=.1", "read_shape=.2\nwrite_shape=.3\n"))
    assert [one.own_run[f"{of}_shape"] for of in ("read", "write")] == [".1", ".3"]
    assert one.origins["read_shape"] == f"{tmp_path}/config/main.properties:3: read_shape"
    assert one.origins["write_shape"] == f"{tmp_path}/config/w.properties:2: write_shape"


def test_relative_paths_start_at_linkbench_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "config").mkdir(parents=True)
    (tmp_path / "home" / "config" / "w.properties").write_text("read_shape=.4")
    monkeypatch.setenv(linkbench_file.HOME_VARIABLE, str(tmp_path / "home"))
    assert _read(_beside(tmp_path, "", "read_shape=.2"))[0].own_run["read_shape"] == ".4"


def test_a_missing_workload_file_is_refused_with_all_places_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(linkbench_file.HOME_VARIABLE, "/no/such/folder")
    path = _beside(tmp_path, "workload_file=else/w")
    with pytest.raises(UsageError) as caught:
        _read(path)
    assert str(caught.value).startswith(f"{path}:3: workload_file: found 'else/w'")
    assert f"{tmp_path}/else/w" in str(caught.value)
    assert f"{tmp_path}/config/else/w" in str(caught.value)
    assert linkbench_file.HOME_VARIABLE in str(caught.value)


def test_the_name_of_a_workload_file_may_be_longer_than_any_file_s(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"workload_file: found 'x+\.\.\.', but there is no "):
        _read(_beside(tmp_path, f"workload_file={'x' * 5000}"))

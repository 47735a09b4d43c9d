from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.linkbench.original.keys import KEYS, Phase
from waltax.linkbench.original.properties import Config, read_config
from waltax.linkbench.original.settings import Settings, check

BOTH = (Phase.LOAD, Phase.RUN)
Configured = Callable[..., Config]


def _without(home: Path, *names: str) -> Config:
    """The stock configuration without some of its lines."""
    for path in (home / "config").iterdir():
        lines = path.read_text().splitlines()
        path.write_text("\n".join(line for line in lines if line.split(" ")[0] not in names))
    return read_config(home / "config" / "LinkConfigMysql.properties")


def test_the_stock_files_become_the_drivers_flags(configured: Configured) -> None:
    settings = check(configured(), BOTH)
    assert settings.parameters(Phase.LOAD) == {
        "startid1": 1,
        "maxid1": 10_000_001,
        "link_type_count": 2,
        "nlinks_func": "real",
        "randomid2max": 0,
        "link_datasize": 8.0,
        "node_datasize": 128.0,
        "link_add_datagen_startbyte": 32,
        "link_add_datagen_endbyte": 100,
        "link_add_datagen_uniqueness": 0.225,
        "node_add_datagen_startbyte": 50,
        "node_add_datagen_endbyte": 220,
        "node_add_datagen_uniqueness": 0.63,
    }
    run = settings.parameters(Phase.RUN)
    mix = [run[name] for name in ("addlink", "getlinklist", "getnode")]
    assert mix == [8.9886601, 50.7119145, 12.9326683]
    assert (run["read_function"], run["read_shape"]) == ("zipf", 0.8)
    assert (run["node_delete_function"], run["read_uncorr_blend"]) == ("uniform", 99.5)
    multiget = [run[f"link_multiget_{end}"] for end in ("min", "max", "prob")]
    assert multiget == [1, 128, 0.382]
    assert not any(name.startswith("write_uncorr") for name in run)


def test_the_stock_files_are_warned_about_where_the_original_ignores_them(
    configured: Configured,
) -> None:
    dead, motifs, data_file = check(configured(), BOTH).warnings
    assert "write_uncorr_blend, write_uncorr_shape, write_uncorr_config: no effect" in dead
    assert "motif_length" in motifs
    assert "built-in" in data_file


# One wrong value for each kind of key: name, value, what is said to be accepted.
@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("maxid1", "1e6", "a whole number of at least 1"),
        ("maxid1", "", "a whole number of at least 1"),
        ("maxid1", "1_000", "a whole number of at least 1"),
        ("maxid1", "1", "more than startid1, 1"),
        ("link_type_count", "0", "a whole number from 1 to 1000"),
        ("addlink", "-1", "a number of at least 0 and at most 100"),
        ("addlink", "nan", "a number of at least 0 and at most 100"),
        ("read_shape", "1", "a number near it, such as 0.999"),
        ("read_shape", "steep", "a number of at least 1e-06 and at most 10"),
        ("read_function", "REAL", "one of the classes ZipfDistribution, "),
        ("nlinks_func", "PERFECT_POWERS", "one of: real, const, "),
        ("link_add_datagen_endbyte", "32", "more than link_add_datagen_startbyte, 32"),
        ("link_up_datagen", "x.NoGenerator", "one of the classes MotifDataGenerator, "),
        ("link_multiget_dist_max", "1", "more than link_multiget_dist_min, 1"),
        ("linkstore", "LinkStorePgsql", "one of the classes LinkStoreMysql, "),
        ("generate_nodes", "false", r"true \(nodes are always loaded\)"),
        ("requesters", "1025", "a whole number from 0 to 1024"),
        ("requests", "0", "a whole number of at least 1"),
        ("requestrate", "2.5", "a whole number"),
        ("maxtime", "0", "a whole number from 1 to"),
        ("degree_cap", "-1", "a whole number of at least 0"),
        ("compression", "zip", "one of: none, lz4, snappy, zstd"),
    ],
)
def test_a_wrong_value_is_refused_with_key_origin_value_and_what_is_accepted(
    configured: Configured, name: str, value: str, wanted: str
) -> None:
    with pytest.raises(UsageError, match=f"^-D: {name}: found .*, want {wanted}"):
        check(configured(f"{name}={value}"), BOTH)


def test_a_wrong_value_in_a_file_is_refused_with_its_line(home: Path) -> None:
    path = home / "config" / "FBWorkload.properties"
    path.write_text(path.read_text().replace("maxid1          = 10000001", "maxid1 = many"))
    with pytest.raises(UsageError, match=r"FBWorkload\.properties:3: maxid1: found 'many'"):
        check(read_config(home / "config" / "LinkConfigMysql.properties"), BOTH)


def test_a_mix_that_is_not_100_percent_is_refused_with_its_sum(configured: Configured) -> None:
    with pytest.raises(UsageError, match=r"addlink, .*getnode: found a sum of 101\.0113399"):
        check(configured("addlink=10"), BOTH)


@pytest.mark.parametrize("name", [key.name for key in KEYS.values() if key.needed])
def test_each_needed_key_is_missed_by_its_name_and_no_other_is(home: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"{name}: missing, and the (load|run) phase needs it"):
        check(_without(home, name), BOTH)


def test_what_only_requests_need_may_be_absent_from_a_load(home: Path) -> None:
    only_runs = [name for name, key in KEYS.items() if key.needed == {Phase.RUN}]
    assert check(_without(home, *only_runs), [Phase.LOAD]).parameters(Phase.LOAD)


def test_a_function_misses_its_parameter(home: Path, configured: Configured) -> None:
    with pytest.raises(UsageError, match="read_prob: missing, and read_function needs it"):
        check(configured("read_function=GeometricDistribution"), BOTH)
    with pytest.raises(UsageError, match="nlinks_config: missing, and nlinks_func multiples"):
        check(configured("nlinks_func=MULTIPLES"), BOTH)
    with pytest.raises(UsageError, match="node_read_function: missing, and the run phase"):
        check(_without(home, "node_read_function"), BOTH)


def _link_mix(configured: Configured) -> Config:
    """All requests are list reads: none touches a node."""
    links = ("addlink", "deletelink", "updatelink", "countlink", "getlink")
    nodes = ("addnode", "updatenode", "deletenode", "getnode")
    zero = [f"{name}=0" for name in links + nodes]
    return configured(*zero, "getlinklist=100")


def test_requests_without_nodes_need_no_access_to_nodes(home: Path, configured: Configured) -> None:
    _without(home, "node_read_function", "node_update_function", "node_delete_function")
    assert check(_link_mix(configured), BOTH).parameters(Phase.RUN)["getlinklist"] == 100


def test_absent_keys_have_the_originals_defaults(home: Path) -> None:
    absent = ("read_uncorr_blend", "link_type_count", "getlinklist_history", "link_multiget_dist")
    run = check(_without(home, *absent), BOTH).parameters(Phase.RUN)
    assert [run[name] for name in absent[:3]] == [0.0, 1, 0.0]
    # At most max - 1 links, so that every multiget asks for one.
    assert (run["link_multiget_min"], run["link_multiget_max"]) == (0, 2)


def test_a_uniform_generator_repeats_nothing(configured: Configured) -> None:
    settings = check(configured("node_up_datagen=UniformDataGenerator"), BOTH)
    assert settings.parameters(Phase.RUN)["node_up_datagen_uniqueness"] == 1.0
    assert settings.parameters(Phase.RUN)["link_up_datagen_uniqueness"] == 0.225


def _warned(settings: Settings, text: str) -> bool:
    return any(text in warning for warning in settings.warnings)


def test_unknown_keys_are_warned_about_with_the_nearest_known_one(configured: Configured) -> None:
    settings = check(configured("request=5", "qqq=1"), BOTH)
    assert _warned(settings, "-D: request: unknown key, ignored; did you mean requests?")
    assert any(warning.endswith("qqq: unknown key, ignored") for warning in settings.warnings)


def test_keys_are_case_sensitive_as_in_the_original(configured: Configured) -> None:
    settings = check(configured("MySQL_bulk_insert_batch=10"), BOTH)
    assert _warned(settings, "MySQL_bulk_insert_batch: no effect: the original spells it")


def test_blanks_after_a_number_are_accepted_with_a_warning(configured: Configured) -> None:
    settings = check(configured("maxid1=500 "), BOTH)
    assert settings.whole("maxid1") == 500
    assert _warned(settings, "maxid1: blanks after the value")


def test_stores_are_named_by_the_last_part_of_their_class(configured: Configured) -> None:
    settings = check(configured("linkstore=a.b.MemoryLinkStore", "nodestore=MemoryLinkStore"), BOTH)
    assert settings.notes[0] == "MemoryLinkStore: runs on embedded RocksDB here"
    assert "embedded RocksDB" in check(configured(), BOTH).notes[0]


def test_a_data_file_is_passed_on_by_its_full_path(home: Path, configured: Configured) -> None:
    (home / "config" / "Distribution.dat").write_text("nlinks\n0 100\n")
    settings = check(configured(), BOTH)
    assert settings.parameters(Phase.LOAD)["data_file"] == f"{home}/config/Distribution.dat"
    assert settings.parameters(Phase.RUN)["data_file"] == f"{home}/config/Distribution.dat"


def test_a_data_file_of_the_users_own_must_be_there(home: Path, configured: Configured) -> None:
    with pytest.raises(UsageError, match=f"data_file: found 'my.dat', .*no {home}/my.dat"):
        check(configured("data_file=my.dat"), BOTH)


def test_extensions_are_keys_too(configured: Configured) -> None:
    settings = check(configured("degree_cap=1000", "max_retries=3"), BOTH)
    assert settings.parameters(Phase.LOAD)["degree_cap"] == 1000
    assert "max_retries" not in settings.parameters(Phase.LOAD)
    assert settings.parameters(Phase.RUN)["max_retries"] == 3


def test_numbers_are_never_infinite(configured: Configured) -> None:
    assert math.isfinite(check(configured(), BOTH).whole("maxtime"))
    with pytest.raises(UsageError, match="link_datasize: found 'inf'"):
        check(configured("link_datasize=inf"), BOTH)

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.linkbench.original.settings import _NEEDED, Phase, check, naming_keys, read_config
from waltax.workloads.original.properties import Properties

BOTH = (Phase.LOAD, Phase.RUN)
Configured = Callable[..., Properties]


def _without(home: Path, *names: str) -> Properties:
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
    run = settings.parameters(Phase.RUN)
    mix = [run[name] for name in ("addlink", "getlinklist", "getnode")]
    assert mix == ["8.9886601", "50.7119145", "12.9326683"]
    assert (run["read_function"], run["read_shape"]) == ("zipf", "0.8")
    assert (run["node_delete_function"], run["read_uncorr_blend"]) == ("uniform", "99.5")
    multiget = [run[f"link_multiget_{end}"] for end in ("min", "max", "prob")]
    assert multiget == ["1", "128", "0.382"]
    assert not any(name.startswith("write_uncorr") for name in run)


def test_what_has_no_effect_is_said_of_the_stock_files(configured: Configured) -> None:
    (unused,) = check(configured(), BOTH).notes
    for name in ("write_uncorr_blend", "link_add_datagen_motif_length", "password", "linkstore"):
        assert f" {name}, " in unused


# One wrong value for each kind of key that is read here: name, value, what is accepted.
@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("maxid1", "1e6", "a whole number of at least 1"),
        ("maxid1", "", "a whole number of at least 1"),
        ("maxid1", "1_000", "a whole number of at least 1"),
        ("nlinks_func", "PERFECT_POWERS", "real: of out-degrees waltax has those alone"),
        ("data_file", "config/my.dat", "Distribution.dat: its table is built in, and no other"),
        ("link_up_datagen", "x.NoGenerator", "one of the classes MotifDataGenerator, "),
        ("requesters", "1025", "a whole number from 0 to 1024"),
        ("requests", "0", "a whole number of at least 1"),
        ("requestrate", "2.5", "a whole number"),
        ("maxtime", "0", "a whole number from 1 to"),
    ],
)
def test_a_wrong_value_is_refused_with_key_origin_value_and_what_is_accepted(
    configured: Configured, name: str, value: str, wanted: str
) -> None:
    with pytest.raises(UsageError, match=f"^-D: {name}: found .*, want {wanted}"):
        check(configured(f"{name}={value}"), BOTH)


def test_what_the_driver_says_of_a_flag_is_said_of_its_key(configured: Configured) -> None:
    properties = configured("read_shape=steep")
    with (
        pytest.raises(UsageError, match=r'^-D: read_shape: found "steep", want a number'),
        naming_keys(properties),
    ):
        raise UsageError('linkbench: --read-shape: found "steep", want a number')
    with pytest.raises(UsageError, match=r"^linkbench: --db: not empty"), naming_keys(properties):
        raise UsageError("linkbench: --db: not empty")


def test_a_wrong_value_in_a_file_is_refused_with_its_line(home: Path) -> None:
    path = home / "config" / "FBWorkload.properties"
    path.write_text(path.read_text().replace("maxid1          = 10000001", "maxid1 = many"))
    with pytest.raises(UsageError, match=r"FBWorkload\.properties:3: maxid1: found 'many'"):
        check(read_config(home / "config" / "LinkConfigMysql.properties"), BOTH)


@pytest.mark.parametrize(
    ("phase", "name"), [(phase, name) for phase, names in _NEEDED.items() for name in names]
)
def test_each_needed_key_is_missed_by_its_name(home: Path, phase: Phase, name: str) -> None:
    with pytest.raises(UsageError, match=rf"^{name}: missing; give it in the file of -c, or as -D"):
        check(_without(home, name), [phase])


def test_what_only_requests_need_may_be_absent_from_a_load(home: Path) -> None:
    assert check(_without(home, "requests", "maxtime"), [Phase.LOAD]).parameters(Phase.LOAD)


def test_absent_keys_have_the_originals_defaults(home: Path) -> None:
    absent = ("read_uncorr_blend", "link_type_count", "getlinklist_history", "link_multiget_dist")
    run = check(_without(home, *absent), BOTH).parameters(Phase.RUN)
    assert [run[name] for name in absent[:3]] == [0, 1, 0]
    # At most max - 1 links, so that every multiget asks for one.
    assert (run["link_multiget_min"], run["link_multiget_max"]) == (0, 2)


def test_a_uniform_generator_repeats_nothing(configured: Configured) -> None:
    settings = check(configured("node_up_datagen=UniformDataGenerator"), BOTH)
    assert settings.parameters(Phase.RUN)["node_up_datagen_uniqueness"] == "1"
    assert settings.parameters(Phase.RUN)["link_up_datagen_uniqueness"] == "0.225"


def test_unknown_keys_are_warned_about_with_the_nearest_known_one(configured: Configured) -> None:
    notes = check(configured("request=5", "qqq=1"), BOTH).notes
    assert "warning: -D: request: unknown key, ignored; did you mean requests?" in notes
    assert any(note.endswith("qqq: unknown key, ignored") for note in notes)


def test_blanks_after_a_number_are_accepted(configured: Configured) -> None:
    settings = check(configured("maxid1=500 ", "link_datasize=9 "), BOTH)
    assert settings.whole("maxid1") == 500
    assert settings.parameters(Phase.LOAD)["link_datasize"] == "9"


def test_extensions_are_keys_too(configured: Configured) -> None:
    settings = check(configured("degree_cap=1000", "max_retries=3"), BOTH)
    assert settings.parameters(Phase.LOAD)["degree_cap"] == "1000"
    assert "max_retries" not in settings.parameters(Phase.LOAD)
    assert settings.parameters(Phase.RUN)["max_retries"] == "3"

"""What a person types reaches the programs as it was typed: nothing of it is expanded or run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from making import OF_WALTAX, ROOT, TARGETS, Bench, bench, run_make
from waltax.commands import MOVED

TEXTS = (
    "';touch PWNED;'",
    "$(touch PWNED)",
    "`touch PWNED`",
    "$(shell touch PWNED)",
    "${shell touch PWNED}",
    "&& touch PWNED #",
    '"',
    "'",
    'it\'s a "test"',
    "two  blanks and one behind ",
    "back\\slash\\",
    "$$HOME $x $(quoted) $",
    "#no comment",
    "100%",
    "*",
    "~ {a,b} ?[c]!",
    "-rf",
    "--args",
    "--",
)
WALTAX = ".venv/bin/waltax"
NAMES = ("DEVICE", "WAL_DIR", "WORKLOAD", "PLAN", "ARGS", "A", "DIR", "no-such", "a'b")


@pytest.fixture
def here(tmp_path: Path) -> Bench:
    return bench(tmp_path, 'it\'s a "test" $x `y`')


def test_every_variable_reaches_waltax_as_it_was_typed(here: Bench) -> None:
    """There are more targets than texts: each variable has each text once."""
    for turn, target in enumerate(OF_WALTAX):
        typed = [f"{name}={TEXTS[(turn + at) % len(TEXTS)]}" for at, name in enumerate(NAMES)]
        known, setup, waltax = here.make(target, *typed)
        assert known.argv == ["./setup.sh", "--known", target, *sorted(typed)]
        assert setup.argv == ["./setup.sh"]
        assert waltax.argv == [WALTAX, "--make", target, *sorted(typed)]
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_what_the_environment_holds_is_text_as_well(here: Bench, text: str) -> None:
    env = dict.fromkeys(("DEVICE", "PLAN", "ARGS", "BASE", "PS1"), text)
    assert here.make("run-device", env=env)[-1].argv[2:] == ["run-device", f"PLAN={text}"]
    assert here.make("lint", env={"BASE": text})
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_set_up_and_the_programs_get_what_was_typed_for_the_build(here: Bench, text: str) -> None:
    names = ("BUILD_DIR", "ROCKSDB_ROOT", "MARIADBD", "CC", "CXX")
    setup, waltax = here.make("devices", *[f"{name}={text}" for name in names])
    for name in names:
        assert setup.env[name] == text
    assert waltax.argv == [WALTAX, "--make", "devices"]
    assert waltax.env["WALTAX_BUILD_DIR"] == text
    assert waltax.env["MARIADBD"] == text
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_a_build_against_another_rocksdb_has_a_folder_of_its_own(here: Bench, text: str) -> None:
    (setup,) = here.make("setup", f"ROCKSDB_ROOT=/opt/{text}")
    assert setup.env["BUILD_DIR"].startswith("build/rocksdb-opt-")
    assert setup.env["WALTAX_BUILD_DIR"] == setup.env["BUILD_DIR"]
    (setup,) = here.make("setup", env={"ROCKSDB_ROOT": f"/opt/{text}"})
    assert setup.env["ROCKSDB_ROOT"] == f"/opt/{text}"
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_developers_targets_pass_on_what_was_typed(here: Bench, text: str) -> None:
    known, _, tools, tests = here.make("test", f"BUILD_DIR={text}", f"ROOM={text}")
    assert known.argv == ["tests/run", "--known", text]
    assert tools.argv == ["./setup.sh", "--tools"]
    assert (tests.argv, tests.env["BUILD_DIR"]) == (["tests/run", text], text)
    git = [call.argv for call in here.make("lint", f"BASE={text}") if "rev-parse" in call.argv]
    assert [argv[-2:] for argv in git] == [["--end-of-options", f"{text}^{{commit}}"]]
    (python,) = (call.argv for call in here.make("bench", "NAME=kills", f"ARGS={text}")[1:])
    assert python == [".venv/bin/python", "-m", "bench", "kills", "--args", text]
    (bare,) = here.make("test-bare", f"RELEASE={text}", "SHORT=1")
    assert bare.argv == ["tests/bare", "--short", text]
    *_, fuzz = here.make("fuzz", f"TARGET={text}", f"SECONDS={text}", f"INPUT={text}")
    assert fuzz.argv[:2] == [".venv/bin/python", "tests/fuzz/run.py"]
    assert sorted(fuzz.argv[2:]) == [f"INPUT={text}", f"SECONDS={text}", f"TARGET={text}"]
    assert here.nothing_ran()


@pytest.mark.parametrize("name", TEXTS)
def test_the_name_of_a_benchmark_is_passed_on_as_it_was_typed(here: Bench, name: str) -> None:
    python = here.make("bench", f"NAME=x{name}")[1].argv
    assert python == [".venv/bin/python", "-m", "bench", f"x{name}"]
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_a_refusal_prints_what_was_typed_and_runs_nothing(here: Bench, text: str) -> None:
    first, *_ = here.refused("clean", f"KEYS={text}").splitlines()
    assert first == f"make clean: KEYS={text}: it takes no variable; leave it out"
    assert here.nothing_ran()


@pytest.mark.parametrize(
    ("words", "takes"),
    [
        (["test", "PLAN=1"], "ROOM"),
        (["sanitize", "BASE=x"], "no variable"),
        (["lint", "ARGS=x", "BASE=x"], "BASE"),
        (["fuzz", "PLAN=1"], "TARGET SECONDS INPUT"),
        (["test-bare", "ROOM=x"], "RELEASE SHORT"),
        (["bench", "PLAN=1", "ARGS=x"], "NAME ARGS"),
        (["test", "lint", "KEYS=1"], "BASE ROOM"),
    ],
)
def test_a_target_without_a_command_refuses_what_it_does_not_take(
    here: Bench, words: list[str], takes: str
) -> None:
    assert f": it takes {takes}; leave it out" in here.refused(*words)


@pytest.mark.parametrize("room", ["vidence", "evidence engines", "../tests", "golden/aa", "-x"])
def test_a_folder_of_tests_that_is_not_there_is_refused_before_anything_is_set_up(
    room: str,
) -> None:
    done = run_make("test", f"ROOM={room}")
    assert done.returncode == 2
    assert f"make test: ROOM={room}: no folder of tests/; type one of analysis " in done.stderr
    assert not done.stdout


@pytest.mark.parametrize(
    ("words", "type_"),
    [
        ("run tpcc", "make run WORKLOAD=tpcc"),
        ("tpcc", "make run WORKLOAD=tpcc"),
        ("why ycsb-a", "make why WORKLOAD=ycsb-a"),
        ("run nvme", "make run DEVICE=nvme"),
        ("run quick", "make run PROFILE=quick"),
        ("run myrocks", "make run ENGINE=myrocks"),
        ("run nosuch", "make help"),
        ("nosuch", "make help"),
        ("sweep", "make sweep-latency"),
    ],
)
def test_a_word_that_is_no_target_is_refused_with_what_it_may_mean(words: str, type_: str) -> None:
    """Some are folders of the repository, with which make is content."""
    done = run_make(*words.split())
    word = words.split()[-1]
    said = f"make {words.split()[0]}: {word}: it is no target; type {type_}\n"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)


@pytest.mark.parametrize("text", [text for text in TEXTS if "=" not in text])
def test_a_word_that_is_no_target_is_told_as_it_was_typed(text: str) -> None:
    word = f"x{text}".split()[0]  # as make splits its goals
    for first, goals in (("devices", ["devices", f"x{text}"]), (word, [f"x{text}"])):
        done = run_make(*goals)
        assert done.returncode == 2
        assert done.stderr.startswith(f"make {first}: {word}: it is no target; type make help\n")
        assert not (ROOT / "PWNED").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gate", "make compare A=results/OLD B=results/NEW GATE=1"),
        ("releases", 'make run RELEASE="7.9.2 10.10.1"'),
        ("serve", "make try PRESET=innodb DEVICE=nvme"),
        *((old, f"make {new.replace(' ', '-')}") for old, new in MOVED.items() if "-" not in new),
    ],
)
def test_an_old_target_answers_with_the_new_line(old: str, new: str) -> None:
    if old in OF_WALTAX or old in ("bundle", "export"):  # these two never were targets
        return
    target = old.replace(" ", "-")
    for variables in ((), ("DEVICE=nvme",)):  # which a target that is gone cannot judge
        said = run_make(target, *variables).stderr
        assert said.startswith(f"make {target}: {target}: it is no target; type {new}\n")


def test_plan_in_the_environment_is_asked_for_too(here: Bench) -> None:
    """Nobody wants a run of hours where a plan was meant."""
    assert "make test: PLAN=1: " in here.refused("test", env={"PLAN": "1"})
    assert here.make("test", env={"KEYS": "1", "PLAN": " "})


def test_of_several_goals_each_is_told_of_the_others(here: Bench) -> None:
    calls = [call.argv[1:] for call in here.make("run", "plot", "lint", "SEED=3", "BASE=x")]
    assert calls[0] == ["--known", "run", "plot", "SEED=3"]
    assert ["--make", "run", "plot", "SEED=3"] in calls
    assert ["--make", "plot", "run", "SEED=3"] in calls


def test_run_device_without_a_device_says_what_to_type(here: Bench) -> None:
    said = here.refused("run-device", "PLAN=1")
    assert said.startswith("make run-device: DEVICE: missing; type make run-device DEVICE=nvme\n")
    assert here.make("run-device", "RESUME=results/x")
    assert here.make("run-device", env={"DEVICE": "$(shell touch PWNED)"})
    assert here.nothing_ran()


OWN = [
    *("quoted", "as_text", "refuse", "UNKNOWN", "TYPED", "FROM_ENVIRONMENT", "GOALS"),
    *("LEFT", "OWN", "HANDED", "OF_WALTAX", "OF_ROCKSDB", "blank", "BIN", "TARGETS", "WORDS"),
    "STRAY",
    *("MAKEOVERRIDES", ".SHELLFLAGS", ".VARIABLES", "CURDIR", "MAKECMDGOALS", "WALTAX_BUILD_DIR"),
]


@pytest.mark.parametrize("name", OWN)
def test_a_variable_of_the_makefile_itself_is_typed_in_vain_and_runs_nothing(
    here: Bench, name: str
) -> None:
    text = "$(shell touch PWNED)';touch PWNED;'$(1);touch PWNED"
    assert f": {name}=" in here.refused("clean", f"{name}={text}")
    if name != "MAKECMDGOALS":  # waltax refuses what it is handed
        known, *_ = here.make("devices", f"{name}={text}")
        assert any(word.startswith(f"{name}=") for word in known.argv)
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_another_shell_is_typed_in_vain_and_runs_nothing(here: Bench, text: str) -> None:
    assert here.make("devices", f"SHELL={text}")[-1].argv == [WALTAX, "--make", "devices"]
    assert here.nothing_ran()


@pytest.mark.parametrize("name", [*NAMES, "BUILD_DIR", "ROCKSDB_ROOT", "SHELL", "newline", "KEYS"])
def test_a_line_break_in_a_variable_is_refused_in_one_line(here: Bench, name: str) -> None:
    for target in ("run", "devices", "lint", "bench"):
        (line,) = here.refused(target, f"{name}=x';\ntouch PWNED;\n'").splitlines()
        assert f"{name}: found a line break" in line
    assert here.nothing_ran()


def test_a_line_break_in_the_environment_and_in_a_target_is_refused(here: Bench) -> None:
    text = "x';\ntouch PWNED;\n'"
    assert "PLAN: found a line break" in here.refused("run", env={"PLAN": text})
    assert "line break" in here.refused(f"x{text}")
    assert here.nothing_ran()


def test_another_programs_line_break_in_the_environment_is_none_of_ours(here: Bench) -> None:
    assert here.make("devices", env={"PS1": "a\nb", "KEYS_OF_MINE": "$(shell touch PWNED)\n"})
    assert here.nothing_ran()


def test_every_target_can_be_made_in_a_folder_with_any_name(here: Bench) -> None:
    for target in TARGETS:
        here.make(target, *(["DEVICE=nvme"] if target == "run-device" else []))
    assert run_make("help", cwd=here.folder).stdout == run_make("help").stdout
    assert here.make("known") == []


def test_make_promises_no_exit_code_but_its_own() -> None:
    shown = run_make("help").stdout
    assert re.findall(r"exit \d|exits with (\d)", shown) == ["2"]
    assert "make exits with 2 whatever fails" in shown


def test_the_sanitizers_find_their_list_in_a_folder_with_any_name(here: Bench) -> None:
    ctest = next(call for call in here.make("sanitize") if "ctest" in call.argv[0])
    assert ctest.env["TSAN_OPTIONS"] == f'suppressions="{here.folder}/tests/tsan.supp"'

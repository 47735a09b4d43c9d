"""What a person types reaches the programs as it was typed: nothing of it is expanded or run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from making import OF_WALTAX, ROOT, TABLE, Bench, bench, run_make, takes

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
FLAGS = {
    "PROFILE": "--profile",
    "ENGINE": "--engine",
    "WORKLOAD": "--workload",
    "THREADS": "--threads",
    "SEED": "--seed",
    "RESUME": "--resume",
    "DATA_DIR": "--data-dir",
    "BENCH": "--bench",
    "WAL": "--wal",
    "WAL_DIR": "--wal-dir",
    "DEVICE": "--device",
    "SCALE": "--scale",
    "KEYS": "--keys",
}
COMMANDS = {"run-device": ["run"], "probe": ["devices", "probe"], "plot": ["report"]}
BEHIND = {"probe": ["DIR"], "compare": ["A", "B"]}  # whose texts are arguments, not flags
TARGETS = OF_WALTAX
TARGET_TAKES = {one: [name for name in takes(one) if "=" not in name] for one in TARGETS}
WALTAX = ".venv/bin/waltax"


@pytest.fixture
def here(tmp_path: Path) -> Bench:
    return bench(tmp_path, 'it\'s a "test" $x `y`')


def _expected(target: str, text: str) -> list[list[str]]:
    """The words of each waltax that is run when every variable of the target has this text."""
    names = TARGET_TAKES[target]
    words = [f"{FLAGS[name]}={text}" for name in names if name in FLAGS]
    words += ["--plan"] if "PLAN" in names else []
    words += ["--args", text]
    words += ["--", *[text for _ in BEHIND[target]]] if target in BEHIND else []
    command = [WALTAX, *COMMANDS.get(target, [target])]
    if not target.startswith("sweep-") or "WORKLOAD" not in names:
        return [sorted(command + words)]
    rest = [one for one in words if not one.startswith("--workload=")]
    return [sorted([*command, *rest, f"--workload={one}"]) for one in text.split()]


def _of_waltax(words: list[str]) -> list[list[str]]:
    """The words of each waltax among those of all recipes."""
    found: list[list[str]] = []
    for word in words:
        if word == WALTAX:
            found.append([])
        if found and word not in ("&&", "true"):
            found[-1].append(word)
    return [sorted(one) for one in found]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_every_variable_of_a_target_reaches_waltax_as_it_was_typed(
    here: Bench, target: str, text: str
) -> None:
    typed = [f"{name}={text}" for name in TARGET_TAKES[target]]
    wanted = _expected(target, text)
    if "&&" not in text:  # which the words of a sweep's loop are told apart by
        assert _of_waltax(here.planned(target, *typed)) == wanted
    calls = here.make(target, *typed)
    assert [sorted(call.argv) for call in calls if call.argv[0] == WALTAX] == wanted
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_what_the_environment_holds_is_text_as_well(here: Bench, text: str) -> None:
    for target in TARGETS:
        env = dict.fromkeys(TARGET_TAKES[target], text)
        wanted = _expected(target, text)
        calls = here.make(target, env=env)
        assert [sorted(call.argv) for call in calls if call.argv[0] == WALTAX] == wanted
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_set_up_and_the_programs_get_what_was_typed_for_the_build(here: Bench, text: str) -> None:
    names = ("BUILD_DIR", "ROCKSDB_ROOT", "MARIADBD", "CC", "CXX")
    setup, waltax = here.make("devices", *[f"{name}={text}" for name in names])
    assert setup.argv == ["./setup.sh"]
    for name in names:
        assert setup.env[name] == text
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
    words = here.make("test", f"BUILD_DIR={text}")[1].argv
    assert words[1:3] == ["--test-dir", text]
    git = [call.argv for call in here.make("lint", f"BASE={text}") if "rev-parse" in call.argv]
    assert [one[-2:] for one in git] == [["--end-of-options", f"{text}^{{commit}}"]]
    (python,) = (call.argv for call in here.make("bench-kill", f"ARGS={text}")[1:])
    assert python == [".venv/bin/python", "-m", "waltax.bench", "kill", "--args", text]
    assert here.nothing_ran()


@pytest.mark.parametrize("name", [one for one in TEXTS if "/" not in one and "=" not in one])
def test_the_name_of_a_benchmark_is_passed_on_as_it_was_typed(here: Bench, name: str) -> None:
    python = here.make(f"bench-x{name}")[1].argv
    assert python[:3] == [".venv/bin/python", "-m", "waltax.bench"]
    assert python[3] == f"x{name}"
    assert here.nothing_ran()


@pytest.mark.parametrize("text", TEXTS)
def test_a_refusal_prints_what_was_typed_and_runs_nothing(here: Bench, text: str) -> None:
    quoted = "'" + text.replace("'", "'\\''") + "'"
    plain = re.fullmatch(r"[\w%-]+", text)
    done = here.refused("devices", f"KEYS={text}")
    first, *_ = done.stderr.splitlines()
    shown = text if plain else quoted
    assert first == f"make devices: KEYS={shown}: it takes no variable; leave it out"
    for target, name in (("paper", "RESUME"), ("serve", "WORKLOAD"), ("sweep-latency", "WAL_DIR")):
        assert f"make {target}: {name}={shown}: " in here.refused(target, f"{name}={text}").stderr
    for target in ("sweep-sizes", "sweep-knobs"):  # of which rocksdb is taken
        assert f"ENGINE={shown}" in here.refused(target, f"ENGINE={text}").stderr
    assert here.nothing_ran()


OWN = [
    "quoted",
    "as_text",
    "refuse",
    "advice",
    "shown",
    "special",
    "SPECIAL",
    "UNKNOWN",
    "TYPED",
    "TAKES",
    "GOAL",
    "is_taken",
    "NO_DEVICE",
    "blank",
    "TAKES_devices",
    "TAKES_always",
    "INSTEAD_devices_KEYS",
    "CAMPAIGN",
    "WALTAX",
    "BIN",
    "flag",
    "MAKEOVERRIDES",
    ".SHELLFLAGS",
    ".VARIABLES",
    "OF_ROCKSDB",
    "TABLES",
    "WORDS",
]


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("text", ["$(shell touch PWNED)", "';touch PWNED;'", "$(1);touch PWNED"])
def test_a_variable_of_the_makefile_itself_is_refused_and_runs_nothing(
    here: Bench, name: str, text: str
) -> None:
    done = here.refused("devices", f"{name}={text}")
    assert done.stderr.startswith(f"make devices: {name}="), done.stderr
    assert here.nothing_ran()


@pytest.mark.parametrize("text", [one for one in TEXTS if re.search(r"[^\w%-]", one)])
def test_a_shell_that_is_no_path_is_refused_and_runs_nothing(here: Bench, text: str) -> None:
    assert "SHELL: found" in here.refused("devices", f"SHELL={text}").stderr
    assert [call.argv for call in here.make("devices", "SHELL=/bin/bash")][1:] == [
        [WALTAX, "devices"]
    ]
    assert here.nothing_ran()


@pytest.mark.parametrize("target", TABLE)
def test_a_line_break_in_a_variable_is_refused_in_one_line(here: Bench, target: str) -> None:
    goal = {"always": "devices", "bench": "bench-kill"}.get(target, target)
    for name in takes(target):
        text = "x';\ntouch PWNED;\n'"
        done = here.refused(goal, f"{name.partition('=')[0]}={text}")
        (line,) = done.stderr.splitlines()
        assert f"{name.partition('=')[0]}: found a line break" in line
        assert done.stdout == ""
    assert here.nothing_ran()


def test_a_line_break_in_the_environment_and_in_a_target_is_refused(here: Bench) -> None:
    done = here.refused("run", env={"DEVICE": "x';\ntouch PWNED;\n'"})
    assert "DEVICE: found a line break" in done.stderr
    assert "line break" in here.refused("bench-x';\ntouch PWNED;\n'").stderr
    assert here.nothing_ran()


def test_another_programs_line_break_in_the_environment_is_none_of_ours(here: Bench) -> None:
    assert here.make("devices", env={"PS1": "a\nb", "KEYS_OF_MINE": "$(shell touch PWNED)\n"})
    assert here.nothing_ran()


def test_every_target_can_be_planned_in_a_folder_with_any_name(here: Bench) -> None:
    phony = re.search(r"^\.PHONY: (.*?[^\\])$", (ROOT / "Makefile").read_text(), re.M | re.S)
    assert phony
    for target in phony[1].replace("\\", "").split():
        here.planned(target, *(["DEVICE=nvme"] if target == "run-device" else []))
    assert run_make("help", cwd=here.folder).stdout == run_make("help").stdout
    assert here.make("known") == []


def test_the_sanitizers_find_their_list_in_a_folder_with_any_name(here: Bench) -> None:
    ctest = next(call for call in here.make("sanitize") if "ctest" in call.argv[0])
    assert ctest.env["TSAN_OPTIONS"] == f'suppressions="{here.folder}/tests/tsan.supp"'

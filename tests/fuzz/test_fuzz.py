"""The short form of `make fuzz`: no parser breaks on its seeds, nor on some changes of each.

What fuzzers found before is a test of the module that it was mended in.
"""

from __future__ import annotations

import random
from pathlib import Path

import mutation
import pytest
import run
from targets import TARGETS, Target
from waltax.base.errors import UsageError

_CHANGES = {"report": 40, "page": 6}  # of all seeds; others have more
_SOME = 100
EVERY = pytest.mark.parametrize("target", TARGETS.values(), ids=lambda one: one.name)


@EVERY
def test_a_parser_takes_a_seed_or_says_why_not(target: Target, tmp_path: Path) -> None:
    taken = [target.give(text, tmp_path) for text in target.texts()]
    assert any(taken), "no seed is one: changes of them would end at the first line"


@EVERY
def test_what_a_parser_cannot_read_it_refuses_in_words(target: Target, tmp_path: Path) -> None:
    draws, texts = random.Random(target.name), target.texts()
    for number in range(_CHANGES.get(target.name, _SOME)):
        text = mutation.mutate(draws.choice(texts), draws)
        try:
            target.give(text, tmp_path)
        except Exception as error:
            kept = tmp_path / f"change-{number}"
            kept.write_bytes(text)
            raise AssertionError(f"{target.name}: {kept} is a finding") from error


def test_changes_of_one_seed_are_the_same_ones_again() -> None:
    first, again = (
        [mutation.mutate(b'a = 1\nb = "x"\n', random.Random(seed)) for seed in range(200)]
        for _ in range(2)
    )
    assert first == again
    assert len(set(first)) > 150
    assert b"" in [mutation.mutate(b"", random.Random(seed)) for seed in range(50)]


def _planted(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Target:
    def parse(text: bytes, _: Path) -> None:
        if b"x" not in text:
            raise error

    planted = Target("planted", parse, seeds=("profiles/ci.toml",))
    monkeypatch.setitem(TARGETS, "planted", planted)
    return planted


def test_any_error_but_one_in_words_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not _planted(monkeypatch, UsageError("x.toml: found nothing")).give(b"", tmp_path)
    for error in (KeyError("name"), RecursionError(), OSError(36, "File name too long")):
        with pytest.raises(type(error)):
            _planted(monkeypatch, error).give(b"", tmp_path)
    for words in ("", "x" * 100_000):
        with pytest.raises(AssertionError, match="an error of"):
            _planted(monkeypatch, UsageError(words)).give(b"", tmp_path)


def test_a_findings_input_is_given_again_by_its_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = tmp_path / "planted" / "crash-1"
    found.parent.mkdir()
    found.write_bytes(b"y")
    _planted(monkeypatch, KeyError("name"))
    monkeypatch.setattr(run, "NAMES", (*run.NAMES, "planted"))
    with pytest.raises(KeyError):
        run.main([f"INPUT={found}"])
    found.write_bytes(b"x")
    assert run.main([f"INPUT={found}"]) == 0


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("TARGET=row", "TARGET=row: no such target, did you mean rows?; profile, device, "),
        ("SECONDS=0", "SECONDS=0: want a whole number of seconds"),
        ("SECONDS=1m", "SECONDS=1m: want a whole number of seconds"),
        ("INPUT=no/such", "INPUT=no/such: want a file in a folder that is called as its target"),
        ("INPUT=README.md", "INPUT=README.md: want a file in a folder"),
    ],
)
def test_what_was_typed_wrongly_is_told_and_nothing_runs(
    word: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main([word]) == 2
    assert capsys.readouterr().err.startswith(f"make fuzz: {said}")


def test_all_targets_are_asked_for_a_minute_each() -> None:
    assert run.Asked.of([]) == run.Asked(run.NAMES, 60)
    assert run.Asked.of(["TARGET=rows fio", "SECONDS=7"]) == run.Asked(("rows", "fio"), 7)
    assert {"rows", "driver-commands", "tpcc-flags"} <= set(run.NAMES)


def test_every_target_of_cpp_has_seeds() -> None:
    for name in run.NATIVE:
        assert list((run.HERE / "seeds" / name).iterdir()), name

"""The last lines of a command: the verdicts, as many of their words as twelve lines hold."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from waltax.studies.last_lines import MOST, Closing, fitted

SENTENCE = " ".join(f"word{number}" for number in range(200))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_long_sentences_share_the_lines_and_are_cut_at_a_word(count: int) -> None:
    lines = fitted([SENTENCE] * count, 80, 10)
    assert len(lines) <= 10
    assert max(map(len, lines)) <= 80
    assert sum(line.endswith(" ...") for line in lines) == count
    assert sum(line.startswith("word0 ") for line in lines) == count


def test_a_short_sentence_leaves_its_lines_to_the_next() -> None:
    lines = fitted(["It costs nothing.", SENTENCE], 80, 6)
    assert lines[0] == "It costs nothing."
    assert len(lines) == 6


def test_a_study_s_answer_stands_in_place_of_the_overheads_only_a_terminal_repeats() -> None:
    closing = Closing(["An overhead."], ["The answer."], [Path("results/x/report.html")])

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    for out, told in ((Screen(), True), (io.StringIO(), False)):
        console = Console(file=out, width=80, force_terminal=told, color_system=None)
        closing.print(console, "Continue with:", "  make run RESUME=results/x")
        lines = out.getvalue().splitlines()
        assert lines[-1] == "report: results/x/report.html"
        assert lines[-2] == "  make run RESUME=results/x"
        assert ("The answer." in lines) is told
        assert "An overhead." not in lines
        assert len(lines) <= MOST

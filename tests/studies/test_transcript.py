"""The last lines of a command: the verdicts again, four lines of each at most."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from waltax.studies.transcript import Closing


def test_a_study_s_answer_stands_in_place_of_the_overheads_only_a_terminal_repeats() -> None:
    long = " ".join(f"word{number}" for number in range(200))
    said = (["An overhead."], ["The answer.", long], [Path("results/x/report.html")])

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    for out, told in ((Screen(), True), (io.StringIO(), False)):
        console = Console(file=out, width=80, force_terminal=told, color_system=None)
        Closing(console, None, *said).print("Continue with:", "  make run RESUME=results/x")
        lines = out.getvalue().splitlines()
        assert lines[-1] == "report: results/x/report.html"
        assert lines[-2] == "  make run RESUME=results/x"
        assert ("The answer." in lines) is told
        assert "An overhead." not in lines
        assert len(lines) == (9 if told else 3)
        assert max(map(len, lines)) <= 80
        assert any(line.endswith(" ...") for line in lines) is told

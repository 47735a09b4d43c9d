"""`waltax report`: what it makes of a format, and what it refuses."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from waltax.analysis.writers import WRITERS
from waltax.studies.report import FORMATS, command


def _refused(*words: str) -> str:
    return str(CliRunner().invoke(command, words).exception)


def test_each_format_that_a_report_is_written_in_can_be_typed() -> None:
    assert tuple(WRITERS) == FORMATS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--out", "x"), "--out: found without --format bundle"),
        (("results", "--format", "bundle"), "--format: bundle holds one campaign; found 2"),
    ],
)
def test_what_cannot_be_written_is_refused(words: tuple[str, ...], said: str) -> None:
    assert _refused("results/x", *words).startswith(said)

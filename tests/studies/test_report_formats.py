"""`waltax report`: what it makes of a format, and what it refuses."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from waltax.studies.report import command


def _refused(*words: str) -> str:
    return str(CliRunner().invoke(command, words).exception)


@pytest.mark.parametrize("name", ["sqlite", "tables", "parquet"])
def test_a_format_of_older_releases_names_what_makes_it(name: str) -> None:
    said = _refused("results/x", "--format", name)
    assert "in the campaign's folder: duckdb my.db" in said
    assert "'rows.jsonl'" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "pdf"), "--format: found 'pdf'; type one of terminal, "),
        (("--out", "x"), "--out: found without --format bundle"),
        (("results", "--format", "bundle"), "--format: bundle holds one campaign; found 2"),
    ],
)
def test_what_cannot_be_written_is_refused(words: tuple[str, ...], said: str) -> None:
    assert _refused("results/x", *words).startswith(said)

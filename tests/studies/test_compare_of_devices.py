"""`waltax compare` of two devices: which campaign it takes when none is named."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import CliRunner
from waltax.studies.compare import command

_GOLDEN = Path(__file__).parent.parent / "golden" / "devices"


def test_the_campaign_that_nobody_named_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "results" / "20260101-x"
    folder.mkdir(parents=True)
    for name in ("rows.jsonl", "campaign.json"):
        shutil.copy(_GOLDEN / name, folder)
    words = ["nvme", "ssd", "--results", str(folder.parent)]
    last, named = (
        CliRunner().invoke(command, each) for each in (words, [*words, "--campaign", str(folder)])
    )
    assert last.output == f"In {folder}:\n{named.output}"
    assert named.output.startswith("LinkBench on RocksDB")

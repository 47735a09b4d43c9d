"""The command at the end of a page, which measures it again."""

from __future__ import annotations

from waltax.analysis.page.provenance import command


def test_the_command_of_a_tried_program_ends_with_the_program() -> None:
    kept = {
        "kind": "try",
        "engine": "program",
        "profile": "quick",
        "seed": 7,
        "devices": ["nvme", "ssd"],
        "durability": "sync",
        "command": {
            **{"run": "./bench 9", "log": ["wal/*"], "data": "/d", "metric": "", "stdin": ""},
            **{"serves": True, "load": "./load", "modes": {"off": "./bench --fast"}},
        },
    }
    assert command(kept) == (
        "waltax try --profile quick --seed 7 --device nvme --device ssd --data /d --log 'wal/*' "
        "--serve --load ./load --off './bench --fast' -- './bench 9'"
    )

"""What reaches a terminal of what waltax read: real files, the real commands, a real pty."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import sys
import traceback
from pathlib import Path
from typing import NoReturn

import pytest
from rich.table import Table
from waltax import row
from waltax.__main__ import main
from waltax.base.terminal import Terminal, say
from waltax.row import Row

FORGED = "warning: forged"
HOSTILE = (
    f"\x1b]0;owned\x07\x1b[2J\n{FORGED}\r{FORGED}\x9b2J\u202edab [red]x[/red][link=file:///]y[/]"
)
# Colours and weights, and what rich hides, shows and redraws a table with.
_OURS = re.compile(rb"\x1b\[(?:[0-9;]*m|\?25[lh]|[0-9]*[AK])")


def _on_a_terminal(*words: str, env: dict[str, str]) -> bytes:
    """What arrives at the terminal that `waltax WORDS` was started from."""
    ours, theirs = pty.openpty()
    child = os.fork()  # has imported already what takes a new process most of its time
    if not child:
        _be_waltax(theirs, words, {"COLUMNS": "4000", "TERM": "xterm-256color", **env})
    os.close(theirs)
    arrived = b""
    try:
        while piece := os.read(ours, 1 << 16):
            arrived += piece
    except OSError:  # the other end is closed
        pass
    os.waitpid(child, 0)
    os.close(ours)
    return arrived


def _be_waltax(terminal: int, words: tuple[str, ...], env: dict[str, str]) -> NoReturn:
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number in (1, 2):
            os.dup2(terminal, number)
        os.close(terminal)
        sys.stdin = os.fdopen(0)
        sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
        os.environ.update(env)
        sys.argv = ["waltax", *words]
        main()
    except BaseException:
        if not isinstance(sys.exception(), SystemExit):
            traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(0)


def _require_harmless(arrived: bytes) -> str:
    """Nothing moves the cursor or forges a line; the text without rich's styles."""
    plain = _OURS.sub(b"", arrived).decode()
    lines = plain.replace("\r\n", "\n").split("\n")
    assert not [line for line in lines if not line.isprintable()]
    assert not [line for line in lines if line.lstrip().startswith(FORGED)]
    assert b"\x1b]8;" not in arrived, "a link of the file's"
    return plain


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A campaign whose rows, and whose folder's name, are another's."""
    folder = tmp_path / f"results\n{FORGED}\x1b[2J" / f"2026\n{FORGED}\x1b]0;x\x07"
    folder.mkdir(parents=True)
    for session in range(3):
        for device, rate in (("off", 100.0), ("nvme", 90.0), ("ssd", 80.0)):
            row.append(folder / "rows.jsonl", _row(device, rate, session))
    with (folder / "rows.jsonl").open("ab") as file:
        file.write(b'{"sche')
    return folder


def _row(device: str, rate: float, session: int) -> Row:
    mode = "off" if device == "off" else "sync"
    return {
        **{"schema": row.SCHEMA, "campaign": "c" + HOSTILE, "session": session, "round": 0},
        **{"slice": 0, "status": "ok", "failure": None, "cell": f"c-{device}-{HOSTILE}"},
        **{"engine": "rocksdb", "workload": "linkbench", "profile": "quick" + HOSTILE},
        **{"device": device, "durability": mode, "threads": 4, "replica": "", "emulated": True},
        **{"device_kind": "measured", "throughput": rate, "throughput_unit": "requests/s"},
        **{"warnings": [HOSTILE, f"x\n{FORGED}"], "cpu_model": HOSTILE},
        **{"versions": {"waltax": HOSTILE, HOSTILE: "1"}, "kernel": HOSTILE},
        **{"isolation": HOSTILE, "measure_s": 1.0, "requests": int(rate)},
    }


def test_a_report_of_hostile_rows_is_harmless(hostile: Path) -> None:
    said = _require_harmless(_on_a_terminal("report", str(hostile), env={}))
    assert f"quick?]0;owned??[2J {FORGED} {FORGED}?2J?dab [red]x[/red][link=file:///]y[/]" in said
    assert "dropped a half-written last line" in said
    assert f"In {hostile.parent.parent}/results {FORGED}?[2J/2026 {FORGED}?]0;x?: summ" in said


def test_a_comparison_of_hostile_rows_is_harmless(hostile: Path) -> None:
    words = ("compare", "nvme", "ssd", "--campaign", str(hostile))
    said = _require_harmless(_on_a_terminal(*words, env={}))
    assert "nvme" in said


@pytest.mark.parametrize(
    "words",
    [
        ("report", f"/no/such\n{FORGED}\x1b[2J"),
        ("compare", HOSTILE.replace("\0", ""), "ssd"),
        (f"--no-such\n{FORGED}\x1b[2J",),
        (f"x\n{FORGED}\x1b[2J",),
        ("run", "--device", f"./x\n{FORGED}\x1b[2J"),
        ("devices", "check", f"/x\n{FORGED}\x1b[2J"),
        ("run", "--resume", f"/x\n{FORGED}\x1b[2J"),
    ],
)
def test_an_error_of_hostile_words_is_harmless(hostile: Path, words: tuple[str, ...]) -> None:
    results = ["--results", str(hostile.parent)] if words[0] == "compare" else []
    said = _require_harmless(_on_a_terminal(*words, *results, env={}))
    assert "waltax: " in said
    assert "Traceback" not in said


def test_the_list_of_devices_refuses_a_hostile_file_of_the_user_s(tmp_path: Path) -> None:
    (tmp_path / "waltax").mkdir()
    (tmp_path / "waltax" / "devices.toml").write_text(f"[nvme]\npath = {json.dumps(HOSTILE)}\n")
    env = {"XDG_CONFIG_HOME": str(tmp_path)}
    said = _require_harmless(_on_a_terminal("devices", env=env))
    assert 'nvme.path: found "?]0;owned??[2J' in said
    assert "want a text without control characters" in said


def test_a_device_file_that_was_mailed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    nvme = (Path(row.__file__).parent / "devices" / "nvme.toml").read_text()
    path.write_text(nvme.replace('stands_for = "', f'stands_for = "\\u001b[2J\\n{FORGED}', 1))
    words = ("run", "--plan", "--device", str(path))
    said = _require_harmless(_on_a_terminal(*words, env={}))
    assert "stands_for: found" in said


def test_a_console_shows_markup_and_emojis_as_they_were_written() -> None:
    out = io.StringIO()
    console = Terminal(file=out, width=300, force_terminal=True)
    table = Table(title=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE + ":smile:")
    console.print(table)
    console.print(HOSTILE)
    say(console, HOSTILE, "[bold]x[/bold] :smile:")
    arrived = out.getvalue()
    assert "\x1b]8;" not in arrived
    assert "[red]x[/red][link=file:///]y[/]" in _OURS.sub(b"", arrived.encode()).decode()
    assert ":smile:" in arrived
    left = _OURS.sub(b"", arrived.encode()).decode()
    assert all(line.isprintable() for line in left.split("\n"))
    assert f"?]0;owned??[2J {FORGED} {FORGED}?2J?dab [red]" in left

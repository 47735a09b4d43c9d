"""Run db_bench to its end; return what it printed and what it used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..program import shell


def run(
    argv: Sequence[str], env: Mapping[str, str], output: Path, within_s: float
) -> shell.Finished:
    """Run `argv`; `output` keeps its command line and all that it printed.

    Errors: WaltaxError with its last words when it fails, is killed, or is not done in time and so
    killed.
    """
    log = output.with_suffix("")
    try:
        return shell.finished(
            argv,
            env=env,
            timeout_s=within_s,
            log=log,
            late=f"db_bench: not done after {within_s:.0f} s (%s), and killed",
            failed="db_bench died (%s)",
            silent="silent",
        )
    finally:
        files = shell.outputs(log)
        printed, complained = (file.read_text(errors="replace") for file in files)
        for file in files:
            file.unlink()
        output.write_text(f"$ {' '.join(argv)}\n{printed}\nstandard error:\n{complained}")

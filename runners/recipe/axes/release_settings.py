"""Ask the program of the release under test which settings it knows."""

from __future__ import annotations

from functools import cache

from ....base import proc
from ....driver.argv import Parameters, run_argv
from ....engines import ENGINES
from ....engines.server import binaries, settings
from ....profiles import overlay, trial
from ....profiles.overlay import Known


@cache
def settings_of(engine: str) -> Known:
    """Return the settings that an engine has. Errors: WaltaxError if its program is missing."""
    if not ENGINES[engine].on_server:
        flags: Parameters = {"durability": "sync", "print_options": True}
        program, nowhere = proc.program("linkbench"), trial.NOWHERE
        line = run_argv(program, nowhere, nowhere, threads=1, seed=0, parameters=flags)
        return overlay.known_options(trial.answer(tuple(line), "")[0])
    engine = ENGINES[engine].store
    server = binaries.find(engine)
    config = settings.render({"plugin_dir": str(server.plugin_dir), **settings.base(engine)})
    line = [str(server.mariadbd), f"--defaults-file={trial.OPTIONS}", "--verbose", "--help"]
    return overlay.known_variables(trial.answer(tuple(line), config)[0])

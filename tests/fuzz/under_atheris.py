"""One target of Python under atheris: `under_atheris.py TARGET [LIBFUZZER'S WORDS...]`."""

from __future__ import annotations

import random
import signal
import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["waltax"]):
    from targets import TARGETS

import mutation


def main(name: str, words: list[str]) -> None:
    """Does not return: libFuzzer ends the process."""
    target, folder = TARGETS[name], Path.cwd()

    def give(text: bytes) -> None:
        began = time.process_time()
        try:
            target.give(text, folder)
            used_s = time.process_time() - began
            assert used_s <= target.cpu_s, f"{used_s:.1f} s of CPU time for {len(text):,} bytes"
        except Exception:
            # libFuzzer's alarm would end the process before the input is kept.
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise

    def change(text: bytes, longest: int, seed: int) -> bytes:
        draws = random.Random(seed)
        if draws.random() < 0.25:
            return bytes(atheris.Mutate(text, longest))
        return mutation.mutate(text, draws, longest)

    atheris.Setup([name, *words], give, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

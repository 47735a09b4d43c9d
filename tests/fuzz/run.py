"""`make fuzz`: every parser under a fuzzer that is led by coverage, for so many seconds each.

    tests/fuzz/run.py [TARGET="rows fio"] [SECONDS=60]
    tests/fuzz/run.py INPUT=FILE      one input again; its folder is called as its target is

Python's targets (targets.py) run under atheris, C++'s (*_fuzz.cc) are programs with libFuzzer
inside. An input that is a finding is kept as build/fuzz/found/TARGET/crash-..., and named.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from targets import ROOT, TARGETS

HERE = Path(__file__).parent
BUILD = ROOT / "build" / "fuzz"
NATIVE = tuple(sorted(path.stem.removesuffix("_fuzz") for path in HERE.glob("*_fuzz.cc")))
NAMES = (*TARGETS, *NATIVE)
_SECONDS = 60
_HANGS_S, _MEMORY_MB, _LONGEST = 30, 2048, 1 << 15
_LAST_LINES = 25  # of a finding's log
_PACKAGES = ("clang", "libclang-rt-dev")


class Refused(Exception):
    """What was typed cannot be used."""


@dataclass(frozen=True)
class Asked:
    """What was typed: targets for so many seconds each, or one input again."""

    names: tuple[str, ...] = NAMES
    seconds: int = _SECONDS
    input: Path | None = None

    @classmethod
    def of(cls, words: Iterable[str]) -> Asked:
        """Errors: Refused, with what to type instead."""
        typed = dict(word.partition("=")[::2] for word in words)
        names, seconds = tuple(typed.get("TARGET", "").split()), typed.get("SECONDS", "")
        for name in names:
            if name not in NAMES:
                raise Refused(f"TARGET={name}: no such target{_meant(name)}; {', '.join(NAMES)}")
        if seconds and not re.fullmatch("[1-9][0-9]{0,5}", seconds):
            raise Refused(f"SECONDS={seconds}: want a whole number of seconds, as in SECONDS=60")
        if not typed.get("INPUT"):
            return cls(names or NAMES, int(seconds or _SECONDS))
        file = Path(typed["INPUT"])
        if not file.is_file() or _of(file) not in NAMES:
            raise Refused(
                f"INPUT={file}: want a file in a folder that is called as its target, as in "
                "build/fuzz/found/rows/crash-1234"
            )
        return cls((_of(file),), input=file)


def _meant(name: str) -> str:
    return "".join(f", did you mean {one}?" for one in difflib.get_close_matches(name, NAMES, n=1))


def _of(file: Path) -> str:
    return file.absolute().parent.name


@dataclass(frozen=True)
class Ended:
    """What a target's run came to."""

    name: str
    runs: int
    covered: int  # edges
    found: tuple[Path, ...]
    code: int
    log: Path

    @property
    def is_well(self) -> bool:
        return self.code == 0 and not self.found


def fuzz(name: str, seconds: int, build: Path = BUILD) -> Ended:
    """Run one target; its log, its corpus and what it found are below `build`."""
    corpus, seeds, found = (build / part / name for part in ("corpus", "seeds", "found"))
    for folder in (corpus, seeds, found):
        folder.mkdir(parents=True, exist_ok=True)
    if name in NATIVE:
        program, seeds = [str(build / f"fuzz_{name}")], HERE / "seeds" / name
    else:
        program = [sys.executable, str(HERE / "under_atheris.py"), name]
        for number, text in enumerate(TARGETS[name].texts()):
            (seeds / str(number)).write_bytes(text)
    flags = {
        "max_total_time": seconds,
        "timeout": _HANGS_S,
        "rss_limit_mb": _MEMORY_MB,
        "max_len": _LONGEST,
        "len_control": 0,
        "artifact_prefix": f"{found}/",
        "print_final_stats": 1,
    }
    words = [f"-{flag}={value}" for flag, value in flags.items()]
    log, before = build / f"{name}.log", set(found.iterdir())
    code = _run([*program, *words, str(corpus), str(seeds)], log)
    said = log.read_text(errors="replace")
    return Ended(
        name=name,
        runs=max(map(int, re.findall(r"number_of_executed_units: (\d+)", said)), default=0),
        covered=max(map(int, re.findall(r" cov: (\d+)", said)), default=0),
        found=tuple(sorted(set(found.iterdir()) - before)),
        code=code,
        log=log,
    )


def _run(argv: Sequence[str], log: Path) -> int:
    """Run a target in an empty folder, in memory where that can be; returns its exit code."""
    memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder,
        log.open("wb") as said,
    ):
        done = subprocess.run(argv, cwd=folder, stdout=said, stderr=said, check=False)
    return done.returncode


def again(file: Path, build: Path = BUILD) -> int:
    """Give one input to its target, without a fuzzer around it. Errors: what the target raises."""
    name = _of(file)
    if name in NATIVE:
        return subprocess.run([build / f"fuzz_{name}", file], check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        taken = TARGETS[name].give(file.read_bytes(), Path(folder))
    print(f"{file}: {name} {'takes it' if taken else 'refuses it in words'}")
    return 0


def _build() -> None:
    """The programs of C++, for which clang is wanted. Errors: CalledProcessError."""
    clang = [f"-DCMAKE_{which}_COMPILER=clang{end}" for which, end in (("C", ""), ("CXX", "++"))]
    settings = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DWALTAX_SANITIZE=fuzzer"]
    for argv in (
        ["./setup.sh", *_PACKAGES],
        ["cmake", "-S", ".", "-B", str(BUILD), *settings, *clang],
        ["cmake", "--build", str(BUILD), "--target", "fuzz"],
    ):
        subprocess.run(argv, cwd=ROOT, check=True)


def _tell(ended: Ended) -> None:
    state = "nothing found" if ended.is_well else "FOUND"
    print(f"{ended.name:20} {ended.runs:>12,} runs {ended.covered:>7,} edges  {state}", flush=True)
    if ended.is_well:
        return
    lines = ended.log.read_text(errors="replace").splitlines()
    print("\n".join(f"    {line[:200]}" for line in lines[-_LAST_LINES:]))
    for file in ended.found:
        print(f"    again: make fuzz INPUT={os.path.relpath(file)}")
    if not ended.found:
        print(f"    exit code {ended.code}, and no input kept; see {ended.log}")


def main(words: Sequence[str]) -> int:
    try:
        asked = Asked.of(words)
    except Refused as error:
        print(f"make fuzz: {error}", file=sys.stderr)
        return 2
    if asked.input is None and set(asked.names) & set(TARGETS) and not find_spec("atheris"):
        print(
            f"make fuzz: no atheris for this Python; C++'s targets want none: {', '.join(NATIVE)}"
        )
        return 2
    if set(asked.names) & set(NATIVE):
        _build()
    if asked.input is not None:
        return again(asked.input)
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        all_well = True
        for ended in pool.map(lambda name: fuzz(name, asked.seconds), asked.names):
            _tell(ended)
            all_well &= ended.is_well
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, which has ended those that ran
    return 0 if all_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

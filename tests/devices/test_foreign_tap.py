"""The tap in programs of any kind: patterns, processes and streams."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from waltax.base import proc
from waltax.devices import tap_model, tap_page, tap_preload
from waltax.devices.tap_model import DeviceModel, SyncLatency
from waltax.devices.tap_page import TapCounters

Run = Callable[..., TapCounters]
LATENCY_US = 3000.0
SLOW = DeviceModel((SyncLatency(100, ((50, LATENCY_US),)),), 0, 0, 0, 64, 0, 0, 1.0)


def python(script: str) -> str:
    return f"{sys.executable} -c '{script}'"


@pytest.fixture
def tapped(tmp_path: Path) -> Run:
    """Run a shell's line in an empty folder of `root`, and return what the tap counted."""

    def run(
        line: str,
        *patterns: str,
        root: Path = tmp_path,
        model: DeviceModel | None = None,
        rung: str = "",
    ) -> TapCounters:
        pages, device = tmp_path / "pages", tmp_path / "device"
        pages.mkdir()
        tap_page.create(device).close()
        words = None if model is None else tap_model.packed(model, 7)
        env = tap_preload.tap_environment(
            root, device, words, rung=rung, patterns=patterns, pages=pages
        )
        (root / "data").mkdir()
        with proc.launched_group(["/bin/sh", "-c", line], env=env, cwd=root / "data") as child:
            assert child.wait(60) == 0
        return tap_page.TapPages(pages).snapshot()

    return run


APPEND = "import os; f = os.open(chr(97), os.O_WRONLY | os.O_CREAT); "


def test_syncs_of_what_a_pattern_matches_count_and_no_others(tapped: Run) -> None:
    other = "g = os.open(chr(98), os.O_WRONLY | os.O_CREAT); os.fsync(g)"
    two = python(f"{APPEND} os.fsync(f); {other}")
    seen = tapped(two, "*/a")
    assert [(file.name, file.syncs) for file in seen.files] == [("data/a", 1)]
    assert seen.syncs == 1


def test_each_process_counts_and_a_forked_one_goes_on_with_its_files(tapped: Run) -> None:
    forks = python(APPEND + "os.fsync(f); os.fork(); os.fsync(f)")
    seen = tapped(f"{forks}; {forks}", "*")
    assert (seen.syncs, seen.attached) == (6, 4)
    assert [(file.name, file.syncs) for file in seen.files] == [("data/a", 6)]


def test_processes_that_open_no_log_make_no_page(tapped: Run) -> None:
    assert tapped("true; true; cat /dev/null", "*").attached == 0


def test_bytes_of_a_stream_are_seen_at_its_sync(tapped: Run, tmp_path: Path) -> None:
    source = tmp_path / "stream.c"
    source.write_text(
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n"
        '  FILE* f = fopen("a", "w");\n  fputs("twelve bytes", f);\n  fflush(f);\n'
        "  return fsync(fileno(f)) + fclose(f);\n}\n"
    )
    subprocess.run(["cc", "-o", tmp_path / "stream", source], check=True)
    seen = tapped(str(tmp_path / "stream"), "*")
    assert (seen.syncs, seen.write_bytes) == (1, 12)


def test_a_descriptor_closed_in_a_range_is_no_log_any_more(tapped: Run) -> None:
    reused = python(
        APPEND + "os.fsync(f); os.closerange(f, f + 1); r, w = os.pipe(); os.write(w, b'x'*9)"
    ).replace("b'x'*9", "bytes(9)")
    seen = tapped(reused, "*")
    assert (seen.syncs, seen.writes) == (1, 0)


def test_files_that_are_made_anew_count_as_one(tapped: Run) -> None:
    again = python(
        "import os\nfor i in range(5):\n"
        " f = os.open(chr(97), os.O_WRONLY | os.O_CREAT); os.write(f, bytes(10))\n"
        " os.fsync(f); os.close(f); os.unlink(chr(97))"
    )
    (file,) = tapped(again, "*").files
    assert (file.name, file.syncs, file.bytes) == ("data/a", 5, 50)


def test_directories_are_synced_beside_them(tapped: Run) -> None:
    folder = python(APPEND + "os.fsync(f); d = os.open(chr(46), os.O_RDONLY); os.fsync(d)")
    seen = tapped(folder, "*/a")
    assert (seen.syncs, seen.dir_syncs) == (1, 1)


def test_a_mapping_that_is_synced_goes_around_the_tap(tapped: Run) -> None:
    mapped = python(
        "import os, mmap; f = os.open(chr(97), os.O_RDWR | os.O_CREAT); os.ftruncate(f, 4096); "
        "m = mmap.mmap(f, 4096); m[0] = 1; m.flush()"
    )
    assert tapped(mapped, "*").bypasses == 1


def test_a_log_is_no_persistent_memory(tapped: Run) -> None:
    """InnoDB asks whether it is, and else maps what lies in memory all the same."""
    asked = python(
        "import os, mmap; f = os.open(chr(97), os.O_RDWR | os.O_CREAT); os.ftruncate(f, 4096)\n"
        "for flags in (0x80003, mmap.MAP_SHARED):\n"
        "  try: mmap.mmap(f, 4096, flags)\n"
        "  except OSError: os.fsync(f)"
    )
    assert tapped(asked, "*").syncs == 2


def test_a_file_that_is_opened_both_ways_syncs_by_one_of_them(tapped: Run) -> None:
    both = python(
        "import os; f = os.open(chr(97), os.O_WRONLY | os.O_CREAT); os.write(f, bytes(9)); "
        "g = os.open(chr(97), os.O_WRONLY | os.O_DSYNC); os.write(f, bytes(9)); "
        "os.write(g, bytes(9)); os.write(os.dup(g), bytes(9))"
    )
    seen = tapped(both, "*")
    assert (seen.writes, seen.syncs, seen.synced_writes) == (4, 2, 2)


def test_a_file_keeps_its_place_when_it_is_renamed_by_a_relative_path(tapped: Run) -> None:
    renamed = python(APPEND + "os.mkdir(chr(98)); os.rename(chr(97), chr(98) + chr(47) + chr(99))")
    (file,) = tapped(renamed, "*").files
    assert file.name == "data/b/c"


ROUTES = {
    "a link that leads elsewhere now": 'd("x", "y"); os.symlink("x", "l"); f("l/a"); f("l/a"); '
    'os.unlink("l"); os.symlink("y", "l"); f("l/a")',
    "a folder that was left": 'd("x", "y"); os.chdir("x"); f("a"); f("a"); '
    'os.chdir("../y"); f("a")',
    "a folder of another name": 'd("x"); f("x/a"); f("x/a"); os.rename("x", "y"); f("y/a")',
    "a folder in the place of another": 'd("x", "z"); f("z/b"); f("x/a"); f("x/a"); '
    'os.rename("x", "w"); os.rename("z", "y"); os.symlink("y", "x"); f("x/a")',
    "what another process changed": 'd("x", "y"); os.symlink("x", "l"); f("l/a"); f("l/a"); '
    'os.fork() or (os.unlink("l"), os.symlink("y", "l"), os._exit(0)); os.wait(); f("l/a")',
    "a link at the end": 'd("y"); f("b"); os.symlink("y/a", "c"); f("c")',
    "a folder's descriptor": 'd("x", "y"); f("a"); f("a"); '
    'os.fsync(os.open("a", os.O_RDWR | os.O_CREAT, dir_fd=os.open("y", os.O_RDONLY)))',
}
"""Each syncs files of several folders, and y/a at the end."""


@pytest.mark.parametrize("root", ["", "os.getcwd() + chr(47) + "], ids=["relative", "absolute"])
@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_a_path_is_of_the_log_that_it_leads_to_now(tapped: Run, route: str, root: str) -> None:
    start = (
        "import os; d = lambda *names: [os.mkdir(name) for name in names]; "
        f"f = lambda path: os.fsync(os.open({root}path, os.O_WRONLY | os.O_CREAT)); "
    )
    seen = tapped(python(start + route), "data/y/a")
    assert [(file.name, file.syncs) for file in seen.files] == [("data/y/a", 1)]


LEAVES = {
    "a link in its place": 'os.unlink("a"); os.symlink("../b", "a")',
    "a folder's link": 'os.chdir(".."); os.rename("y", "z"); os.mkdir("x"); os.symlink("x", "y")',
    "another process's": "os.fork() or (os.chdir('..'), os.rename('y', 'z'), os.mkdir('y'), "
    "os.rename('z', 'y/y'), os.rename('y', 'x'), os.symlink('x', 'y'), os._exit(0)); os.wait()",
}
"""What can happen to y/a in y, after which that path is of no log."""


@pytest.mark.parametrize("leave", LEAVES.values(), ids=LEAVES)
def test_a_path_that_led_to_the_log_may_lead_elsewhere(tapped: Run, leave: str) -> None:
    start = (
        'import os; os.mkdir("y"); os.chdir("y"); path = os.getcwd() + chr(47) + "a"; '
        "f = lambda: os.fsync(os.open(path, os.O_WRONLY | os.O_CREAT)); f(); f(); "
    )
    seen = tapped(python(start + leave.replace("'", '"') + "; f()"), "data/y/a")
    assert [(file.name, file.syncs) for file in seen.files] == [("data/y/a", 2)]


def test_a_file_of_two_names_and_one_of_none_stay_in_the_log(tapped: Run) -> None:
    names = APPEND + (
        'os.fsync(f); os.link("a", "b"); os.unlink("a"); os.write(f, bytes(5)); os.fsync(f); '
        'g = os.open("b", os.O_WRONLY); os.write(g, bytes(7)); os.fsync(g); '
        't = os.open(".", os.O_TMPFILE | os.O_RDWR); os.write(t, bytes(9)); os.fsync(t)'
    )
    seen = tapped(python(names), "*")
    assert (seen.syncs, seen.write_bytes) == (4, 21)


def test_free_syncs_reach_no_disk(tapped: Run) -> None:
    seen = tapped(python(APPEND + "os.fsync(f)"), "*", rung="sync-free")
    assert (seen.syncs, seen.syncs_at_once) == (1, 1)


def test_free_syncs_are_also_those_of_writes(tapped: Run, memory: Path) -> None:
    through = "import os; f = os.open(chr(97), os.O_WRONLY | os.O_CREAT | os.O_DSYNC)"
    seen = tapped(python(f"{through}; os.write(f, bytes(9))"), "*", root=memory, rung="sync-free")
    assert (seen.syncs, seen.syncs_at_once, seen.bypasses) == (1, 1, 0)


@pytest.fixture
def memory() -> Iterator[Path]:
    with TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)


def test_processes_share_one_emulated_device(tapped: Run, memory: Path) -> None:
    """It has one queue, so that each waits for the other's syncs, too."""
    forks = "child = os.fork(); [os.fsync(f) for _ in range(20)]; child and os.wait()"
    seen = tapped(python(APPEND + forks), "*", root=memory, model=SLOW)
    assert (seen.syncs, seen.emulated) == (40, 1)
    assert seen.wanted_ns > 40 * LATENCY_US * 1e3
    assert seen.achieved_ns >= seen.wanted_ns

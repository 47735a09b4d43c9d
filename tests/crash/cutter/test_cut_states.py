"""States as a whole: exact where nothing is lost, the same each time, refused where unknown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from recording import Room
from story import ROOT, Story, contents
from waltax.base.errors import UsageError, WaltaxError
from waltax.crash.cutter import history, state
from waltax.crash.cutter.state import Cut
from waltax.crash.log import Kind

_ANY_CALLS = """
import random
draw = random.Random(SEED)
fds = {}
for turn in range(400):
    name = DB + "/" + draw.choice("abcdef")
    what = draw.randint(0, 9)
    if what < 2:
        fds[name] = os.open(name, os.O_CREAT | os.O_RDWR | draw.choice([0, os.O_TRUNC]))
    fd = fds.get(name)
    if what in (2, 3, 4) and fd:
        os.write(fd, bytes([turn % 256]) * draw.randint(1, 3000))
    elif what == 5 and fd:
        os.pwrite(fd, bytes([turn % 256]) * 900, draw.randint(0, 5000))
    elif what == 6 and fd:
        os.ftruncate(fd, draw.randint(0, 4000))
    elif what == 7 and fd:
        os.posix_fallocate(fd, draw.randint(0, 4000), 1000)
    elif what == 8 and os.path.exists(name):
        os.rename(name, DB + "/" + draw.choice("abcdef"))
    elif what == 9 and os.path.exists(name):
        os.unlink(name)
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_process_leaves_what_is_really_there(tmp_path: Path, seed: int) -> None:
    room, start = Room(tmp_path), tmp_path / "start"
    room.db.mkdir()
    for name in "ace":
        (room.db / name).write_bytes(name.encode() * 2000)
    shutil.copytree(room.db, start)
    recorded = room.record(f"SEED = {seed}\n{_ANY_CALLS}")
    last = max(call.end or 0 for call in recorded.calls)
    told = history.of(recorded, {room.db: start})
    for strategy in ("kill", "kept"):
        state.write(told, Cut(last, strategy), {room.db: tmp_path / strategy})
        assert contents(tmp_path / strategy) == contents(room.db)


def test_equal_cuts_are_equal_and_other_seeds_give_others(tmp_path: Path) -> None:
    story = Story(tmp_path, {"a": bytes(5000)})
    story.write("a", 0, b"x" * 5000)
    assert story.after("sectors", seed=1) == story.after("sectors", seed=1)
    assert len({story.after("sectors", seed=seed)["a"] for seed in range(9)}) > 5


def test_acknowledgements_of_a_cut_are_those_that_had_returned(tmp_path: Path) -> None:
    story = Story(tmp_path)
    for order in range(4):
        story.acknowledge(b"1 1 %d 1\n" % order)
    second = story.log.acks[1]
    assert second.end is not None
    (early,) = state.acknowledged(story.log, second.end - 1)
    assert early == story.log.acks[0].end
    assert state.told(story.log, second.end - 1) == b"1 1 0 1\n"
    assert len(list(state.acknowledged(story.log, second.end))) == 2


def test_a_write_that_begins_is_told_and_not_acknowledged(tmp_path: Path) -> None:
    story = Story(tmp_path)
    for line in (b"? 0 0 7 0 0 255\n", b"0 0\n"):
        story.acknowledge(line)
    end = story.log.told[-1].end
    assert end is not None
    assert list(state.acknowledged(story.log, end)) == [end]
    assert state.told(story.log, end) == b"? 0 0 7 0 0 255\n0 0\n"


def test_moments_lie_among_the_acknowledgements(tmp_path: Path) -> None:
    story = Story(tmp_path)
    with pytest.raises(UsageError, match="no acknowledgement"):
        state.moments(story.log, 3, seed=1)
    story.now = 1000
    for order in range(4):
        story.acknowledge(b"1 1 %d 1\n" % order)
    found = state.moments(story.log, 50, seed=1)
    assert found == sorted(found) == state.moments(story.log, 50, seed=1)
    assert 1000 < found[0] < found[-1] <= story.now


def test_what_the_log_cannot_account_for_is_refused_by_name(tmp_path: Path) -> None:
    for number, (kind, name, other, words) in enumerate(
        [
            (Kind.FILE, "a", "", "a: was not there at the start"),
            (Kind.RENAME, "", "b", "b: came from outside"),
            (Kind.RENAME, "sub", "b", "sub: a folder was renamed"),
        ]
    ):
        room = tmp_path / str(number)
        room.mkdir()
        story = Story(room, {"sub/x": b""})
        story.call(kind, name, other=str(ROOT / other) if other else "")
        with pytest.raises(WaltaxError, match=words):
            story.history  # noqa: B018

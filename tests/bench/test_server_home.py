"""What benchmarks on servers leave behind: nothing, however they end."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from waltax.bench import server_home
from waltax.devices.memory import SHM
from waltax.runners import lock


def test_a_folder_is_gone_after_the_benchmark_and_after_sigterm(place: Path) -> None:
    with server_home.home("test", place) as folder:
        assert folder.parent == place
    assert not folder.exists()
    with pytest.raises(KeyboardInterrupt), server_home.home("test", place) as folder:
        os.kill(os.getpid(), signal.SIGTERM)
    assert not folder.exists()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_the_folder_of_a_killed_benchmark_goes_with_the_next_and_a_held_one_stays(
    place: Path,
) -> None:
    killed = place / "waltax-bench-test-0"
    (killed / "db").mkdir(parents=True)
    with lock.held(place / "waltax-bench-other-0"), server_home.home("test", place):
        assert not killed.exists()
        assert (place / "waltax-bench-other-0").exists()


@pytest.mark.parametrize("words", [(), (SHM,)])
def test_campaigns_sweep_up_after_killed_benchmarks_too(words: tuple[Path, ...]) -> None:
    """They look for `*` among the clones, and for `waltax-*` in memory."""
    with server_home.home("test", *words) as folder:
        assert folder.name.startswith("waltax-")
        assert folder.parent == (words[0] if words else server_home._WORK)
        assert server_home._WORK.parts[-2:] == ("data", "work")

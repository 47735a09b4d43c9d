"""What cannot be an endpoint is refused in a sentence that names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis_server import NONE, Waltax, redis
from waltax.base.errors import UsageError, WaltaxError
from waltax.cli import cli
from waltax.runners.cells.driver import endpoint


def _two(url: str, other: str) -> list[str]:
    return ["--workload=ycsb-a", f"--endpoint=sync={url}", f"--endpoint=off={other}"]


def _refused(waltax: Waltax, *words: str, code: int = 2) -> str:
    """What the command says, without a process of its own."""
    with pytest.raises(WaltaxError) as error:
        cli(waltax.argv(*words)[3:], standalone_mode=False)
    assert error.value.exit_code == code
    return str(error.value)


def test_one_that_cannot_be_reached(waltax: Waltax) -> None:
    words = _two("redis:///nowhere/a.sock", "redis:///nowhere/b.sock")
    said = _refused(waltax, *words, code=1)
    assert "endpoint redis:///nowhere/a.sock: cannot be reached" in said


def test_one_that_wants_a_password_or_holds_other_data(waltax: Waltax, tmp_path: Path) -> None:
    with redis(tmp_path, "a", *NONE) as locked, redis(tmp_path, "b", *NONE) as full:
        locked.ask("CONFIG", "SET", "requirepass", "secret")
        said = _refused(waltax, *_two(locked.url, full.url), code=1)
        assert f"endpoint {locked.url}: wants a password" in said
        full.ask("SET", "somebody's", "1")
        said = _refused(waltax, *_two(full.url, locked.url))
        assert f"{full.url} is not empty, and holds no whole data set" in said
        assert full.ask("KEYS", "*") == "somebody's"


def test_a_plan_of_endpoints_says_nothing_of_nodes(
    waltax: Waltax, capsys: pytest.CaptureFixture[str]
) -> None:
    words = _two("redis:///nowhere/a.sock", "redis:///nowhere/b.sock")
    with pytest.raises(SystemExit) as end:
        cli(waltax.argv(*words, "--plan")[3:], standalone_mode=False)
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert "owner sync" in said
    assert "node" not in said
    assert "-n2" not in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--device=nvme",), "--device: found with --endpoint, whose owner decides"),
        (("--engine=myrocks",), "--engine: found with --endpoint"),
        (("--workload=ycsb-b",), "found 2 workloads"),
        (("--endpoint=sync=redis:///c",), "owner sync twice"),
        (("--endpoint=b/sync=redis:///a",), "redis:///a twice"),
    ],
)
def test_what_its_owner_decides_and_what_would_share_its_data(
    waltax: Waltax, words: tuple[str, ...], said: str
) -> None:
    assert said in _refused(waltax, *_two("redis:///a", "redis:///b"), *words, "--plan")


def test_a_workload_that_its_protocol_does_not_have(waltax: Waltax) -> None:
    words = [word for word in _two("redis:///a", "redis:///b") if "workload" not in word]
    said = _refused(waltax, *words, "--workload=tpcc", "--profile=quick", "--plan")
    assert "type --workload ycsb-a" in said
    said = _refused(waltax, *words, "--workload=shop", "--profile=quick", "--plan")
    assert (
        "found shop with --engine endpoint, but a server of the Redis protocol has no order" in said
    )


@pytest.mark.parametrize(
    "text",
    [
        "redis:///a",
        "sync=",
        "fast=redis:///a",
        "A B/sync=redis:///a",
        "off/sync=redis:///a",
        "nvme/off=redis:///a",
        "sync=http://a",
    ],
)
def test_a_label_that_is_none(text: str) -> None:
    with pytest.raises(UsageError) as error:
        endpoint.named([text, "off=redis:///b"])
    said = str(error.value)
    assert f"--endpoint: found {text!r}; want MODE=URL, or PLACE/MODE=URL" in said
    assert "sync, flush, delayed, off (the last has no log, and no PLACE)" in said


def test_endpoints_without_a_baseline_or_with_nothing_beside_it() -> None:
    for text, said in (("sync=redis:///a", "owner sync alone"), ("off=redis:///a", "off alone")):
        with pytest.raises(UsageError) as error:
            endpoint.named([text])
        assert said in str(error.value)
    placed, none = endpoint.named(["nvme/sync=redis:///a", "off=redis:///b"])
    assert (placed.label, none.label) == ("nvme sync", "off")

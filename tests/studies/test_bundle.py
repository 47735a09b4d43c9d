"""A bundle holds a campaign, nothing of the machine, and is drawn again elsewhere."""

from __future__ import annotations

import json
import platform
import re
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from waltax.analysis import reports, writers
from waltax.analysis.bundle import Scrubber
from waltax.analysis.reports.hosts import kept
from waltax.base.errors import UsageError
from waltax.base.terminal import Terminal
from waltax.studies.report import command

_GOLDEN = Path(__file__).parent.parent / "golden" / "devices"
_HOME = "/home/alice/my disk"
_HOST = "fridas-box"
_HISTOGRAM = "H4d/+/jQ7yLt7+/a"  # what is in it looks like a path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A campaign with words of its machine in it. Do not change it."""
    folder = tmp_path_factory.mktemp("recorded") / "results" / "20260101-x"
    folder.mkdir(parents=True)
    rows = [json.loads(line) for line in (_GOLDEN / "rows.jsonl").read_text().splitlines()]
    for one in rows:
        one["wal_dir"] = f"{_HOME}/wal"
        one["op_x_latency_hdr"] = _HISTOGRAM
        one["flags"] = [f"--dir={_HOME}/data", "--threads=2"]
        one["warnings"] = [f"in {_HOME}/wal, and /root/x: slow on {_HOST}"]
    (folder / "rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    kept = json.loads((_GOLDEN / "campaign.json").read_text())
    kept |= {"data_dir": _HOME, "profile": str(_GOLDEN / "rocks.toml")}
    kept["typed"] = (
        f"run --profile={_GOLDEN / 'rocks.toml'} --data-dir '{_HOME}' --hosts tcp://10.1.2.3:4"
    )
    (folder / "campaign.json").write_text(json.dumps(kept))
    shutil.copy(_GOLDEN / "ended.json", folder / "summary.json")
    lost = {"name": "db-17", "address": "tcp://10.1.2.3:4", "lost": "db-17: the load is 9"}
    (folder / "hosts.json").write_text(json.dumps([lost | {"doctor": [], "machine": {}}]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(platform, "node", lambda: _HOST)
        yield folder


@pytest.fixture(scope="module")
def drawn(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its bundle with all pictures, each of which takes its time."""
    return _bundled(recorded, tmp_path_factory.mktemp("drawn") / "x.tar.gz")


@pytest.fixture
def campaign(recorded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(recorded, tmp_path / "results" / recorded.name)


def _bundled(campaign: Path, out: Path) -> Path:
    done = CliRunner().invoke(command, [str(campaign), "--format", "bundle", "--out", str(out)])
    assert done.exit_code == 0, done.exception
    return out


def test_a_bundle_is_drawn_again_in_another_folder_with_the_same_bytes(
    drawn: Path, tmp_path: Path
) -> None:
    with tarfile.open(drawn) as archive:
        archive.extractall(tmp_path / "elsewhere")
    (folder,) = (tmp_path / "elsewhere").iterdir()
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {"README.md", "SHA256SUMS", "rows.jsonl", "campaign.json", "overhead.png"} <= names
    assert [name for name in names if "recipe/" in name] == ["recipe/profiles/rocks.toml"]
    bundled = (folder / "summary.json").read_bytes()
    assert json.loads(bundled)["stop_reason"] == "every interval is narrower than its target"
    writers.publish(reports.devices([folder]), Terminal(quiet=True), formats=["json"])
    assert (folder / "summary.json").read_bytes() == bundled
    again = (folder / "README.md").read_text()
    assert " --profile=recipe/profiles/rocks.toml --data-dir " in again


def test_histograms_are_those_of_the_campaign(drawn: Path) -> None:
    with tarfile.open(drawn) as archive:
        name = next(name for name in archive.getnames() if name.endswith("rows.jsonl"))
        file = archive.extractfile(name)
        assert file is not None
        bundled = [json.loads(line)["op_x_latency_hdr"] for line in file]
    assert set(bundled) == {_HISTOGRAM}


def test_nothing_of_the_machine_is_in_it(drawn: Path, tmp_path: Path) -> None:
    with tarfile.open(drawn) as archive:
        assert {(one.mtime, one.uid, one.uname) for one in archive} == {(0, 0, "")}
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            content = file.read()
            for own in (b"alice", b"my disk", b"/root/x", b"10.1.2.3", str(tmp_path).encode()):
                assert own not in content, member.name
            if member.name.endswith((".json", ".jsonl", ".md", ".csv")):
                assert _HOST.encode() not in content, member.name


@pytest.mark.drawn
def test_equal_campaigns_have_equal_bytes(campaign: Path, drawn: Path, tmp_path: Path) -> None:
    assert _bundled(campaign, tmp_path / "2.tar.gz").read_bytes() == drawn.read_bytes()


def test_what_is_there_stays_and_a_folder_without_rows_is_refused(
    campaign: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("mine")
    for words in ([str(campaign), "--out", str(tmp_path / "mine")], [str(tmp_path)], ["none"]):
        refused = CliRunner().invoke(command, [*words, "--format", "bundle"])
        assert isinstance(refused.exception, UsageError)
    assert (tmp_path / "mine").read_text() == "mine"


def test_hosts_get_numbers_in_place_of_their_names() -> None:
    scrub = Scrubber(["h1", "db-17.example"])
    row = {"host": "h1", "workload": "h1-like", "warnings": ["db-17.example was slow"]}
    assert scrub.value(row) == {
        "host": "<host-1>",
        "workload": "h1-like",
        "warnings": ["<host-2> was slow"],
    }


def test_the_hosts_of_a_campaign_go_with_it_by_their_numbers(drawn: Path, tmp_path: Path) -> None:
    with tarfile.open(drawn) as archive:
        archive.extractall(tmp_path / "elsewhere")
    (folder,) = (tmp_path / "elsewhere").iterdir()
    ((number, found),) = kept(folder).items()
    assert re.fullmatch(r"<host-\d+>", number)
    assert found["lost"] == f"{number}: the load is 9"
    assert "10.1.2.3" not in (folder / "hosts.json").read_text()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("mysql -pgeheim db", "mysql -p<hidden> db"),
        ("--password=geheim x", "--password=<hidden> x"),
        ("MYSQL_PWD=geheim run", "MYSQL_PWD=<hidden> run"),
        ("postgres://me:geheim@db/x", "postgres://me:<hidden>@db/x"),
        ("3 requests/s at 4 us", "3 requests/s at 4 us"),
        ("/mnt/a b", "<path-1>"),
        ("see /mnt/x, or /mnt/y", "see <path-1>, or <path-2>"),
    ],
)
def test_a_text_keeps_what_is_nobodys_secret(text: str, left: str) -> None:
    assert Scrubber().text(text) == left

"""What the documents name is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from bench.__main__ import names as benchmarks
from making import TARGETS
from test_figures import git, needs_history
from waltax import devices, profiles
from waltax.analysis import writers
from waltax.workloads import DEFAULT
from waltax.workloads.mix import record

ROOT = Path(__file__).parent.parent
BENCHMARKS = frozenset(benchmarks())
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / f"{workload}/DEVIATIONS.md" for workload in DEFAULT),
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_to_a_file(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
        assert (document.parent / target).exists(), target


def _anchors(page: Path) -> set[str]:
    """Return what a link may name of a page: its headings, spelled as GitHub spells them."""
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", prose, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_anchor_leads_to_a_heading(document: Path) -> None:
    for page, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", document.read_text()):
        assert anchor in _anchors(document.parent / page if page else document), f"{page}#{anchor}"


@needs_history
def test_the_pages_that_the_product_names_are_there() -> None:
    sources = [ROOT / name for name in git("ls-files", "--", "*.py", ":(exclude)tests").split()]
    texts = "".join(path.read_text() for path in sources)
    named = set(re.findall(r"\bdocs/([a-z-]+\.md)", texts))
    assert "method.md" in named
    assert {name for name in named if not (ROOT / "docs" / name).exists()} == set()


def test_the_pages_are_those_that_the_readme_names() -> None:
    named = set(re.findall(r"\((docs/[a-z-]+\.md)\)", (ROOT / "README.md").read_text()))
    assert {str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md")} == named


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_make_target_that_is_named_exists(document: Path) -> None:
    for target in re.findall(r"(?:^    |`)make ([a-z][a-z-]*)", document.read_text(), re.M):
        assert target in TARGETS, target
    for name in re.findall(r"make bench NAME=([a-z-]+)", document.read_text()):
        assert name.replace("-", "_") in BENCHMARKS, name


def test_every_device_of_the_catalog_is_described() -> None:
    text = (ROOT / "docs/devices.md").read_text()
    assert [name for name in devices.names() if f"`{name}`" not in text] == []


def test_every_profile_is_described() -> None:
    text = (ROOT / "docs/workloads.md").read_text()
    assert [name for name in profiles.names() if f"`{name}`" not in text] == []


def test_every_mix_of_ours_is_described() -> None:
    text = (ROOT / "docs/workloads.md").read_text()
    mixes = [mix.name for mix in record.workloads()]
    assert [name for name in mixes if f"`{name}`" not in text] == []


def test_every_format_is_described() -> None:
    text = (ROOT / "docs/reports.md").read_text()
    assert [name for name in (*writers.WRITERS, "bundle") if f"`{name}`" not in text] == []


def test_no_path_of_a_machine_and_no_registry_address_is_committed() -> None:
    listed = ["git", "-C", str(ROOT), "ls-files", "*.lock", "*.toml", "*.md", "*.sh", "Makefile"]
    files = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    assert files
    for name in files:
        text = (ROOT / name).read_text()
        assert not re.search(r"/(home|root|work)/\w", text), name
        assert not re.search(r"https?://(pypi|files\.pythonhosted|registry)", text), name

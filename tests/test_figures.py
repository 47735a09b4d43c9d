"""Figures in the documents are as young as the code they depend on, or say that they are not.

Before a block of figures stands, unseen by a reader,

    <!-- measured: COMMIT of: PATH... -->

where COMMIT is the one they were measured at, and each PATH a file or folder of the code that they
depend on, by its name of now or of then. Where that code has changed since, the first paragraph of
the block must say "stale since COMMIT", naming the first commit that changed it. Measured anew, the
comment names today's commit and the sentence goes. A commit that cannot have moved any figure says
why in the last line of its message, `Figures-unchanged: REASON`, and makes none stale. What is to
be said is written by

    WALTAX_RECORD=1 .venv/bin/pytest tests/test_figures.py
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MARK = re.compile(r"<!-- measured: (?P<commit>\S+) of: (?P<paths>[^>]*?) -->\n")
SAYS_STALE = re.compile(r"[^.]*\bstale since ([0-9a-f]{8,40})\b[^.]*\.\s*", re.IGNORECASE)
STALE = "*These figures are stale since {commit}, which changed the code they depend on.*\n\n"
UNCHANGED = "Figures-unchanged"
RECORD = os.environ.get("WALTAX_RECORD") == "1"


def git(*words: str, root: Path = ROOT) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def _history() -> str:
    """Why there is no history to ask; empty when there is one."""
    try:
        shallow = git("rev-parse", "--is-shallow-repository")
    except (OSError, subprocess.CalledProcessError):
        return "not in a clone: nothing knows how old the figures are"
    return "" if shallow == "false" else "a shallow clone: type git fetch --unshallow, and again"


needs_history = pytest.mark.skipif(bool(_history()), reason=_history() or "-")


def changed_in(commit: str, paths: list[str], root: Path = ROOT) -> str | None:
    """The first commit after `commit` that changed product code under these paths."""
    code = [*paths, ":(exclude)*.md", ":(exclude)*.png", ":(exclude)tests"]
    # The originals' command lines are another face of the programs, which no campaign looks at.
    code += [] if "original" in " ".join(paths) else [":(exclude,glob)**/original/**"]
    told = f"--format=%h %(trailers:key={UNCHANGED},valueonly,separator=%x20)"
    log = git("log", told, "--abbrev=8", f"{commit}..HEAD", "--", *code, root=root)
    since = [line.strip() for line in log.splitlines() if " " not in line.strip()]
    # A change that was taken back is none.
    return since[-1] if since and git("diff", commit, "--", *code, root=root) else None


def faults(text: str, root: Path = ROOT) -> list[str]:
    """What is wrong with the marks of a document."""
    found = []
    for mark in MARK.finditer(text):
        commit, paths = mark["commit"], mark["paths"].split()
        first = text[mark.end() :].lstrip("\n").split("\n\n")[0]
        says = SAYS_STALE.search(first)
        try:
            git("merge-base", "--is-ancestor", commit, "HEAD", root=root)
        except subprocess.CalledProcessError:
            found.append(f"{mark[0].strip()}: no commit of this branch's history")
            continue
        missing = [path for path in paths if not _is_there(path, root)]
        changed = None if missing else changed_in(commit, paths, root)
        if missing or not paths:
            found.append(f"{mark[0].strip()}: there is no {' '.join(missing) or 'path in it'}")
        elif changed and (not says or says[1] != changed):
            found.append(f"{mark[0].strip()}: changed in {changed}; say {STALE.split('*')[1]!r}")
        elif says and not changed:
            found.append(f"{mark[0].strip()}: nothing has changed, but it says {says[0].strip()!r}")
    return found


def _is_there(path: str, root: Path) -> bool:
    """Whether it is in the work tree, or was in a commit: a folder may have moved since."""
    return (root / path).exists() or bool(git("log", "-1", "--format=%h", "--", path, root=root))


def mended(text: str, root: Path = ROOT) -> str:
    """The document with the sentences that it needs, and without those that it does not."""

    def block(mark: re.Match[str]) -> str:
        changed = changed_in(mark["commit"], mark["paths"].split(), root)
        return mark[0] + (STALE.format(commit=changed) if changed else "")

    said = re.escape(STALE).replace(re.escape("{commit}"), "[0-9a-f]+")
    return MARK.sub(block, re.sub(rf"(?<=-->\n){said}", "", text))


@needs_history
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_figure_is_older_than_the_code_it_depends_on(document: Path) -> None:
    if RECORD:
        document.write_text(mended(document.read_text()))
    assert faults(document.read_text()) == []


def test_the_first_figures_a_reader_sees_say_what_they_were_measured_at() -> None:
    for name in ("README.md", "docs/results.md"):
        assert MARK.search((ROOT / name).read_text()), name


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a tap of one commit."""
    git("init", "-q", root=tmp_path)
    for name, value in (("user.name", "a"), ("user.email", "a@b"), ("core.abbrev", "8")):
        git("config", name, value, root=tmp_path)
    (tmp_path / "tap").mkdir()
    _commit(tmp_path, "tap/tap.c", "one")
    return tmp_path


def _commit(project: Path, name: str, text: str, message: str = "x") -> str:
    (project / name).write_text(text)
    git("add", "-A", root=project)
    git("commit", "-qm", message, root=project)
    return git("rev-parse", "--short=8", "HEAD", root=project)


def test_a_change_of_the_code_makes_figures_stale_until_they_say_so(project: Path) -> None:
    head = git("rev-parse", "--short=8", "HEAD", root=project)
    text = f"<!-- measured: {head} of: tap -->\n37.1 % of it.\n\nMore.\n"
    _commit(project, "other.c", "x")
    _commit(project, "tap/README.md", "x")
    assert faults(text, project) == []

    (project / "tap" / "original").mkdir()
    face = _commit(project, "tap/original/flags.py", "x")
    assert faults(text, project) == []
    (fault,) = faults(text.replace("of: tap", "of: tap/original"), project)
    assert f"changed in {face}; say" in fault

    _commit(project, "tap/tap.c", "one, said better", "x\n\nFigures-unchanged: a comment")
    assert faults(text, project) == []
    changed = _commit(project, "tap/tap.c", "two", "x\n\nFigures-unchanged:")
    later = _commit(project, "tap/tap.c", "three")
    (fault,) = faults(text, project)
    assert f"changed in {changed}; say" in fault
    said = mended(text, project)
    assert f"stale since {changed}" in said
    assert said.endswith("37.1 % of it.\n\nMore.\n")
    assert faults(said, project) == []
    assert mended(said, project) == said

    (fault,) = faults(said.replace(f"measured: {head}", f"measured: {later}"), project)
    assert "nothing has changed, but it says" in fault
    assert mended(said.replace(f"measured: {head}", f"measured: {later}"), project) == text.replace(
        head, later
    )


def test_a_change_that_was_taken_back_and_a_mark_that_means_nothing_are_told_apart(
    project: Path,
) -> None:
    head = git("rev-parse", "--short=8", "HEAD", root=project)
    _commit(project, "tap/tap.c", "two")
    _commit(project, "tap/tap.c", "one")
    assert faults(f"<!-- measured: {head} of: tap -->\n37 %.\n", project) == []
    (fault,) = faults("<!-- measured: 12345678 of: tap -->\n37 %.\n", project)
    assert "no commit of this branch's history" in fault
    (fault,) = faults(f"<!-- measured: {head} of: gone -->\n37 %.\n", project)
    assert "there is no gone" in fault

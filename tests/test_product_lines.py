"""A ratchet: the product, all code outside tests/, has no more lines than `product_lines` says.

Whoever takes lines away writes the new number there. It goes up only in a commit whose message
ends with a line that says why, `Lines-raised: REASON`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_figures import git, needs_history

ROOT = Path(__file__).parent.parent
NUMBER = "tests/product_lines"
CODE = ("*.py", "*.cc", "*.c", "*.h", "*.inc", ":(exclude)tests")
# So much less than the number is a room to be taken away, too.
SLACK = 500


def lines_of_code(root: Path) -> int:
    """How many lines the product's tracked files have, as they lie in the folder."""
    files = git("ls-files", "-z", "--", *CODE, root=root).split("\0")
    there = (root / name for name in files if name)
    return sum(path.read_bytes().count(b"\n") for path in there if path.exists())


def raised_without_reason(root: Path) -> list[str]:
    """Commits that raised the number and do not say why, oldest first.

    Of a branch that was merged only the merge counts: its own commits and those beside them lower
    the number by turns.
    """
    told = "--format=%h %(trailers:key=Lines-raised,valueonly,separator=%x20)"
    found, before = [], None
    for line in git(
        "log", "--first-parent", "--reverse", told, "--", NUMBER, root=root
    ).splitlines():
        commit, _, reason = line.strip().partition(" ")
        number = int(git("show", f"{commit}:{NUMBER}", root=root))
        if before is not None and number > before and not reason:
            found.append(commit)
        before = number
    return found


@needs_history
def test_the_product_has_no_more_lines_than_it_is_allowed() -> None:
    allowed, there = int((ROOT / NUMBER).read_text()), lines_of_code(ROOT)
    assert there <= allowed, f"{there - allowed} lines too many: take as many away"
    assert there > allowed - SLACK, f"write {there} into {NUMBER}, so that it stays so small"


@needs_history
def test_the_allowed_number_of_lines_was_raised_only_with_a_reason() -> None:
    assert raised_without_reason(ROOT) == []


@pytest.mark.parametrize(
    ("number", "message", "is_told"),
    [
        (9, "Take a line away", False),
        (11, "Add a line", True),
        (11, "Add a line\n\nLines-raised: a workload that users asked for", False),
    ],
)
def test_a_number_that_goes_up_without_a_word_is_told(
    tmp_path: Path, number: int, message: str, is_told: bool
) -> None:
    (tmp_path / "tests").mkdir()
    who = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    git("init", "-q", root=tmp_path)
    for count, words in ((10, "Begin"), (number, message)):
        (tmp_path / NUMBER).write_text(f"{count}\n")
        (tmp_path / "a.py").write_text("x\n" * count)
        (tmp_path / "tests" / "test_a.py").write_text("x\n")
        git("add", ".", root=tmp_path)
        git(*who, "commit", "-qm", words, root=tmp_path)
        assert lines_of_code(tmp_path) == count
    assert bool(raised_without_reason(tmp_path)) == is_told


def test_two_branches_that_each_lowered_the_number_are_merged_without_a_word(
    tmp_path: Path,
) -> None:
    (tmp_path / "tests").mkdir()
    git("init", "-q", "-b", "main", root=tmp_path)
    for name, value in (("user.name", "x"), ("user.email", "x@example.invalid")):
        git("config", name, value, root=tmp_path)

    def commit(number: int) -> None:
        (tmp_path / NUMBER).write_text(f"{number}\n")
        git("add", ".", root=tmp_path)
        git("commit", "-qm", f"Count {number}", root=tmp_path)

    commit(10)
    git("checkout", "-qb", "one", root=tmp_path)
    commit(8)
    git("checkout", "-qb", "other", "main", root=tmp_path)
    commit(9)
    git("checkout", "-q", "main", root=tmp_path)
    git("merge", "-q", "--no-ff", "-m", "Merge one", "one", root=tmp_path)
    git("merge", "-q", "--no-ff", "-s", "ours", "--no-commit", "other", root=tmp_path)
    commit(7)
    assert raised_without_reason(tmp_path) == []
    commit(8)
    assert len(raised_without_reason(tmp_path)) == 1

"""Processes of this user and of others, and their end."""

from __future__ import annotations

import subprocess
import sys
import textwrap

NOBODY = 65534


def python(
    text: str, *words: object, user: int | None = None, wait: bool = True
) -> subprocess.Popen[str]:
    """A process that runs `text` with `words` as its arguments, as another user if asked to.

    With `wait` it says when it is ready, and lives until its input ends.
    """
    code = textwrap.dedent(text)
    if wait:
        code += "\nprint('ready', flush=True)\nsys.stdin.read()\n"
    child = subprocess.Popen(
        [sys.executable, "-c", f"import sys\n{code}", *(str(word) for word in words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    if wait:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    return child


def killed(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()

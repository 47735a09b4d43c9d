"""Processes of this user and of others, and their end."""

from __future__ import annotations

import subprocess
import sys
import textwrap

NOBODY = 65534
# The other user may not be able to read the checkout, which root may have in a folder of its own.
_BECOME = """
import os, sys, socket
import waltax.base.folders.folder, waltax.base.folders.machine
os.setgroups([]), os.setgid({user}), os.setuid({user})
"""


def python(
    text: str, *words: object, user: int | None = None, wait: bool = True
) -> subprocess.Popen[str]:
    """A process that runs `text` with `words` as its arguments, as another user if asked to.

    With `wait` it says when it is ready, and lives until its input ends.
    """
    code = f"{'import sys' if user is None else _BECOME.format(user=user)}\n{textwrap.dedent(text)}"
    if wait:
        code += "\nprint('ready', flush=True)\nsys.stdin.read()\n"
    child = subprocess.Popen(
        [sys.executable, "-c", code, *(str(word) for word in words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if wait:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    return child


def killed(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()

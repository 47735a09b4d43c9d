"""Texts changed as a careless or a hostile hand would: word by word, so that most still parse."""

from __future__ import annotations

import random
import re

_WORDS = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[-+]?[0-9][0-9.eE+_-]*|\w+|\s+|.', re.DOTALL)

# What has broken readers before: of any kind, in the place of any word.
ODD = (
    *(b"0", b"-1", b"1", b"2", b"1e400", b"-1e400", b"1e308", b"1e-320", b"0.1", b"-0.0"),
    *(b"NaN", b"nan", b"inf", b"-inf", b"Infinity", b"null", b"true", b"false", b"1_000", b"0x10"),
    *(str(2**31).encode(), str(2**63).encode(), str(-(2**63)).encode(), str(2**64).encode()),
    *(b"9" * 400, b"9" * 5000, b"0." + b"9" * 400, "²".encode(), "٣".encode()),
    *(b'""', b'"x"', b'"\\u0000"', b'"\\ud800"', b'"\\u202e"', b'"\\u001b[2J"', b"''", b"'''"),
    *(b"[]", b"{}", b"[[]]", b'{"a": {}}', b"[1, 2]", b"[", b"{", b"]", b"}", b"=", b":", b","),
    *(b"\x00", b"\x1b[2J", b"\r", b"\n", b"\\", b"\\u12", b"\xff\xfe", b"\xc2\x85", b"#", b"!"),
    *(b"-", b"--", b"/", b"..", b"/" * 300, b"x" * 300, b"x/" * 2500, b"~", b"%s", b"$HOME"),
    *(b".", b"a.b.c", b"1979-05-27T07:32:00Z", b"99999-01-01", b"e", b"0000", b"-9"),
)
_REPEATS = (2, 3, 100, 3000)
_LONGEST = 1 << 15  # bytes


def mutate(text: bytes, draws: random.Random, longest: int = _LONGEST) -> bytes:
    """Return `text` with one to four of its words changed, cut at `longest` bytes."""
    words: list[bytes] = _WORDS.findall(text)
    for _ in range(draws.choice((1, 1, 1, 2, 4))):
        _change(words, draws)
    return b"".join(words)[:longest]


def _change(words: list[bytes], draws: random.Random) -> None:
    at = draws.randrange(len(words)) if words else 0
    words[at:] = words[at:] or [b""]
    kind = draws.randrange(8)
    if kind < 3:
        words[at] = draws.choice(ODD)
    elif kind == 3:
        words[at] = b""
    elif kind == 4:
        words[at] = (words[at] * draws.choice(_REPEATS))[:_LONGEST]
    elif kind == 5:
        words[at] = draws.choice(words)
    elif kind == 6:
        words.insert(at, draws.choice(ODD))
    else:
        end = min(len(words), at + draws.choice((2, 5, 30)))
        part = words[at:end]
        words[at:end] = [] if draws.random() < 0.5 else part + part

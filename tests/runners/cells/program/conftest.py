"""`waltax try` in folders of its own, and programs to try it on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from examples import EXAMPLES, Example
from trying import Try
from with_server import open_folder


@pytest.fixture
def attempt(tmp_path: Path) -> Try:
    return Try(tmp_path)


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> Example:
    return EXAMPLES[request.param]


@pytest.fixture(scope="module")
def filled(example: Example) -> Iterator[Path]:
    """The data that it begins with."""
    with open_folder() as folder:
        data = folder / "data"
        data.mkdir()
        if example.fill:
            example.fill(data)
        yield data

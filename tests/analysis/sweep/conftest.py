from __future__ import annotations

from collections.abc import Iterator

import pytest
from waltax.analysis.sweep.simulation import network


@pytest.fixture(autouse=True, scope="module")
def _short_simulations(request: pytest.FixtureRequest) -> Iterator[None]:
    """A report's tests ask for its words, not how near the model is: it simulates a twentieth."""
    with pytest.MonkeyPatch.context() as patch:
        if "reports" in request.path.name:
            network.simulate.cache_clear()
            patch.setattr(network, "_SETTLE", 75)
            patch.setattr(network, "_COMMITS", 300)
        yield
    network.simulate.cache_clear()

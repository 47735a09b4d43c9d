"""Real engines: record a run, and open and check its crash states."""

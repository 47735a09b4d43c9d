"""Real engines: a run that is recorded, and crash states of it that are opened and checked."""

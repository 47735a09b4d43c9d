"""Lies that are planted on purpose, so that each is caught or warned of by name."""

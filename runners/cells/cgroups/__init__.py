"""The kernel's control groups: what they deny us, and the groups of our own that limit and tell."""

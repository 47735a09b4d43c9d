"""The kernel's control groups: what they deny us, and our own groups that limit and measure."""

"""What must be true of a slice, judged when it is measured and whenever its row is read."""

"""What the originals' command lines share: where data is, and a driver followed to its end."""

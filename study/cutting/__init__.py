"""A campaign's cells, recorded and cut: what each loses."""

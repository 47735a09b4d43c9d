"""Two campaigns against each other, and how far equal ones come out apart."""

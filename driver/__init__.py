"""The driver programs as Python sees them: their command lines, and one that runs."""

"""The driver programs as Python sees them: their command lines, and the client of one that runs."""

"""Reports by their old names. Until all callers publish reports."""

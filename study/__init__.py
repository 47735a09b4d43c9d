"""What is asked of several campaigns or data sets at once: the paper's table, sizes."""

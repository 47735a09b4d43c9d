"""A published study of single SQL statements, and what our rows say about the same.

published  the study's figures, and which of them its arrivals decided
measured   rows of `waltax sweep statements`: throughput by round, and ratios of what took turns
"""

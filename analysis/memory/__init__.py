"""A published study of data below, at and above memory.

published  what the study says of its runs: all of it, since its figures print no numbers
"""

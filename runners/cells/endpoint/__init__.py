"""Servers that their owners run, measured where they are: docs/extending.md is the seam.

label       what a person types of one
protocol    the table of protocols: how the driver is told, and what a server's words mean
life        how such cells are prepared and brought up
loading     the data set in a server, loaded, checked and removed
cell        a driver at such a server
"""

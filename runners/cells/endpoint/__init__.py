"""Servers of the Redis protocol that their owners run, measured where they are.

label       what a person types to name one
protocol    flags for the driver, and what a server's words mean
life        how such cells are prepared and brought up
loading     the data set in a server, loaded, checked and removed
cell        a driver at such a server
"""

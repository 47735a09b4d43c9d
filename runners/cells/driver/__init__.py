"""Cells of workloads that have a driver program of their own.

life          how they are prepared and brought up: the engine in the driver, or in a server
loading       data sets, loaded and checked by the driver
process_cell  a driver that waits between slices
endpoint      one at a server that its owner runs, of the Redis protocol
"""

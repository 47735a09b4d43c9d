"""Overhead over the latency of a sync: the sweep that measures the curve, and what is read off.

study     the sweep; grid has the devices that differ in the time of a sync alone
curves    finds a curve that was measured, and where a device lies on it
predict   the command that reads a device's overhead off a curve
"""

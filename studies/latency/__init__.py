"""Overhead as a function of sync latency: the sweep that measures the curve, and predictions.

study     the sweep; grid has devices that differ only in the time of a sync
curves    finds a measured curve, and where a device lies on it
predict   the command that reads a device's overhead off a curve
"""

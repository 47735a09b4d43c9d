"""The command line of the original LinkBench, on the native driver."""

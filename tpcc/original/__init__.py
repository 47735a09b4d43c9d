"""The command lines of tpcc-mysql, with its letters and its output, on the native driver."""

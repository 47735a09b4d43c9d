"""Single SQL statements, one kind a workload, on MyRocks and InnoDB."""

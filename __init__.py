"""waltax: what does the write-ahead log cost, on this device, for this workload?

The repository root is this package; the folders are its rooms:

    engines     a record for each engine, and their table
    devices     what the WAL sits on: catalog, checks, and the tap on its system calls
    profiles    sizes of experiments
    owned       the folders that waltax makes, and how they are removed
    driver      the C++ core under every workload; its programs' command lines
    mariadb     MariaDB servers: lifetime and settings, and the workloads' client (C++)
    program     the shell of every workload's program (C++)
    linkbench   the LinkBench workload (C++), and the original's command line
    tpcc        the TPC-C workload (C++), and tpcc-mysql's command line
    dbbench     RocksDB's own db_bench as a workload
    runners     what was asked, a cell's life, and campaigns: plan, sessions, rows
    analysis    rows -> results -> reports -> formats
    study       the commands that plan campaigns, each an entry of one table
    bench       what waltax itself costs, printed as ratios

`workloads` is the table of workloads. `cell`, `columns`, `row`, `inputs`, `errors` and `proc` are
the spine that all of them stand on.
"""

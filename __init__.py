"""waltax: what does the write-ahead log cost, on this device, for this workload?

The repository root is this package; the folders are its rooms:

    devices     what the WAL sits on: catalog, checks, and the tap on its system calls
    profiles    sizes of experiments
    linkbench   the LinkBench workload (C++), its command line and reports
    tpcc        the TPC-C workload (C++), tpcc-mysql's command line and reports
    dbbench     RocksDB's own db_bench: its command line, its output, sizes, knobs of the log
    driver      the C++ core under every workload, and its programs' command lines
    mariadb     MariaDB servers: lifetime and settings, and the workloads' client (C++)
    runners     data sets, clones, driver processes, sessions, campaigns
    analysis    rows -> overheads with intervals, tables, figures, curves
    study       campaigns of its own: the paper, sizes on disk, sweeps, predictions
    bench       what waltax itself costs, printed as ratios

`cell`, `columns`, `row`, `inputs`, `errors` and `proc` are the spine that all of them stand on.
"""

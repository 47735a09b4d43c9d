"""waltax: what does the write-ahead log cost, on this device, for this workload?

The repository root is this package; the folders are its rooms:

    base        errors, files, processes, and the folders that waltax makes and removes
    devices     what the log sits on: catalog, checks, the probe, and the tap on its calls (C)
    profiles    sizes of experiments
    engines     a record for each engine; MariaDB servers, builds and releases
    driver      the C++ under every workload; its programs' command lines
    linkbench   the LinkBench workload (C++)
    tpcc        the TPC-C workload (C++)
    workloads   the table of workloads; mixes (C++), files of LinkBench's and YCSB's
    evidence    what must be true of a slice
    runners     what was asked, a cell's life, and campaigns: plan, sessions, rows; doctor, hosts
    analysis    rows -> results -> reports -> formats
    crash       what a kill or a power cut loses, and how long recovery takes
    studies     the commands, each an entry of `commands`

`cell`, `row`, `columns`, `workload` and `axes` are the records that all of them are said in.
"""

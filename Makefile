# waltax: what does the write-ahead log cost? `make` lists the targets.
# Recipes only delegate: to setup.sh, to `waltax`, to the test runners.
#: waltax: what does the write-ahead log cost, on this device, for this workload?
#:
#:   target           what it does                                      time     disk
#:   make run         the WAL on ssd, nvme, nvram and off: overheads    4-8 min  4 GB
#:                    of both workloads, linkbench and tpcc
#:   make run WORKLOAD=tpcc   of one workload                            2-4 min 3 GB
#:   make run PROFILE=ci   the same, coarser                             3 min   2 GB
#:   make run ENGINE=myrocks   the same on MyRocks, on a MariaDB server   8 min 2 GB
#:   make run REPEAT=3 EVERY=1h   the same at three moments, pooled       3 h     4 GB
#:   make run ENGINE=myrocks BINLOG=nvram   the same with a second log, on a device of its
#:                    own; DEVICE=nvme BINLOG=same: on the WAL's           8 min 2 GB
#:   make run HOSTS=tcp://head:8786   a session each on the workers of a scheduler of dask;
#:                    HOSTS=local:3: on three of this machine, in turns   4-8 min  4 GB
#:   make run ENGINE=innodb    redo-log modes on each device (no off) 25 min 18 GB
#:   make run-device DEVICE=nvme [WAL_DIR=/mnt/x] [WAL=sync|flush|delayed|off]
#:                    [PROFILE=quick] [WORKLOAD=tpcc] [THREADS=n] [ENGINE=myrocks]
#:                    one device beside off                              6 min   2 GB
#:   make releases RELEASES="7.9.2 10.10.1"   releases of RocksDB side by side, none
#:                    of them compiled here; needs maven, cargo          10 min  4 GB
#:   make run WORKLOAD=kv-fillrandom BUILDS="base=/opt/a new=/opt/b"   builds of RocksDB,
#:                    or of MariaDB, in the same rounds: what a change did   4 min 2 GB
#:   make run SET=wal_bytes_per_sync=64K,512K [OPTIONS="old=FILE new=FILE"]   settings, or
#:                    an OPTIONS file or my.cnf as it is, in the same rounds  4 min 2 GB
#:   make bisect GOOD=/opt/a BAD=/opt/b JUDGE=/opt/c   which it is like; for git bisect
#:                    run, `waltax bisect` itself                           5 min a build
#:   make run-device DEVICE=nvme WAL_WITH_DATA=1   and the log beside the data, as most
#:                    installations have it                              8 min   2 GB
#:   make run WORKLOAD=ycsb-a PROFILE=memory MEMORY=256MiB RATIO="0.25 2.5" [MEMORY_BY=cgroup]
#:                    each cell with so much memory, and data so many times as large
#:                                                                        3 min each 3 GB
#:   make why [DEVICE="nvram nvme"] [ENGINE=myrocks] [WORKLOAD=tpcc] [THREADS=n]   which
#:                    step costs that: records, writes, hand-over, waiting  8 min  2 GB
#:   make paper SCALE=0.01   the paper on MyRocks, its table beside ours  12 min 1 GB
#:   make paper PLAN=1       hours, disk and memory of the full size        3 s   -
#:   make sizes [PROFILE=quick]   bytes on disk of the same data per engine    1 min 2 GB
#:   make receipts [ENGINE=myrocks] [DEVICE=nvme] [WAL=flush] [CUTS=200] [STATES=10]   what
#:                    each mode of the log loses to a kill and a power cut   4 min  2 GB
#:   make recovery [ENGINE=myrocks] [LOGS="16 64 256"]   how long an engine takes to serve
#:                    again after a kill, by the bytes of log to replay   3 min  4 GB
#:   make recovery-modes [ENGINE=myrocks] [WAL=flush] [CUTS=3]   which damaged logs each
#:                    of RocksDB's recovery modes opens, and what it loses   4 min  2 GB
#:   make serve ENGINE=myrocks DEVICE=nvme   a server placed as a cell is, for tools
#:                    of yours; stops with Ctrl-C                         -       -
#:   make study-sqlops [SCALE=0.01] [STATEMENTS=insert,update-hot]   single SQL statements
#:                    on both servers, beside a published study          15 min  6 GB
#:   make study-memory [MEMORY=128MiB] [RATIO="0.25 5"] [WORKLOAD=ycsb-a] [ENGINE=myrocks]
#:                    the log's cost with data below, at and above memory 18 min 8 GB
#:   make study-shards [NODES=1,2,4] [WORKLOAD=ycsb-b] [ENGINE=rocksdb-shards WAL_SHARED=1]
#:                    the log's cost on several nodes, and the way to the right one   12 min 2 GB
#:   make run WORKLOAD=ycsb-a ENGINE=myrocks-shards NODES=2   a store on several servers 4 min 2 GB
#:   make run WORKLOAD=ycsb-a   YCSB A to F, or ycsb for all six         3 min   2 GB
#:   make run WORKLOAD=ycsb-a ENDPOINTS="sync=redis:///run/a.sock off=redis:///run/b.sock"
#:                    servers that you run (Redis, Kvrocks) in place of devices   3 min   -
#:   make run WORKLOAD=./mine.toml   a workload that a file of yours describes, or one of
#:                    ours: shop, outbox, kv-fillrandom, sqlops-insert    3 min   2 GB
#:   make run WORKLOAD=dbbench [BENCH=fillseq,overwrite]   db_bench as the workload
#:                                                                        6 min   2 GB
#:   make probe DIR=/mnt/x [ARGS=--thorough]   what a log device can do, by fio; a file
#:                    that any machine can replay with DEVICE=./x.toml    1 min   4 GB
#:   make sweep-latency [WORKLOAD=tpcc] [ENGINE=myrocks] [DEVICE=./x.toml]   overhead
#:                    against sync latency: how fast must a log device be 10 min  2 GB
#:   make sweep-threads   the same over clients, 1 to 32                  10 min  2 GB
#:   make predict DEVICE=./x.toml   read off the newest curve             1 s     -
#:   make sweep-sizes [KEYS=200000]   db_bench over key and value sizes   8 min   1 GB
#:   make sweep-knobs [DEVICE=nvme]   one WAL setting at a time           5 min   1 GB
#:   make compare A=nvme B=ssd   two devices of the last campaign         2 s     -
#:   make compare BASE=results/A NEW=results/B   two campaigns, cell by cell     3 s     -
#:   make floor [CAMPAIGNS=5] [DEVICE=nvme]   how far equal campaigns come out apart
#:                    here, for the gate                                  30 min 2 GB
#:   make gate BASE=results/A NEW=results/B [ALLOW=program]   is NEW worse?    3 s     -
#:   make report [CAMPAIGN=results/x]   report.html, tables, figures again, of the
#:                    last campaign; make plot is the same                3 s    1 MB
#:   make devices     the devices, and what each is on this machine       1 s     -
#:   make doctor [DIR=/mnt/x]   what of this machine makes figures worth less 6 s   -
#:   make test [ROOM=runners]   sets up and runs the tests, of one folder of tests/ or all
#:                                                                       12 min  1 GB
#:   make test-all    and what is too long for every change: nightly tests, fuzzers,
#:                    sanitizers, device classes, bare systems             3 h     4 GB
#:   make test-bare [RELEASE="bookworm trixie"] [SHORT=1]   both commands on an empty Debian 12
#:                    and 13, which debootstrap makes; root              40 min  5 GB
#:   make test-devices   detection and placement on real device classes, in QEMU
#:                                                                        6 min   1 GB
#:   make receipts-vm   power cuts of a real file system, in QEMU: what the block log
#:                    says is lost, beside receipts; root               15 min  2 GB
#:   make sanitize    the C++ tests under address, undefined, thread sanitizers 20 min 2 GB
#:   make sanitize-run  both workloads under them, on servers, too: load, run, check 20 min 2 GB
#:   make fuzz [TARGET="rows fio"] [SECONDS=60]   parsers under fuzzers, so long each  15 min 1 GB
#:   make lint        ruff, mypy, clang-format, clang-tidy                1 min   -
#:   make bench NAME=tap [ARGS="--pairs 5"]   what waltax itself costs, as ratios; without
#:                    NAME their names and what each asks       1-35 min  1 GB
#:   make setup       packages, environment, build; others call it        4 min  1 GB
#:   make clean       removes what waltax made in build/ and data/            1 s     -
#:   make uninstall   the same and .venv, and what was left in memory; not results   1 s     -
#:
#:   READ_LATENCY_US=500 lets reads of data take as long as on a cloud volume, in every cell.
#:   CPU_COUNTERS=1 counts instructions, cycles and cache misses, where the machine can.
#:   PLAN=1 prints what a run would do and write, and runs nothing. A variable that a target
#:   does not take is refused. For waltax itself, after make setup: . .venv/bin/activate
#:   make ends with 2 whatever fails: `waltax gate` with 3 where NEW is worse (docs/gate.md).
#:   DEVICE="nvme ./x.toml" and WORKLOAD="linkbench tpcc" name several. ARGS="..." holds further
#:   words for the command, quoted as in a shell; nothing that is typed is expanded or run.
#:   DATA_DIR=/path keeps data sets and clones there; a MariaDB server that root starts
#:   runs as another user, which must be able to enter it.
#:   MARIADBD=/path/to/mariadbd runs another MariaDB server.
#:   ROCKSDB_ROOT=/path builds against another RocksDB (7.8 to 11.x).

# What is typed is text: a variable of the command line holds what was typed, and nothing in it is ever
# expanded by make or run by the shell. `quoted` hands a text to the shell as one word. What stands
# here is marked `override`, so that it cannot be typed itself.
override TYPED := $(sort $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))), \
  $(if $(strip $(value $(name))),$(name)))))
override define newline :=


endef
override as_text = $(foreach name,$(1),$(if $(findstring $(newline),$(value $(name))), \
  $(error $(name): found a line break; type it in one line))$(eval override $(name) := $$(value $(name))))
$(if $(findstring $$,$(TYPED)),$(error $(TYPED): found a name with a dollar; no target takes it))
# Of the environment make looks at these; waltax looks for itself (makefile.py).
override FROM_ENVIRONMENT := $(foreach name,PLAN ARGS BASE ROOM RELEASE SHORT ROCKSDB_ROOT,$(if \
  $(filter environment,$(firstword $(origin $(name)))),$(name)))
$(call as_text,$(filter-out TYPED as_text,$(TYPED)) $(FROM_ENVIRONMENT))
$(if $(findstring $(newline),$(MAKECMDGOALS)),$(error found a line break in the name of a target))
override quoted = '$(subst ','\'',$(1))'
# What a shell would not take as it stands.
override SPECIAL := ' " ` $$ \ ; & | < > ( ) [ ] { } * ? ! ~ \#
$(if $(filter SHELL,$(TYPED)),$(if $(strip $(word 2,x$(SHELL)x)$(foreach letter,$(SPECIAL),$(findstring $(letter),$(SHELL)))), \
  $(error SHELL: found $(SHELL); type the path of a shell, without blanks and quotes)))
override .SHELLFLAGS := -c
# The compilers and the server are for the programs that setup and waltax start; no recipe runs make.
$(foreach name,$(filter MARIADBD CC CXX,$(TYPED)),$(eval export $(name)))
override MAKEOVERRIDES :=

# A build against another RocksDB lives beside the usual one.
override blank := $(subst x,,x x)
override OF_ROCKSDB = $(subst /,-,$(subst $(blank),-,$(abspath $(subst $(blank),-,$(ROCKSDB_ROOT)))))
ROCKSDB_ROOT ?=
BUILD_DIR := build/$(if $(ROCKSDB_ROOT),rocksdb$(OF_ROCKSDB),release)
export WALTAX_BUILD_DIR := $(BUILD_DIR)
export ROCKSDB_ROOT

override BIN := .venv/bin
override OF_WALTAX := run run-device why paper sizes serve compare gate floor report plot devices sweep-latency \
  sweep-threads sweep-sizes sweep-knobs predict probe doctor receipts recovery \
  recovery-modes study-sqlops study-memory study-shards bisect releases
override GOALS := $(filter $(OF_WALTAX),$(MAKECMDGOALS))
# Who takes what: these go with every target, the next two with targets of make's own. All else is
# for waltax, which knows what its commands take; without a command of waltax it is refused here.
override OWN := $(if $(filter lint,$(MAKECMDGOALS)),BASE) $(if $(filter test,$(MAKECMDGOALS)),ROOM) \
  $(if $(filter test-bare,$(MAKECMDGOALS)),RELEASE SHORT) \
  $(if $(filter fuzz,$(MAKECMDGOALS)),TARGET SECONDS INPUT) $(if $(filter bench,$(MAKECMDGOALS)),NAME ARGS)
override LEFT := $(filter-out ROCKSDB_ROOT BUILD_DIR MARIADBD CC CXX SHELL, \
  $(TYPED) $(if $(filter PLAN,$(FROM_ENVIRONMENT)),$(if $(strip $(PLAN)),PLAN)))
override UNKNOWN := $(if $(GOALS),,$(firstword $(filter-out $(OWN),$(LEFT))))
override HANDED = $(foreach name,$(filter-out $(filter BASE,$(OWN)),$(LEFT)),$(call quoted,$(name)=$(value $(name))))
# A word that names no target may be a file of ours, with which make is content.
override TARGETS := help known setup tools $(OF_WALTAX) test test-all test-bare test-devices receipts-vm \
  sanitize sanitize-run fuzz lint bench clean uninstall
override STRAY := $(filter-out $(TARGETS),$(MAKECMDGOALS))
override WORD := $(firstword $(STRAY))
override MEANT := $(firstword $(if $(wildcard devices/$(WORD).toml),DEVICE) $(if $(wildcard profiles/$(WORD).toml),PROFILE) \
  $(if $(wildcard engines/$(WORD).py),ENGINE) $(if $(wildcard $(firstword $(subst -, ,$(WORD)))/workload.py),WORKLOAD))
override refuse = @printf '%s\n' $(call quoted,make $(firstword $(MAKECMDGOALS)): $(1)) >&2; exit 2

.DEFAULT_GOAL := help
override ROOMS := $(filter-out $(TARGETS),$(patsubst %/workload.py,%,$(wildcard */workload.py)))
.PHONY: $(TARGETS) $(ROOMS)

help:
	@sed -n 's/^#: \{0,1\}//p' Makefile

# Before anything is installed or built.
known:
	$(if $(UNKNOWN),$(call refuse,$(UNKNOWN)=$(value $(UNKNOWN)): it takes $(or $(strip $(OWN)),no variable); leave it out))
	$(if $(STRAY),$(call refuse,$(WORD): it is no target; type $(if $(MEANT),make $(or $(firstword $(GOALS)),run) $(MEANT)=$(WORD),make help)))
	$(if $(filter run-device,$(GOALS)),$(if $(value DEVICE)$(value RESUME),,$(call \
	  refuse,DEVICE: missing; type make run-device DEVICE=nvme)))
	$(if $(and $(GOALS),$(HANDED)),@./setup.sh --known $(GOALS) $(HANDED))
	$(if $(and $(filter test,$(MAKECMDGOALS)),$(value ROOM)),@tests/run --known $(call quoted,$(ROOM)))
	@:

$(ROOMS): known

setup: known
	@BUILD_DIR=$(call quoted,$(BUILD_DIR)) ROCKSDB_ROOT=$(call quoted,$(ROCKSDB_ROOT)) ./setup.sh

$(OF_WALTAX): setup
	@$(BIN)/waltax --make $@ $(filter-out $@,$(GOALS)) $(HANDED)

# What developers need besides.
tools: setup
	@./setup.sh --tools

test: tools
	@BUILD_DIR=$(call quoted,$(BUILD_DIR)) tests/run $(call quoted,$(ROOM))

# What takes too long for every change: once a night, or before a release.
test-all: tools
	@BUILD_DIR=$(call quoted,$(BUILD_DIR)) tests/nightly

# What a newcomer types, on an empty Debian.
test-bare: known
	@tests/bare $(if $(filter-out 0,$(SHORT)),--short) $(call quoted,$(RELEASE))

# Real device classes in a virtual machine of QEMU's own emulation; none of its times is kept.
test-devices: setup
	@tests/vm/run

# Power cuts for real: QEMU logs what a disk is told, and this machine's kernel mounts what it may hold.
receipts-vm: setup
	@tests/vm/cut

sanitize: setup
	@.ci/sanitize tests

sanitize-run: setup
	@.ci/sanitize workloads

# INPUT=FILE gives one input again; tests/fuzz/run.py takes what was typed.
fuzz: tools
	@$(BIN)/python tests/fuzz/run.py $(HANDED)

lint: tools
	@.ci/lint $(call quoted,$(or $(BASE),HEAD))

# NAME is what was typed: some systems have a variable of that name in the environment.
bench: setup
	@PYTHONPATH=tests $(BIN)/python -m bench $(if $(filter NAME,$(TYPED)),$(call quoted,$(NAME))) \
	  $(if $(ARGS),--args $(call quoted,$(ARGS)))

clean: known
	@python3 -m owned.clean


uninstall: known
	@python3 -m owned.clean --uninstall

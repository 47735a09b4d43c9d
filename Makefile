# waltax: what does the write-ahead log cost? `make` lists the targets.
# Recipes only delegate: to setup.sh, to `waltax`, to the test runners.

# What a person types is text: a variable of the command line holds what was typed, and nothing in it
# is ever expanded by make or run by the shell. `quoted` hands a text to the shell as one word.
# What refuses is marked `override`, so that it cannot be typed itself.
override TYPED := $(sort $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))), \
  $(if $(strip $(value $(name))),$(name)))))
override define newline :=


endef
override as_text = $(foreach name,$(1),$(if $(findstring $(newline),$(value $(name))), \
  $(error $(name): found a line break; type it in one line))$(eval override $(name) := $$(value $(name))))
$(if $(findstring $$,$(TYPED)),$(error $(TYPED): found a name with a dollar; no target takes it))
$(if $(findstring $(newline),$(MAKECMDGOALS)),$(error found a line break in the name of a target))
$(call as_text,$(filter-out TYPED as_text,$(TYPED)))
override quoted = '$(subst ','\'',$(1))'
# What a shell would not take as it stands.
override SPECIAL := ' " ` $$ \ ; & | < > ( ) [ ] { } * ? ! ~ \#
override special = $(strip $(word 2,x$(1)x)$(foreach one,$(SPECIAL),$(findstring $(one),$(1))))
$(if $(filter SHELL,$(TYPED)),$(if $(call special,$(SHELL)), \
  $(error SHELL: found $(SHELL); type the path of a shell, without blanks and quotes)))
override .SHELLFLAGS := -c
# The compilers and the server are for the programs that setup and waltax start; no recipe runs make.
$(foreach name,$(filter MARIADBD CC CXX,$(TYPED)),$(eval export $(name)))
MAKEOVERRIDES :=

# Which target takes which variable; `NAME=value` is that value alone, which is its default. Any
# other that was typed is refused: nobody wants a run of hours that dropped what was asked of it.
CAMPAIGN := PROFILE ENGINE WORKLOAD THREADS SEED RESUME PLAN DATA_DIR ARGS
TAKES_run := $(CAMPAIGN) BENCH WAL WAL_DIR
TAKES_run-device := $(TAKES_run) DEVICE
TAKES_paper := SCALE WORKLOAD SEED PLAN DATA_DIR ARGS ENGINE=myrocks
TAKES_sizes := PROFILE ENGINE WORKLOAD DATA_DIR ARGS
TAKES_serve := PROFILE ENGINE DEVICE WAL WAL_DIR SEED DATA_DIR ARGS
TAKES_sweep-latency := $(CAMPAIGN) DEVICE
TAKES_sweep-threads := $(CAMPAIGN) DEVICE
TAKES_db_bench := $(filter-out ENGINE WORKLOAD,$(CAMPAIGN)) DEVICE WAL_DIR ENGINE=rocksdb
TAKES_sweep-sizes := $(TAKES_db_bench) KEYS BENCH WAL
TAKES_sweep-knobs := $(TAKES_db_bench)
TAKES_predict := ENGINE WORKLOAD THREADS DEVICE ARGS
TAKES_probe := DIR PLAN ARGS
TAKES_compare := A B ARGS
TAKES_plot := ARGS
TAKES_lint := BASE
TAKES_bench := ARGS
TAKES_always := ROCKSDB_ROOT BUILD_DIR MARIADBD CC CXX SHELL

# Of the environment PLAN alone is held against the table: others may be meant for another target, or
# program. Those that a target takes are text as well.
override TYPED := $(sort $(TYPED) \
  $(if $(filter environment,$(firstword $(origin PLAN))),$(if $(strip $(value PLAN)),PLAN)))
TABLES := $(filter TAKES_%,$(.VARIABLES))
$(call as_text,$(foreach name,$(sort $(foreach table,$(TABLES),$($(table)))), \
  $(if $(filter environment,$(firstword $(origin $(name)))),$(name))))

# clang-tidy, the slow part of lint, looks at what differs from this commit.
BASE ?= HEAD
ROCKSDB_ROOT ?=

# A build against another RocksDB lives beside the usual one.
override blank := $(subst x,,x x)
OF_ROCKSDB = $(subst /,-,$(subst $(blank),-,$(abspath $(subst $(blank),-,$(ROCKSDB_ROOT)))))
BUILD_DIR := build/$(if $(ROCKSDB_ROOT),rocksdb$(OF_ROCKSDB),release)
export WALTAX_BUILD_DIR := $(BUILD_DIR)
export ROCKSDB_ROOT
BIN := .venv/bin
WALTAX := $(BIN)/waltax

# What to type instead, where something better is known than to leave it out.
INSTEAD_run_DEVICE = it goes with make run-device
INSTEAD_paper_RESUME = type make run RESUME=$(call shown,$(RESUME))
INSTEAD_serve_WORKLOAD = type ARGS=$(call quoted,--data $(call shown,$(WORKLOAD)))
INSTEAD_sweep-latency_WAL_DIR = its devices are emulated; type make probe DIR=$(call shown,$(WAL_DIR)) and then \
  make $(GOAL) DEVICE=./x.toml
INSTEAD_sweep-threads_WAL_DIR = $(INSTEAD_sweep-latency_WAL_DIR)
INSTEAD_sweep-latency_WAL = its commits are synced; leave it out
INSTEAD_sweep-threads_WAL = $(INSTEAD_sweep-latency_WAL)
INSTEAD_sweep-knobs_WAL = $(INSTEAD_sweep-latency_WAL)
INSTEAD_sweep-sizes_ENGINE = db_bench has RocksDB inside; leave it out or type make run \
  ENGINE=$(call shown,$(ENGINE))
INSTEAD_sweep-knobs_ENGINE = $(INSTEAD_sweep-sizes_ENGINE)
INSTEAD_sweep-sizes_WORKLOAD = it runs db_bench; leave it out
INSTEAD_sweep-knobs_WORKLOAD = $(INSTEAD_sweep-sizes_WORKLOAD)

# Of several goals, each variable must be known to one.
override GOAL = $(firstword $(MAKECMDGOALS))
override TAKES = $(sort $(foreach goal,$(MAKECMDGOALS),$(TAKES_$(patsubst bench-%,bench,$(goal)))))
override is_taken = $(filter $(TAKES) $(TAKES_always), \
  $(1) $(if $(filter 1,$(words $(value $(1)))),$(1)=$(strip $(value $(1)))))
override UNKNOWN = $(foreach name,$(TYPED),$(if $(call is_taken,$(name)),,$(name)))
override advice = $(or $(INSTEAD_$(GOAL)_$(1)),it takes $(or $(TAKES),no variable); leave it out)
# As it can be typed again.
override shown = $(if $(special),$(quoted),$(1))
override refuse = @printf '%s\n' \
  $(call quoted,make $(GOAL): $(1)=$(call shown,$(value $(1))): $(call advice,$(1))) >&2; exit 2
override NO_DEVICE = $(if $(filter run-device,$(MAKECMDGOALS)),$(if $(DEVICE)$(RESUME),, \
  @echo 'make run-device: DEVICE: missing; type make run-device DEVICE=nvme' >&2; exit 2))

# Variables are passed on as they were typed and only then: waltax has the defaults, and refuses
# what does not go together. `=` keeps a text that looks like a flag from being taken for one.
flag = $(if $($(1)),$(2)=$(call quoted,$($(1))))
# Words, which waltax splits as a shell would.
WORDS = $(if $(ARGS),--args $(call quoted,$(ARGS)))
WORKLOADS = $(call flag,WORKLOAD,--workload)
DEVICES = $(call flag,DEVICE,--device)
PLACES = $(call flag,DATA_DIR,--data-dir)
PLANS = $(if $(PLAN),--plan)
ENGINES = $(call flag,ENGINE,--engine)
ASKED = $(call flag,PROFILE,--profile) $(call flag,BENCH,--bench) \
  $(call flag,WAL,--wal) $(call flag,WAL_DIR,--wal-dir) $(call flag,THREADS,--threads) \
  $(call flag,SEED,--seed) $(DEVICES) $(PLACES) $(PLANS)
RESUMED = $(call flag,RESUME,--resume)

.DEFAULT_GOAL := help
.PHONY: help known setup run run-device paper sizes serve compare plot devices test sanitize \
  sanitize-run lint clean bench sweep-latency sweep-threads sweep-sizes sweep-knobs predict probe \
  test-devices

help:
	@echo 'waltax: what does the write-ahead log cost, on this device, for this workload?'
	@echo
	@echo '  target           what it does                                      time     disk'
	@echo '  make run         the WAL on ssd, nvme, nvram and off: overheads    6-12 min 4 GB'
	@echo '                   of both workloads, linkbench and tpcc'
	@echo '  make run WORKLOAD=tpcc   of one workload                            3-6 min 3 GB'
	@echo '  make run PROFILE=ci   the same, coarser                             4 min   2 GB'
	@echo '  make run ENGINE=myrocks   the same on MyRocks, on a MariaDB server  12 min 2 GB'
	@echo '  make run ENGINE=innodb    redo-log modes on each device (no off) 25 min 18 GB'
	@echo '  make run-device DEVICE=nvme [WAL_DIR=/mnt/x] [WAL=sync|flush|delayed|off]'
	@echo '                   [PROFILE=quick] [WORKLOAD=tpcc] [THREADS=n] [ENGINE=myrocks]'
	@echo '                   one device beside off                              6 min   2 GB'
	@echo '  make paper SCALE=0.01   the paper on MyRocks, its table beside ours  12 min 1 GB'
	@echo '  make paper PLAN=1       hours, disk and memory of the full size        3 s   -'
	@echo '  make sizes [PROFILE=quick]   bytes on disk of the same data per engine    1 min 2 GB'
	@echo '  make serve ENGINE=myrocks DEVICE=nvme   a server placed as a cell is, for tools'
	@echo '                   of yours; stops with Ctrl-C                         -       -'
	@echo '  make run WORKLOAD=dbbench [BENCH=fillseq,overwrite]   db_bench as the workload'
	@echo '                                                                       6 min   2 GB'
	@echo '  make probe DIR=/mnt/x [ARGS=--thorough]   what a log device can do, by fio; a file'
	@echo '                   that any machine can replay with DEVICE=./x.toml    1 min   4 GB'
	@echo '  make sweep-latency [WORKLOAD=tpcc] [ENGINE=myrocks] [DEVICE=./x.toml]   overhead'
	@echo '                   against sync latency: how fast must a log device be 10 min  2 GB'
	@echo '  make sweep-threads   the same over clients, 1 to 32                  10 min  2 GB'
	@echo '  make predict DEVICE=./x.toml   read off the newest curve             1 s     -'
	@echo '  make sweep-sizes [KEYS=200000]   db_bench over key and value sizes   8 min   1 GB'
	@echo '  make sweep-knobs [DEVICE=nvme]   one WAL setting at a time           5 min   1 GB'
	@echo '  make compare A=nvme B=ssd   two devices of the last campaign         2 s     -'
	@echo '  make plot        table and figures again, of the last campaign       3 s    1 MB'
	@echo '  make devices     the devices, and what each is on this machine       1 s     -'
	@echo '  make test        sets up and runs all tests                         12 min  1 GB'
	@echo '  make test-devices   detection and placement on real device classes, in QEMU'
	@echo '                                                                       6 min   1 GB'
	@echo '  make sanitize    the C++ tests under address, undefined, thread sanitizers 20 min 2 GB'
	@echo '  make sanitize-run  both workloads under them: load, 10 threads, check 6 min 1 GB'
	@echo '  make lint        ruff, mypy, clang-format, clang-tidy                1 min   -'
	@echo '  make bench       every benchmark below, as ratios                   90 min  8 GB'
	@echo '  make bench-driver     the generator over a store that does nothing   1 min  1 GB'
	@echo '  make bench-tap        throughput with the tap, over without          3 min  1 GB'
	@echo '  make bench-emulation  latency of emulated devices, over the model    2 min   -'
	@echo '  make bench-fidelity [ARGS=/mnt/x]   a real disk against its replay  12 min   2 GB'
	@echo '  make bench-design     interleaved slices against serial blocks       7 min  1 GB'
	@echo '  make bench-aa         two equal cells: how often are they told apart 9 min  1 GB'
	@echo '  make bench-kill       20 kills of a campaign, each resumed           8 min  1 GB'
	@echo '  make bench-load       bulk load of 1 M and of 10 M ids               1 min  8 GB'
	@echo '  make bench-tpcc       TPC-C per core without a WAL; its conflicts    3 min  2 GB'
	@echo '  make bench-crash      TPC-C killed, recovered, checked               3 min  1 GB'
	@echo '  make bench-tombstones Delivery after ten minutes of deleting        11 min  2 GB'
	@echo '  make bench-server-crash   a MariaDB server killed, recovered, checked 10 min 1 GB'
	@echo '  make bench-hang       LinkBench on MyRocks, 10 and 50 requesters    21 min 1 GB'
	@echo '  make bench-server-cpu CPU per request, client and server             1 min 1 GB'
	@echo '  make setup       packages, environment, build; others call it        4 min  1 GB'
	@echo '  make clean       removes what waltax made in build/ and data/            1 s     -'
	@echo
	@echo '  PLAN=1 prints what a run would do and write, and runs nothing. A variable that a target'
	@echo '  does not take is refused. For waltax itself, after make setup: . .venv/bin/activate'
	@echo '  DEVICE="nvme ./x.toml" and WORKLOAD="linkbench tpcc" name several. ARGS="..." holds further'
	@echo '  words for the command, quoted as in a shell; nothing that is typed is expanded or run.'
	@echo '  DATA_DIR=/path keeps data sets and clones there; a MariaDB server that root starts'
	@echo '  runs as another user, which must be able to enter it.'
	@echo '  MARIADBD=/path/to/mariadbd runs another MariaDB server.'
	@echo '  ROCKSDB_ROOT=/path builds against another RocksDB (7.8 to 11.x).'

# Before anything is installed or built.
known:
	$(if $(strip $(UNKNOWN)),$(call refuse,$(firstword $(UNKNOWN))),$(NO_DEVICE))
	@:

setup: known
	@BUILD_DIR=$(call quoted,$(BUILD_DIR)) ROCKSDB_ROOT=$(call quoted,$(ROCKSDB_ROOT)) ./setup.sh

run: setup
	@$(WALTAX) run $(RESUMED) $(WORKLOADS) $(ENGINES) $(ASKED) $(WORDS)

run-device: setup
	@$(WALTAX) run $(RESUMED) $(WORKLOADS) $(ENGINES) $(ASKED) $(WORDS)

paper: setup
	@$(WALTAX) paper $(call flag,SCALE,--scale) $(WORKLOADS) $(call flag,SEED,--seed) $(PLACES) $(PLANS) $(WORDS)

sizes: setup
	@$(WALTAX) sizes $(call flag,PROFILE,--profile) $(ENGINES) $(WORKLOADS) $(PLACES) $(WORDS)

serve: setup
	@$(WALTAX) serve $(ENGINES) $(ASKED) $(WORDS)

compare: setup
	@$(WALTAX) compare $(WORDS) -- $(call quoted,$(A)) $(call quoted,$(B))

# One campaign a workload: linkbench, unless WORKLOAD names another or both.
EACH_WORKLOAD = $(foreach name,$(or $(strip $(WORKLOAD)),-),$(WALTAX) $@ $(RESUMED) \
  $(if $(strip $(WORKLOAD)),--workload=$(call quoted,$(name))) $(ENGINES) $(ASKED) $(WORDS) &&) true

sweep-latency: setup
	@$(EACH_WORKLOAD)

sweep-threads: setup
	@$(EACH_WORKLOAD)

sweep-sizes: setup
	@$(WALTAX) sweep-sizes $(RESUMED) $(call flag,KEYS,--keys) $(ASKED) $(WORDS)

sweep-knobs: setup
	@$(WALTAX) sweep-knobs $(RESUMED) $(ASKED) $(WORDS)

predict: setup
	@$(WALTAX) predict $(call flag,WORKLOAD,--workload) $(ENGINES) $(DEVICES) \
	  $(call flag,THREADS,--threads) $(WORDS)

probe: setup
	@$(WALTAX) devices probe $(PLANS) $(WORDS) -- $(call quoted,$(DIR))

plot: setup
	@$(WALTAX) report $(WORDS)

devices: setup
	@$(WALTAX) devices

test: setup
	@ctest --test-dir $(call quoted,$(BUILD_DIR)) --output-on-failure -j2
	@$(BIN)/python tests/in_halves.py

# Real device classes in a virtual machine of QEMU's own emulation; none of its times is kept.
test-devices: setup
	@tests/vm/run

# RocksDB itself is not instrumented: tests/tsan.supp says what that hides.
SANITIZED = for kind in address thread; do \
  cmake -S . -B build/sanitize-$$kind -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DWALTAX_SANITIZE=$$kind >/dev/null

sanitize: known
	@$(SANITIZED) && \
	  cmake --build build/sanitize-$$kind && \
	  ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=$(call quoted,suppressions="$(CURDIR)/tests/tsan.supp") \
	    ctest --test-dir build/sanitize-$$kind --output-on-failure || exit 1; \
	done

sanitize-run: known
	@$(SANITIZED) && \
	  cmake --build build/sanitize-$$kind --target linkbench tpcc && \
	  tests/sanitize_workloads.sh build/sanitize-$$kind || exit 1; \
	done

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@MYPYPATH=build/types $(BIN)/mypy -p waltax
	@for room in tests/*.py $$(find tests -mindepth 1 -maxdepth 1 -type d); do \
	  case $$room in */__pycache__ | */config) continue ;; esac; \
	  [ -f $$room ] || ls $$room/*.py >/dev/null 2>&1 || continue; \
	  MYPYPATH=build/types:tests:$$room $(BIN)/mypy --explicit-package-bases $$room || exit 1; \
	done
	@$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.cc' '*.h' '*.c')
	@base=$$(git rev-parse --verify --quiet --end-of-options $(call quoted,$(or $(BASE),HEAD)^{commit})) || \
	  { printf '%s\n' $(call quoted,make lint: BASE=$(call shown,$(BASE)): no commit of this \
	    repository; type BASE=HEAD) >&2; exit 1; }; \
	changed=$$(git diff --name-only --diff-filter=d $$base -- '*.cc' '*.c' '*.h' | grep -v '^tests/'); \
	  [ -z "$$changed" ] || $(BIN)/clang-tidy --quiet -p $(call quoted,$(BUILD_DIR)) $$changed

bench: bench-driver bench-tap bench-emulation bench-fidelity bench-design bench-aa bench-kill bench-load \
  bench-tpcc bench-crash bench-tombstones bench-server-crash bench-hang bench-server-cpu

bench-%: setup
	@$(BIN)/python -m waltax.bench $(call quoted,$*) $(WORDS)

clean: known
	@python3 -m owned.clean

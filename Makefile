# waltax: what does the write-ahead log cost? `make` lists the targets.
# Recipes only delegate: to setup.sh, to `waltax`, to the test runners.
#: waltax: what does the write-ahead log cost, on this device, for this workload?
#:  (Times are of embedded RocksDB on two CPUs; servers take longer.)
#:  make run                 the cost on ssd, nvme and nvram, of LinkBench and TPC-C       8 min
#:    WORKLOAD=./mine.toml   ... of a workload of yours; tpcc, ycsb-a, kv-fillrandom       3 min
#:    ENGINE=myrocks         ... on a MariaDB server, 8 min; innodb: its log's modes     20 min
#:    BUILDS="a=DIR b=DIR"   ... of builds, of settings (SET=), of releases (RELEASE=)     4 min
#:  make run-device DEVICE=nvme [WAL_DIR=/mnt/x]    ... on one device, or on your drive    6 min
#:  make why                 which step of writing a log costs that                        8 min
#:  make sweep-latency       how fast a device must be; also sweep-threads, -load,
#:                           -sizes, -knobs, -memory, -nodes, -statements                  10 min
#:  make paper SCALE=0.01    the paper's table beside ours                                12 min
#:  make receipts            what a power cut loses; also receipts-recovery                4 min
#:  make try COMMAND='./bench 9' LOG=wal/    ... of a program of your own                 3 min
#:  make try PRESET=myrocks DEVICE=nvme      a server with its log there, for your tools
#:  make compare A=nvme B=ssd    are they different; A=results/x B=results/y GATE=1;
#:                           also compare-floor (half an hour), compare-bisect             3 s
#:  make report              the last report again, 3 s; FORMAT=bundle, 10 s; also -gallery   30 min
#:  make devices             all devices; also devices-check, -probe, -import, -predict      1 s
#:  make workload FILE=./mine.toml    what it says     make doctor    is this machine fit
#:
#:  make test [ROOM=runners]   sets up and runs the tests, 12 min; test-all, test-bare, test-devices,
#:  receipts-vm, sanitize, sanitize-run, fuzz, lint, bench, package: CONTRIBUTING.md. make setup, clean
#:  Each variable is an option: make why DEVICE=nvme PLAN=1 is `waltax why --device nvme --plan`, which
#:  only prints the plan. `waltax COMMAND --help` lists them. make exits with 2 whatever fails.

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
override SHELL := /bin/sh
override .SHELLFLAGS := -c
# The compilers and the server are for the programs that setup and waltax start; no recipe runs make.
$(foreach name,$(filter MARIADBD CC CXX,$(TYPED)),$(eval export $(name)))
override MAKEOVERRIDES :=
# A build against another RocksDB has a folder beside the usual one.
override blank := $(subst x,,x x)
override OF_ROCKSDB = $(subst /,-,$(subst $(blank),-,$(abspath $(subst $(blank),-,$(ROCKSDB_ROOT)))))
ROCKSDB_ROOT ?=
BUILD_DIR := build/$(if $(ROCKSDB_ROOT),rocksdb$(OF_ROCKSDB),release)
export WALTAX_BUILD_DIR := $(BUILD_DIR)
export BUILD_DIR ROCKSDB_ROOT

override BIN := .venv/bin
override OF_WALTAX := run run-device why sweep-latency sweep-threads sweep-load sweep-sizes sweep-knobs sweep-memory \
  sweep-nodes sweep-statements paper receipts receipts-recovery try compare compare-floor compare-bisect \
  report report-gallery plot devices devices-check devices-probe devices-import devices-predict workload doctor
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
override TARGETS := help known setup tools $(OF_WALTAX) test test-all test-bare test-devices receipts-vm \
  sanitize sanitize-run fuzz lint bench package clean
override STRAY := $(filter-out $(TARGETS),$(MAKECMDGOALS))
# Make is content with a word that is a folder of ours, and the old names lead to the new ones.
override WORDS := $(filter-out $(TARGETS),$(patsubst %/main.cc,%,$(wildcard */main.cc)) bisect floor gate \
  predict probe recovery recovery-modes receipts-modes releases serve study-memory study-shards study-sqlops)
override stray = @./setup.sh --stray $(call quoted,$(firstword $(MAKECMDGOALS))) $(call quoted,$(firstword $(STRAY)))
override refuse = @printf '%s\n' $(call quoted,make $(firstword $(MAKECMDGOALS)): $(1)) >&2; exit 2

.DEFAULT_GOAL := help
.PHONY: $(TARGETS) $(WORDS)

help:
	@sed -n 's/^#: \{0,1\}//p' Makefile

# Before anything is installed or built.
known:
	$(if $(if $(STRAY),$(filter MAKECMDGOALS,$(UNKNOWN)),$(UNKNOWN)),$(call refuse,$(UNKNOWN)=$(value $(UNKNOWN)): it takes $(or $(strip $(OWN)),no variable); leave it out))
	$(if $(STRAY),$(stray))
	$(if $(filter run-device,$(GOALS)),$(if $(value DEVICE)$(value RESUME),,$(call \
	  refuse,DEVICE: missing; type make run-device DEVICE=nvme)))
	$(if $(and $(GOALS),$(HANDED)),@./setup.sh --known $(GOALS) $(HANDED))
	$(if $(and $(filter test,$(MAKECMDGOALS)),$(value ROOM)),@tests/run --known $(call quoted,$(ROOM)))
	@:

$(WORDS): known
.DEFAULT: ; $(stray)

$(OF_WALTAX): setup
	@$(BIN)/waltax --make $@ $(filter-out $@,$(GOALS)) $(HANDED)

setup: known; @./setup.sh
clean: known; @python3 -m base.folders.clean

# What developers need besides, and what they run with it; CONTRIBUTING.md says more of each.
tools: setup; @./setup.sh --tools
test: tools; @tests/run $(call quoted,$(ROOM))
test-all: tools; @tests/nightly
test-bare: known; @tests/bare $(if $(filter-out 0,$(SHORT)),--short) $(call quoted,$(RELEASE))
test-devices receipts-vm: setup; @tests/vm/$(if $(filter receipts-vm,$@),cut,run)
sanitize sanitize-run: setup; @.ci/sanitize $(if $(filter sanitize-run,$@),workloads,tests)
package: setup; @packages/build
fuzz: tools; @$(BIN)/python tests/fuzz/run.py $(HANDED)
lint: tools; @.ci/lint $(call quoted,$(or $(BASE),HEAD))
# NAME is what was typed: some systems have a variable of that name in the environment.
bench: setup
	@PYTHONPATH=tests $(BIN)/python -m bench $(if $(filter NAME,$(TYPED)),$(call quoted,$(NAME))) \
	  $(if $(ARGS),--args $(call quoted,$(ARGS)))

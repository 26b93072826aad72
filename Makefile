# Short names for what one does with the project; `make` alone lists them.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
WERROR ?= ON
SETUP ?= yes
BUDGET ?= 2000
SECONDS ?= 60
RUNS ?=
TARGETS ?=
ROOMS ?=
PYTHON ?= python3

release := build/release
ifeq ($(SETUP),no)
  install_packages := @true
else
  install_packages := @tools/setup
endif

.PHONY: help setup configure build docs site cross python wheel stubs demo paper pictures loop mpi cluster-test test torture sanitize fuzz coverage bench scale manual deb install format check lint clean
.DEFAULT_GOAL := help

help: ## print this list
	@echo "usage: make TARGET [JOBS=n] [PREFIX=dir] [DESTDIR=dir] [WERROR=OFF] [SETUP=no] [BUDGET=kills]"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 15

setup: ## install the packages that are missing (Debian 12, as root or with sudo)
	$(install_packages) build

configure: setup
	@echo "configuring $(release)"
	@cmake --preset release -DEQUIPOISE_WERROR=$(WERROR) >/dev/null

build: configure ## build the program: build/release/equipoise
	@cmake --build --preset release --target equipoise --parallel $(JOBS)

docs: build ## write the page of parameters that the program makes of itself
	@tools/docs

site: docs ## the docs as a site in build/site (mkdocs and material in the virtual environment build/site-venv)
	$(install_packages) site
	@tools/site_build

cross: ## build what knows processors for arm64 and run its tests under emulation
	$(install_packages) build cross
	@JOBS=$(JOBS) tools/cross

python: setup ## the package and what its tests need in the virtual environment build/venv (PYTHON=python3.12); then its tests
	@tools/python_venv "$(PYTHON)" $(JOBS)

wheel: setup ## a wheel that carries what it links, in build/wheel; checked in a bare virtual environment (PYTHON=python3.12)
	@tools/python_wheel "$(PYTHON)"

stubs: build ## write the types of the Python package that its table of methods gives
	@cmake --build --preset release --target _native --parallel $(JOBS)
	@PYTHONPATH=$(release)/python tools/python_stubs

demo: build ## simulate, compare base models and CBR, report, recommend; all of it in demo/
	@tools/demo

paper: build ## all tables and figures of the docs, in paper/: a pilot says how long it takes (HOURS=6; data in EQUIPOISE_DATA)
	@experiments/paper --hours $(or $(HOURS),6)

pictures: build ## the pictures of the README and the tutorial, in docs/pictures
	@tools/pictures

loop: build ## serve, explore, log, train again: five rounds on the simulator, in loop/ (minutes)
	@experiments/loop

mpi: ## build build/release/equipoise-mpi, the same verbs for mpirun and Slurm (docs/cluster.md)
	$(install_packages) build mpi
	@cmake --preset release -DEQUIPOISE_WERROR=$(WERROR) -DEQUIPOISE_MPI=ON >/dev/null
	@cmake --build --preset release --target equipoise-mpi --parallel $(JOBS)

cluster-test: mpi ## training of every method, base and balance on 1 to 4 ranks; two hosts (network namespaces), links cut, processes killed 30 times; as root
	@cmake --build --preset release --target equipoise --parallel $(JOBS)
	@EQUIPOISE_WHOLE_TABLE=1 /usr/bin/python3 -B tests/cluster/training.py $(release)/equipoise $(release)/equipoise-mpi
	@/usr/bin/python3 -B tests/cluster/hosts.py $(release)/equipoise $(release)/equipoise-mpi

test: configure ## build everything and run all tests
	@cmake --build --preset release --parallel $(JOBS)
	@ctest --preset release
	@tools/skipped $(release)

torture: configure ## all fault tests in full: BUDGET=2000 kills and the rest in proportion
	@cmake --build --preset release --target equipoise test_faults fault_shim --parallel $(JOBS)
	@tools/torture $(release) $(BUDGET)

sanitize: setup ## all tests under the sanitizers: address and undefined behaviour, then threads; of ROOMS="core data" alone
	@JOBS=$(JOBS) PYTHON=$(filter-out python3,$(PYTHON)) tools/sanitize asan $(ROOMS)
	@JOBS=$(JOBS) PYTHON=$(filter-out python3,$(PYTHON)) tools/sanitize tsan $(ROOMS)

fuzz: ## fuzz what reads files: SECONDS=60 each, or RUNS=n executions, of TARGETS
	$(install_packages) build fuzz
	@JOBS=$(JOBS) tools/fuzz $(if $(RUNS),--runs $(RUNS),--seconds $(SECONDS)) $(TARGETS)

coverage: setup ## which lines of parsing and file code the tests run
	@JOBS=$(JOBS) tools/coverage

bench: ## measure steps and kernels beside PyTorch; all figures in build/bench/bench.json
	$(install_packages) build bench
	@cmake --preset bench >/dev/null
	@cmake --build --preset bench --target bench_equipoise --parallel $(JOBS)
	@bench/run build/bench

scale: ## measure reading 1 GB, the next start, comparing on two cores, and the paper's largest size; needs 4 GB of room
	$(install_packages) build bench
	@cmake --preset bench >/dev/null
	@cmake --build --preset bench --target bench_reading equipoise --parallel $(JOBS)
	@bench/scale build/bench

manual: build ## print man pages and completion for shells, in build/release/manual
	@cmake --build --preset release --target manual --parallel $(JOBS)

deb: configure ## Debian packages of the program and the C++ library in build/deb, looked at by lintian
	$(install_packages) build deb
	@cmake --build --preset release --target equipoise equipoise_first manual --parallel $(JOBS)
	@tools/deb $(release)

install: manual ## install the program under PREFIX (/usr/local), inside DESTDIR if given
	@cmake --build --preset release --target equipoise_first --parallel $(JOBS)
	@DESTDIR="$(DESTDIR)" cmake --install $(release) --prefix "$(PREFIX)"

format: ## lay out every C++ file as .clang-format says
	$(install_packages) lint
	@tools/cpp_files | xargs -0 clang-format -i

check: ## the house rules alone: layers, files, words, pages (no compiler needed)
	@tools/check_selftest
	@tools/check_layers
	@tools/check_files
	@tools/check_words
	@tools/check_pages

lint: configure check ## house rules, shellcheck, ruff, clang-format and clang-tidy
	$(install_packages) lint
	@tools/lint_scripts
	@tools/cpp_files | xargs -0 clang-format --dry-run -Werror
	@echo "clang-format: every file is laid out as it should be"
	@tools/tidy $(release) $(JOBS)

clean: ## remove build/, demo/ and paper/
	@rm -rf build demo paper

# Thin on purpose: every target is a line or two over CMakePresets.json and tools/. `make help`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
SOAK_SECONDS ?= 600
SOAK_OPTIONS ?=
BINARY := build/release/mizan
# Configures only a new folder, or after a change of the presets; the build does the rest itself.
configure = [[ build/$(1)/build.ninja -nt CMakePresets.json ]] || cmake --preset $(1)
build = $(call configure,$(1)) && cmake --build --preset $(1) -j $(JOBS)
say = @printf '==> %s\n'

.PHONY: help setup packages build demo test unit conformance integration prove soak bench lint format-check \
	format tidy shellcheck yamllint clang-tidy clang headers minimal asan tsan cover install \
	package package-check clean ci

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  %-30s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the Debian packages that are missing (needs root or sudo)
	$(say) 'Checking the packages'
	@tools/setup.sh

packages:
	$(say) 'Checking the packages that building and testing need'
	@tools/setup.sh build

build: ## Build everything, optimised: build/release/mizan
	$(say) 'Building (release)'
	@$(call build,release)

demo: packages ## The story of the lock that lies, on an embedded store
	$(say) 'Building the program (release)'
	@$(call build,release) --target mizan
	$(say) 'Running the demo'
	@$(BINARY) demo

test: packages build prove ## Every test, and the prover
	$(say) 'Running every test'
	@ctest --preset release -j $(JOBS) --no-label-summary

unit conformance integration: build ## One level of tests
	$(say) 'Running the $@ tests'
	@ctest --preset release -j $(JOBS) -L '^$@$$'

prove: build ## Prove that no money appears or vanishes, under load and faults
	$(say) 'Running the prover'
	@$(BINARY) prove

soak: build ## Ten minutes of bad clients and a server that is killed (SOAK_SECONDS)
	$(say) 'Soaking the server'
	@python3 tests/soak/soak.py $(BINARY) --seconds $(SOAK_SECONDS) $(SOAK_OPTIONS)

bench: build ## Measure this machine
	$(say) 'Running the benchmarks'
	@$(BINARY) bench

lint: format-check tidy shellcheck yamllint ## Every check that needs no build

format-check: ## Is the C++ code formatted?
	$(say) 'Checking the format'
	@tools/format.sh --check

format: ## Format the C++ code in place
	$(say) 'Formatting'
	@tools/format.sh

tidy: ## The project's own rules: layers, sizes, names, links
	$(say) 'Checking the rules of the house'
	@python3 tools/tidy.py

shellcheck: ## Check the shell scripts
	$(say) 'Checking the shell scripts'
	@shellcheck tools/*.sh .ci/run tests/package/*.sh packaging/debian/{postinst,prerm,postrm}

yamllint: ## Check the YAML files
	$(say) 'Checking the YAML files'
	@yamllint --strict -d '{extends: default, rules: {line-length: {max: 160}, document-start: disable, braces: {max-spaces-inside: 1}}}' .clang-format .clang-tidy .pre-commit-config.yaml

clang-tidy: ## clang-tidy: changed files first (MIZAN_CLANG_TIDY=all for all)
	$(say) 'Running clang-tidy'
	@cmake --preset dev >/dev/null && tools/clang_tidy.sh

clang: ## Build with clang and its thread-safety analysis
	$(say) 'Building (clang)'
	@$(call build,clang)

headers: ## Does each public header compile alone?
	$(say) 'Compiling each public header alone'
	@$(call build,headers)

minimal: ## Build the library alone
	$(say) 'Building (minimal)'
	@$(call build,minimal)

asan tsan: ## The conformance suites under a sanitizer
	$(say) 'Building and testing ($@)'
	@$(call build,$@) && ctest --preset $@ -j $(JOBS)

cover: ## Coverage of src/, as text and HTML (needs gcovr)
	$(say) 'Measuring coverage'
	@command -v gcovr >/dev/null || { echo 'gcovr is missing: apt-get install gcovr' >&2; exit 1; }
	@$(call build,cover) && ctest --preset cover -j $(JOBS)
	@gcovr -r . --object-directory build/cover -f src/ -f include/ --exclude-throw-branches \
	  --txt-metric branch --html-details build/cover/coverage.html --print-summary

install: build ## Install under PREFIX (default /usr/local)
	$(say) 'Installing under $(PREFIX)'
	@cmake --install build/release --prefix '$(PREFIX)'

package: build ## Build the Debian package: build/release/package/
	$(say) 'Building the package'
	@cd build/release && cpack

package-check: build ## Build two projects that use the library, and install the package
	$(say) 'Checking the package'
	@ctest --preset release -L '^package$$'

clean: ## Remove everything built
	$(say) 'Removing build/'
	@rm -rf build

ci: ## What must be green before a change is merged
	@$(MAKE) setup
	@$(MAKE) lint
	@$(MAKE) headers
	@$(MAKE) asan
	@$(MAKE) tsan
	@MIZAN_CLANG_TIDY="src/base src/domain src/engine src/json src/lock src/store" \
	  MIZAN_CLANG_TIDY_SECONDS=240 $(MAKE) clang-tidy
	@MIZAN_REQUIRE=postgres,pgbouncer,mariadb,redis,galera,clients $(MAKE) test

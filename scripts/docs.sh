#!/usr/bin/env bash
# Runs every block of the documentation that begins with ```sh, in order, from the root of the repository. A block that is not to be
# run (it needs Vivado, say) begins with ```text or ```console. Arguments are pages; without any, all. `rdma-rtl` must have been built.
set -euo pipefail
cd "$(dirname "$0")/.."
blocks=0
[ $# -gt 0 ] || set -- README.md docs/src/*.md
for page in "$@"; do
    script=$(awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$page")
    [ -n "$script" ] || continue
    echo "-- $page"
    bash -euo pipefail -c "PATH=\"${CARGO_TARGET_DIR:-$PWD/target}/debug:\$PATH\"; set -x; $script" || { echo "docs: a command of $page fails" >&2; exit 1; }
    blocks=$((blocks + $(grep -c '^```sh$' "$page")))
done
[ "$blocks" -gt 0 ] || { echo "docs: no block was found" >&2; exit 1; }
echo "docs: $blocks blocks of commands run"

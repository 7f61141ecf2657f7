#!/usr/bin/env bash
# Runs the same code objects on tinygrad's CDNA emulator and on ours, side by side, and compares outputs and times.
set -euo pipefail
peer=${1:+$(realpath -m -- "$1")} # before lib.sh changes the folder
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'TEXT'
usage: scripts/compare-peer.sh TINYGRAD_CHECKOUT [--repeat N] [--runs N] [--only TEXT]

Builds the emulator and the kernels of tests/emulator/peer, runs each on both emulators and prints one table: outputs
equal bit for bit or not, and seconds for the first (cold) and for further (warm) runs, ours with one thread and two.
Needs Python 3.11 or newer, and a clang on PATH with which tinygrad compiles for the CPU. Nothing is written into the
checkout. Times mean something on a quiet machine only: the load is printed. docs/peer-comparison.md has measured tables.

  --repeat N  processes of each kind for each kernel, of which the best time counts (3)
  --runs N    runs in a process, the first one cold (6)
  --only TEXT kernels whose case has TEXT in its name (all)
  --help      this text

exit status: 0 all as expected, 1 a difference that is not known, 2 wrong usage, or something could not be built or run
TEXT
}

for argument in "$@"; do
  case $argument in
  --help | -h)
    usage
    exit 0
    ;;
  esac
done
[[ -n $peer ]] || wrong_usage "where is the checkout of tinygrad?"
shift
[[ -e $peer/test/mockgpu/amd/emu.py ]] || wrong_usage "$peer has no test/mockgpu/amd/emu.py: no checkout of tinygrad with its emulator"
command -v clang >/dev/null || fail "no clang on PATH, which tinygrad compiles with" 2
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11" 2

# shellcheck disable=SC2119 # the default compiler
set_up
lock_build
build emulated run_kernel peer_cases peer_code
python3 tests/emulator/peer/compare.py build/emulated "$peer" "$@"

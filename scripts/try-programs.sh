#!/usr/bin/env bash
# Builds HIP programs that others wrote and runs each on the emulator under many schedules.
set -euo pipefail
checkouts=() # before lib.sh changes the folder
while [[ $# -gt 0 && $1 != -* ]]; do
  checkouts+=("$(realpath -m -- "$1")")
  shift
done
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'TEXT'
usage: scripts/try-programs.sh CHECKOUT... [--seeds N] [--only TEXT] [--limit SECONDS] [--jobs N]

Each CHECKOUT is one of ROCm/rocm-examples, ROCm/hip-tests or ROCm/rocPRIM. Builds the emulator, and the programs of the
checkout for both targets with the HIP headers and the device compiler that this repository is built with. Runs each
program on the emulator, on both targets, under the schedules late, eager and random ones, and prints one table for each
checkout. A program passes when its own check does (exit status, and its text of success where it has one), it broke no
rule of the emulator, and its output is the same under all schedules but for times and the order of lines. Needs Python
3.11 or newer. Nothing is written into a checkout. docs/foreign-programs.md has a table, and says which programs are
not run and why.

  --seeds N        random schedules of each program: random:1 to random:N (20)
  --only TEXT      programs with TEXT in their name (all)
  --limit SECONDS  how long one run of a program may take (300)
  --jobs N         compilations and runs at the same time (a job a CPU)
  --help           this text

exit status: 0 all passed, 1 a program failed or could not be built, 2 wrong usage, or nothing could be tried
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
((${#checkouts[@]} > 0)) || wrong_usage "where is the checkout?"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11" 2

# shellcheck disable=SC2119 # the default compiler
set_up
lock_build
build emulated amdhip64
PYTHONDONTWRITEBYTECODE=1 python3 tests/hip/programs/try_programs.py build/emulated "$device_compiler" build/programs "${checkouts[@]}" "$@"

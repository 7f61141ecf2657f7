#!/usr/bin/env bash
# Runs every suite's tests on the emulator under many schedules: what is correct gives the same result under all.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'TEXT'
usage: scripts/run-schedules.sh [--seeds N] [--opt O1|O3] [--only TEXT] [--built FOLDER]

Builds the suites' run tests and runs each suite on both targets in one process a schedule: late, eager, and random:1 to
random:N (docs/emulator.md, "Late completion"). Every test must pass under every schedule. One line for each suite and
target, and one for each test that fails under late, or under another schedule and not under late.

  --seeds N        random schedules (20)
  --opt O1|O3      the code objects of this optimisation level (O3)
  --only TEXT      suites with TEXT in their name (all)
  --built FOLDER   a build folder that is up to date, instead of building
  --help           this text

exit status: 0 all passed, 1 a test failed under some schedule, 2 wrong usage, or set-up or build failed
TEXT
}

seeds=20 opt=O3 only='' built=''
while (($#)); do
  case $1 in
  --help | -h)
    usage
    exit 0
    ;;
  --seeds | --opt | --only | --built)
    (($# > 1)) || wrong_usage "$1 needs a value"
    case $1 in
    --seeds) seeds=$2 ;;
    --opt) opt=$2 ;;
    --only) only=$2 ;;
    --built) built=$2 ;;
    esac
    shift
    ;;
  *) wrong_usage "unknown option: $1" ;;
  esac
  shift
done
[[ $seeds =~ ^[0-9]+$ ]] || wrong_usage "--seeds $seeds: not a number"
[[ $opt == O1 || $opt == O3 ]] || wrong_usage "--opt $opt: neither O1 nor O3"

if [[ -z $built ]]; then
  # shellcheck disable=SC2119 # the default compiler
  set_up
  lock_build
  build emulated
  built=build/emulated
fi

schedules=(late eager)
for ((seed = 1; seed <= seeds; ++seed)); do schedules+=("random:$seed"); done
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# failed_tests LOG STATUS: the tests that failed, one a line; a run that did not end as it should counts as one.
failed_tests() {
  {
    sed -nE 's/^\[  FAILED  \] ([^ ,]+\.[^ ,]+).*/\1/p' "$1"
    if (($2 > 1)) || ! grep -q '^\[==========\].* ran\.' "$1"; then echo "(ended with status $2)"; fi
  } | LC_ALL=C sort -u
}

failures=0 differences=0
for binary in "$built"/bin/*_run; do
  suite=${binary##*/}
  suite=${suite%_run}
  [[ $suite == *"$only"* ]] || continue
  for target in gfx942 gfx950; do
    began=$SECONDS different=0
    for schedule in "${schedules[@]}"; do
      status=0
      CDNA_CTS_TARGET=$target CDNA_CTS_SCHEDULE=$schedule timeout 1800 "$binary" --target "$target" --opt "$opt" \
        >"$logs/log" 2>&1 </dev/null || status=$?
      failed_tests "$logs/log" "$status" >"$logs/failed"
      if [[ $schedule == late ]]; then
        cp "$logs/failed" "$logs/late"
        failures=$((failures + $(wc -l <"$logs/late")))
        while IFS= read -r line; do say "$suite $target: under late: $line"; done <"$logs/late"
      fi
      while IFS= read -r line; do
        say "$suite $target: under $schedule, not under late: $line"
        different=$((different + 1))
      done < <(LC_ALL=C comm -13 "$logs/late" "$logs/failed")
    done
    differences=$((differences + different))
    tests=$(sed -nE 's/^\[==========\] ([0-9]+) tests? .* ran\..*/\1/p' "$logs/log")
    say "$suite $target: ${tests:-no} tests, $(wc -l <"$logs/late") failed under late, $different differences in ${#schedules[@]} schedules, $((SECONDS - began)) s"
  done
done
say "$failures failures under late, $differences differences"
((failures + differences == 0))

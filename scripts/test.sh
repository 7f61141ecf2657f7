#!/usr/bin/env bash
# Sets up what is missing, builds, and runs all tests: everything CTest knows, the formatting, and the host code under
# sanitizers. Ends with one line of totals.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'TEXT'
usage: scripts/test.sh [--tidy] [--no-asan]

  --tidy     also clang-tidy on every source (half a minute a file: not part of the default)
  --no-asan  leave out the build under address and undefined-behaviour sanitizers
  --help     this text

exit status: 0 all passed, 1 a test or a check failed, 2 wrong usage, or set-up or build failed
TEXT
}

tidy=no asan=yes
while (($#)); do
  case $1 in
  --tidy) tidy=yes ;;
  --no-asan) asan=no ;;
  --help | -h)
    usage
    exit 0
    ;;
  *) wrong_usage "unknown option: $1" ;;
  esac
  shift
done

passed=0 failed=0 skipped=0 bad_phases=()

# show_failures LOG: of each test that failed, the first lines of its output.
show_failures() {
  awk '/^ *[0-9]+\/[0-9]+ Test +#|^ *Start +[0-9]+: |tests passed,/ {left = /\*\*\*(Failed|Timeout|Exception|Not Run)/ ? 40 : 0}
       left-- > 0' "$1"
}

# test_preset PRESET CTEST-ARGUMENTS...: runs it and adds to the totals. What CTest could not start, or left out because
# a test before it failed, has failed.
test_preset() {
  local preset=$1 began=$SECONDS status=0 junit=$PWD/build/$1/junit.xml all run skip
  shift
  rm -rf "$junit" "build/$preset/evidence"
  mkdir -p "build/$preset/evidence"
  say "testing preset $preset"
  CDNA_CTS_EVIDENCE=$PWD/build/$preset/evidence run_ctest "build/$preset/ctest.log" --test-dir "build/$preset" -j2 \
    --no-tests=error --output-junit "$junit" "$@" || status=$?
  if ((status != 0)); then
    bad_phases+=("tests of $preset (build/$preset/ctest.log)")
    show_failures "build/$preset/ctest.log"
  fi
  if [[ -e $junit ]]; then
    all=$(grep -c '<testcase ' "$junit" || true)
    run=$(grep -c '<testcase .* status="run"' "$junit" || true)
    skip=$(grep -cE '<testcase .* status="disabled"|^[[:space:]]*<skipped message="SKIP_' "$junit" || true)
    passed=$((passed + run)) skipped=$((skipped + skip)) failed=$((failed + all - run - skip))
  fi
  took "tests of $preset" "$began"
}

check_format() {
  local began=$SECONDS
  git ls-files -z '*.cpp' '*.hpp' '*.hip' | xargs -0 -r clang-format --dry-run -Werror || bad_phases+=("formatting")
  took "formatting" "$began"
}

# check_report: REPORT.md at the top is what this evidence gives. The environment may differ from the machine that made it,
# the verdicts may not.
check_report() {
  local began=$SECONDS fresh=$PWD/build/emulated/REPORT.md
  build/emulated/bin/cdna-cts report --evidence build/emulated/evidence --format md -o "$fresh" || true
  if ! diff <(verdicts REPORT.md) <(verdicts "$fresh") >build/emulated/report.diff; then
    head -20 build/emulated/report.diff
    bad_phases+=("REPORT.md is stale: run scripts/run.sh --update-report")
  fi
  took "report" "$began"
}

# verdicts FILE: a report without its environment section.
verdicts() { awk '/^## /{skip = /^## Environment/} !skip' "$1"; }

check_tidy() {
  local began=$SECONDS folder=build/emulated/tidy
  # What several programs are made of is compiled as often; once is enough here.
  python3 - build/emulated/compile_commands.json "$folder" <<'PYTHON' >"$folder.files"
import json, os, sys

first = {}
for entry in json.load(open(sys.argv[1])):
    first.setdefault(entry["file"], entry)
os.makedirs(sys.argv[2], exist_ok=True)
json.dump(list(first.values()), open(os.path.join(sys.argv[2], "compile_commands.json"), "w"))
print("\n".join(sorted(first)))
PYTHON
  xargs -a "$folder.files" -d '\n' -n 1 -P "$(nproc)" timeout 600 clang-tidy-16 --quiet --extra-arg=-fno-openmp -p "$folder" 2>/dev/null ||
    bad_phases+=("clang-tidy")
  took "clang-tidy" "$began"
}

# shellcheck disable=SC2119 # the default compiler
set_up
set_up_amd_runtime
scripts/setup.sh --slurm </dev/null || say "Slurm could not be set up: its test will be skipped"
set_up_browser
[[ $tidy == no ]] || scripts/setup.sh --tidy </dev/null || fail "clang-tidy could not be set up" 2
lock_build
build emulated
test_preset emulated
check_report
check_format
if [[ $asan == yes ]]; then
  build asan
  test_preset asan --label-exclude '^(fault|time)$'
fi
if [[ $tidy == yes ]]; then check_tidy; fi

((${#bad_phases[@]} == 0)) || printf 'failed: %s\n' "${bad_phases[@]}"
took "all" 0
echo "$passed passed, $failed failed, $skipped skipped"
((${#bad_phases[@]} == 0))

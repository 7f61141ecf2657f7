#!/usr/bin/env bash
# Stops runs of a suite in the middle, in three unkind ways, and asks of each: is every result that was finished in the
# report, and does the report name what is missing?
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'TEXT'
usage: scripts/try-kills.sh [--suite NAME] [--trials N] [--seed N]

Needs a built preset "emulated" (scripts/run.sh builds it). Runs the tests of a suite for gfx942, N times (ten), each
stopped at a random moment: by SIGKILL of all its processes; by a full disk (a small tmpfs: only root can make one, others
skip it); by SIGKILL and a last record of which a random number of bytes is gone, as after a power cut.

exit status: 0 nothing was lost and everything missing was named, 1 otherwise, 2 wrong usage
TEXT
}

suite=lane_ownership trials=10 seed=$RANDOM
while (($#)); do
  case $1 in
  --suite | --trials | --seed)
    [[ -n ${2:-} ]] || wrong_usage "$1 takes a value"
    printf -v "${1#--}" '%s' "$2"
    shift
    ;;
  --help | -h)
    usage
    exit 0
    ;;
  *) wrong_usage "unknown option: $1" ;;
  esac
  shift
done
[[ -d suites/$suite ]] || wrong_usage "there is no suite '$suite' in suites/"
[[ $trials =~ ^[1-9][0-9]*$ && $seed =~ ^[0-9]+$ ]] || wrong_usage "--trials and --seed take numbers"

cli=$PWD/build/emulated/bin/cdna-cts
[[ -x $cli ]] || fail "build/emulated/bin/cdna-cts: not there; scripts/run.sh builds it" 2
RANDOM=$((seed % 32768))
folder=$(mktemp -d)
trap 'umount "$folder/disk" 2>/dev/null || true; rm -rf "$folder"' EXIT

# run EVIDENCE: the suite's tests for gfx942, in a session of their own, in the background: $job is its leader.
run() {
  CDNA_CTS_EVIDENCE=$1 setsid ctest --test-dir "build/emulated/suites/$suite" -L '^gfx942$' -LE '^fault$' -j2 \
    >"$folder/ctest.log" 2>&1 </dev/null &
  job=$!
}

# count_in WORD FILE...: lines with the word, over all files.
count_in() { cat "${@:2}" 2>/dev/null | grep -c -- "$1" || true; }

# judge HOW EVIDENCE: compares the folder with its report. A record is finished when its line is whole.
judge() {
  local how=$1 evidence=$2 finished all never crashed torn named lost status_0 verdict=ok
  shopt -s nullglob
  # awk, not cat: a torn last line must not run into the next file's first.
  finished=$(awk '/^{.*}$/' "$evidence"/*.jsonl </dev/null | wc -l)
  torn=$(awk '!/^{.*}$/ && !/^$/' "$evidence"/*.jsonl "$evidence"/*.begun </dev/null | wc -l)
  shopt -u nullglob
  "$cli" report --evidence "$evidence" --format json -o "$folder/report.json" 2>"$folder/report.err" && status_0=yes || status_0=no
  all=$(count_in '"outcome":' "$folder/report.json")
  never=$(count_in '"detail": "planned and never begun' "$folder/report.json")
  crashed=$(count_in '"detail": "began and left no record' "$folder/report.json")
  named=$(count_in 'not a whole JSON record' "$folder/report.err")
  lost=$((finished - (all - never - crashed)))
  ((lost == 0)) || verdict="$lost results lost"
  [[ $status_0 == no ]] || ((never + crashed + torn == 0)) || verdict="the report calls it complete"
  ((torn == named)) || verdict="$torn torn records, $named named"
  ((finished + never + crashed >= planned)) || verdict="$((planned - finished - never - crashed)) results not named"
  printf '%-12s %5s finished, %4s begun and unfinished, %4s never begun, %s torn: %s\n' "$how" "$finished" "$crashed" \
    "$never" "$torn" "$verdict"
  [[ $verdict == ok ]]
}

status=0
say "seed $seed"
for ((trial = 0; trial < trials; trial++)); do
  how=SIGKILL
  ((trial % 3 != 1)) || how="full disk"
  ((trial % 3 != 2)) || how=truncation
  evidence=$folder/evidence
  rm -rf "$evidence" && mkdir "$evidence"
  if [[ $how == "full disk" ]]; then
    mkdir -p "$folder/disk"
    if ! mount -t tmpfs -o "size=$((RANDOM % 30 + 60))k" tmpfs "$folder/disk" 2>/dev/null; then
      say "full disk: skipped, only root can mount a small one"
      continue
    fi
    evidence=$folder/disk
  fi
  "$cli" plan --target gfx942 --evidence "$folder/plan" >/dev/null
  grep "\"suite\":\"$suite\"" "$folder/plan/gfx942.plan" >"$folder/gfx942.plan"
  planned=$(wc -l <"$folder/gfx942.plan")
  # A plan that does not fit the disk would leave nothing to try.
  cp "$folder/gfx942.plan" "$evidence/gfx942.plan" 2>/dev/null || fail "the small disk does not hold the plan" 1
  run "$evidence"
  if [[ $how != "full disk" ]]; then
    sleep "$((RANDOM % 4)).$((RANDOM % 1000))"
    kill -KILL -- "-$job" 2>/dev/null || true
  fi
  wait "$job" 2>/dev/null || true
  if [[ $how == truncation ]]; then
    last=$(find "$evidence" -name '*.jsonl' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
    if [[ -n $last ]]; then
      line=$(tail -n 1 "$last" | wc -c)
      truncate -s "-$((RANDOM % (line - 2) + 2))" "$last"
    fi
  fi
  judge "$how" "$evidence" || status=1
  if [[ $how == "full disk" ]]; then umount "$folder/disk"; fi
done
exit "$status"

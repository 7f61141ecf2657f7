#!/usr/bin/env bash
# Sets up what is missing, builds, runs every suite with the best means at hand, and writes the report.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'TEXT'
usage: scripts/run.sh [--compiler N] [--repeat N | --for DURATION] [--update-report]

Runs all suites and says which claims hold. With a gfx942 or gfx950 GPU and ROCm they run on the GPU; without,
host checks and compiler checks run here, and the device code of both targets on the emulator.

  --compiler N     compile device code with clang N in place of the default one (scripts/setup.sh --compiler N)
  --repeat N       run the device tests N times in all, each time with the next seed: a test that both passes and fails is
                   reported as flaky, with its counts and seeds
  --for DURATION   the same, again and again until DURATION is over: 90s, 30m, 8h
  --update-report  also replace REPORT.md at the top by the new report
  --help           this text

writes:
  build/evidence           one record a claim a test; the evidence of the run before goes to build/evidence.previous
  build/report/index.html, REPORT.md, report.json
  build/report/bundle.tar.zst   all of these and what they follow from; cdna-cts verify checks it anywhere

exit status: 0 all is well, 1 a claim is violated or flaky or a test failed, 2 wrong usage, or set-up or build failed
TEXT
}

compiler=() update_report=no passes=1 seconds=0
while (($#)); do
  case $1 in
  --compiler)
    [[ ${2:-} =~ ^[1-9][0-9]$ ]] || wrong_usage "--compiler takes a clang version such as 23, not '${2:-}'"
    compiler=(--compiler "$2")
    shift
    ;;
  --repeat)
    [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]] || wrong_usage "--repeat takes a number of runs such as 20, not '${2:-}'"
    passes=$2
    shift
    ;;
  --for)
    [[ ${2:-} =~ ^([1-9][0-9]{0,5})([smh])$ ]] || wrong_usage "--for takes a duration such as 90s, 30m or 8h, not '${2:-}'"
    case ${BASH_REMATCH[2]} in s) unit=1 ;; m) unit=60 ;; h) unit=3600 ;; esac
    seconds=$((BASH_REMATCH[1] * unit))
    shift
    ;;
  --update-report) update_report=yes ;;
  --help | -h)
    usage
    exit 0
    ;;
  *) wrong_usage "unknown option: $1" ;;
  esac
  shift
done

((passes == 1 || seconds == 0)) || wrong_usage "--repeat and --for exclude each other"
first_seed=${CDNA_CTS_SEED:-1234}
((passes == 1 && seconds == 0)) || [[ $first_seed =~ ^[0-9]{1,18}$ ]] ||
  wrong_usage "CDNA_CTS_SEED=$first_seed: --repeat and --for count up from it, a decimal number is needed"

# gpu_targets: the targets of the GPUs here, one a line; ROCm's own word, else the kernel driver's.
gpu_targets() {
  local enumerator=${runtime%/lib/*}/bin/rocm_agent_enumerator
  if [[ -x $enumerator ]]; then
    timeout 60 "$enumerator" 2>/dev/null || true
  else
    cat /sys/class/kfd/kfd/topology/nodes/*/properties 2>/dev/null |
      sed -n 's/^gfx_target_version 90402$/gfx942/p; s/^gfx_target_version 90500$/gfx950/p' || true
  fi
}

set_up "${compiler[@]}"
preset=emulated
if [[ -n $runtime ]]; then
  target=$(gpu_targets | grep -m 1 -xE 'gfx942|gfx950' || true)
  preset=${target:-emulated}
fi
if [[ $preset == emulated ]]; then
  say "no gfx942 or gfx950 GPU with ROCm here: device code runs on the emulator"
else
  say "running on the $preset GPU"
fi

lock_build
build "$preset"

evidence=$PWD/build/evidence
[[ ! -e $evidence/.running ]] ||
  say "the run before was cut short: cdna-cts report --evidence build/evidence.previous says what it lacks"
rm -rf build/evidence.previous
[[ ! -e $evidence ]] || mv "$evidence" build/evidence.previous
mkdir -p "$evidence" build/report
touch "$evidence/.running" # until the last test is over
export CDNA_CTS_EVIDENCE=$evidence

tested=$preset
[[ $preset != emulated ]] || tested="gfx942 gfx950"
for target in $tested; do
  "build/$preset/bin/cdna-cts" plan --target "$target" --evidence "$evidence" >/dev/null || fail "no plan could be written" 2
done

began=$SECONDS failed=no
if [[ $preset == emulated ]]; then
  for test_preset in gfx942-emulated gfx950-emulated; do
    say "running $test_preset"
    run_ctest "build/report/$test_preset.log" --preset "$test_preset" --parallel "$(nproc)" || failed=yes
  done
  say "running host"
  # A suite's host checks carry a target's label too and have just been run.
  run_ctest build/report/host.log --preset host --parallel "$(nproc)" --label-exclude '^gfx' --no-tests=ignore || failed=yes
else
  run_ctest "build/report/$preset.log" --preset "$preset" || failed=yes
fi

# Further passes: device tests only, since a compiler's answer is the same each time; each with a seed of its own.
pass=1
while ((pass < passes || SECONDS - began < seconds)); do
  pass=$((pass + 1))
  say "pass $pass$( ((seconds == 0)) && echo " of $passes" || echo ", $(in_words $((seconds - SECONDS + began))) left")"
  for target in $tested; do
    CDNA_CTS_SEED=$((first_seed + pass - 1)) run_ctest "build/report/$target.pass$pass.log" --test-dir "build/$preset" \
      --parallel "$([[ $preset == emulated ]] && nproc || echo 1)" -L "^$target\$" -L '^run$' --no-tests=error || failed=yes
  done
done
took "run" "$began"
rm -f "$evidence/.running"

# report FORMAT FILE [OPTION...]: status 1 is the report's own word that a claim is violated.
report() {
  local status=0
  "build/$preset/bin/cdna-cts" report --evidence "$evidence" --format "$1" -o "$2" "${@:3}" || status=$?
  ((status <= 1)) || fail "no report could be written" 2
  return "$status"
}
report json build/report/report.json || failed=yes
report md build/report/REPORT.md || failed=yes
# The page also shows the wait states of this compiler, where its tools can be asked.
hazards=(--hazards build/report/hazards.json)
quietly build/report/hazards.log "build/$preset/bin/cdna-cts" hazards --format json --output build/report/hazards.json || hazards=()
report html build/report/index.html "${hazards[@]}" || failed=yes
"build/$preset/bin/cdna-cts" report --evidence "$evidence" --format text || true
"build/$preset/bin/cdna-cts" bundle --evidence "$evidence" --report build/report/report.json --code "build/$preset/code" \
  --page build/report/REPORT.md --page build/report/index.html -o build/report/bundle.tar.zst || failed=yes
[[ $update_report == no ]] || cp build/report/REPORT.md REPORT.md

say "report: $PWD/build/report/index.html, and there REPORT.md and report.json"
if [[ $failed == yes ]]; then
  say "a claim is violated or flaky, or a test failed; CTest's output is in build/report/*.log"
  exit 1
fi

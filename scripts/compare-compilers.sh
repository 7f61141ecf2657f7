#!/usr/bin/env bash
# What another device compiler would change: evidence from each of two, and a gate between them. docs/compilers.md.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'TEXT'
usage: scripts/compare-compilers.sh [--suites LIST] [--run] A B

Compiles the suites' kernels with clang A and with clang B (21, 22, ...: scripts/setup.sh --compiler N sets them up), asks
both what the compile, code and mir checks ask, and names every difference: a verdict, a test's outcome, an emitted
instruction, a number of wait states, a diagnostic, a finding of the auditor. The host's programs are built once. A kernel
that a compiler refuses is a result like any other. The same compiler twice is built twice.

  --suites LIST  only these, separated by commas, in place of all
  --run          also run both compilers' kernels on the emulator
  --help         this text

writes, below build/compilers:
  N/                          code objects, evidence and report.json of clang N; what is there and still fits is used again
  A-B/differences.txt         an overview, then every difference of every claim
  A-B/differences.md .json    the second part, for a pull request and for programs

exit status: 0 no difference, 1 a difference, 2 wrong usage, or a compiler or a report could not be had
TEXT
}

suites='' checks='compile|code|mir' versions=()
while (($#)); do
  case $1 in
  --suites)
    [[ ${2:-} =~ ^[a-z0-9_]+(,[a-z0-9_]+)*$ ]] || wrong_usage "--suites takes names separated by commas, not '${2:-}'"
    suites=$2
    shift
    ;;
  --run) checks+='|run' ;;
  --help | -h)
    usage
    exit 0
    ;;
  [1-9][0-9]) versions+=("$1") ;;
  -*) wrong_usage "unknown option: $1" ;;
  *) wrong_usage "a compiler is a clang version such as 23, not '$1'" ;;
  esac
  shift
done
((${#versions[@]} == 2)) || wrong_usage "two compilers are compared, ${#versions[@]} given"
known=" $(cd suites && printf '%s ' */CMakeLists.txt | sed 's|/CMakeLists.txt||g; s|shared ||')"
chosen=${suites:-$known}
for suite in ${chosen//,/ }; do
  [[ $known == *" $suite "* ]] || wrong_usage "no suite '$suite'; there are$known"
done
read -ra chosen <<<"${chosen//,/ }"

bin=$PWD/build/emulated/bin made=$PWD/build/emulated targets=(gfx942 gfx950) opts=(O1 O3)
trap 'kill $(jobs -pr) 2>/dev/null || true' EXIT

# use_compiler N: device_compiler and llvm_bin, for this script and for the programs that it starts.
use_compiler() {
  set_up --compiler "$1"
  version=$(timeout 60 "$device_compiler" --version | head -n 1) || fail "$device_compiler does not run" 2
  export CDNA_CTS_DEVICE_COMPILER=$device_compiler CDNA_CTS_LLVM_BIN=$llvm_bin
  say "clang $1: $version"
}

# is_current OUT: its result, good or bad, is younger than the compiler and all that it was made from.
is_current() {
  local result=$1 source
  [[ -e $result ]] || result=$1.refused
  [[ -e $result && -e $1.d && ! $device_compiler -nt $result ]] || return 1
  while read -r source; do
    [[ -e $source && ! $source -nt $result ]] || return 1
  done < <(sed 's/^[^ ]*: //; s/\\$//' "$1.d" | tr -s ' ' '\n' | sed '/^$/d')
}

# compile OUT SOURCE TARGET OPT: a code object, or OUT.refused with the compiler's first error.
compile() {
  local out=$1 status=0
  is_current "$out" && return
  rm -f "$out" "$out.refused"
  local options=("${flags[@]/%TARGET/$3}")
  options=("${options[@]/#-OPT/-$4}")
  timeout 300 "$device_compiler" "${options[@]}" "-I$PWD" -Xclang -dependency-file -Xclang "$out.d" \
    -Xclang -MT -Xclang "$out" -o "$out.new" "$2" >"$out.log" 2>&1 </dev/null || status=$?
  if ((status == 0)); then
    mv "$out.new" "$out"
    return
  fi
  local error
  error=$(grep -m 1 'error: ' "$out.log" || true)
  if ((status == 124)); then error="error: took longer than 300 s"; fi
  printf '%s\n' "${error#*error: }" | sed "s/^\$/no error line, status $status/" >"$out.refused"
}

# compile_all FOLDER: both builds of the chosen suites' kernels for both targets, as many at once as there are processors.
compile_all() {
  local suite source target opt began=$SECONDS count=0 total=$((${#chosen[@]} * 4)) refused
  mapfile -t flags <"$made/code/flags.txt"
  # Other flags or another compiler of this version: nothing here fits.
  if ! cmp -s "$made/code/flags.txt" "$1/code/flags.txt" || [[ $version != "$(head -n 1 "$1/code/compiler.txt" 2>/dev/null)" ]]; then
    rm -rf "$1/code"
    mkdir -p "$1/code"
    cp "$made/code/flags.txt" "$1/code/"
    printf '%s\n' "$version" >"$1/code/compiler.txt"
  fi
  while read -r suite source; do
    [[ " ${chosen[*]} " == *" $suite "* ]] || continue
    for target in "${targets[@]}"; do
      for opt in "${opts[@]}"; do
        while (($(jobs -pr | wc -l) >= $(nproc))); do wait -n || true; done
        progress $((count++)) "$total" "$began" "$suite.$target.$opt"
        compile "$1/code/$suite.$target.$opt.co" "$source" "$target" "$opt" &
      done
    done
  done <"$made/code/sources.txt"
  wait
  end_progress
  refused=$(for suite in "${chosen[@]}"; do ls "$1/code/$suite".*.refused 2>/dev/null || true; done)
  [[ -z $refused ]] || printf '%s\n' "$refused" | while read -r source; do
    say "refused: $(basename "$source" .co.refused): $(cat "$source")"
  done
  took "device code" "$began"
}

# make_hazard_kernels FOLDER: the kernels that mfma_hazards has of the compiler's llc, for both targets at once.
make_hazard_kernels() {
  local target list program=$bin/cdna-cts-hazard-kernels began=$SECONDS
  for target in "${targets[@]}"; do
    list=$1/code/mfma_hazards_looser.$target.json # written last
    [[ $list -nt $program && $list -nt $device_compiler ]] && continue
    rm -f "$1/code"/mfma_hazards_*."$target".*
    timeout 300 "$program" "$target" "$1/code" >"$1/code/mfma_hazards_$target.log" 2>&1 </dev/null ||
      say "no hazard kernels for $target, their checks will be skipped: $(head -n 1 "$1/code/mfma_hazards_$target.log")" &
  done
  wait
  took "hazard kernels" "$began"
}

# fingerprint FOLDER SUITE: what a suite's evidence depends on.
fingerprint() {
  {
    printf '%s %s\n' "$version" "$checks"
    cat "$bin/$2"_host "$1/code/$2"[._]*.{co,json,refused} 2>/dev/null || true
    if [[ $checks == *run* ]]; then cat "$bin/$2"_run "$made"/lib/libamdhip64.so*; fi
  } | sha256sum
}

# ask FOLDER SUITE: the records of a suite's checks, unless those that are there still fit.
ask() {
  local evidence=$1/evidence/$2 entries=$made/suites/$2/$2 print
  print=$(fingerprint "$1" "$2")
  if [[ -e $evidence.done && $(cat "$evidence.done") == "$print" ]]; then
    reused+=" $2"
    return
  fi
  rm -rf "$evidence" "$evidence.done" "$1/tests"
  mkdir -p "$evidence" "$1/tests"
  echo "include(\"${entries}_host.ctest.cmake\")" >"$1/tests/CTestTestfile.cmake"
  if [[ $checks == *run* ]]; then echo "include(\"${entries}_run.ctest.cmake\")" >>"$1/tests/CTestTestfile.cmake"; fi
  say "$2"
  CDNA_CTS_CODE=$1/code CDNA_CTS_EVIDENCE=$evidence run_ctest "$1/evidence/$2.log" --test-dir "$1/tests" \
    -L "^($checks)\$" --parallel "$(nproc)" --no-tests=ignore || true # a failed check is a record
  ! grep -q '\*\*\*Not Run' "$1/evidence/$2.log" || fail "not every check of $2 could be started ($1/evidence/$2.log)" 2
  printf '%s\n' "$print" >"$evidence.done"
}

# make_report FOLDER: from the chosen suites' evidence only; others may be there of an earlier comparison.
make_report() {
  local status=0 suite folders=()
  for suite in "${chosen[@]}"; do folders+=("$1/evidence/$suite"); done
  "$bin/cdna-cts" report --evidence "${folders[@]}" --format json -o "$1/report.json" || status=$?
  ((status <= 1)) || fail "no report could be made of $1/evidence" 2 # 1: a claim is violated, which is for the gate to compare
}

# gate FORMAT: the differences in that format, on standard output.
gate() {
  "$bin/cdna-cts" gate --baseline "${folders[0]}/report.json" --candidate "${folders[1]}/report.json" \
    --policy "$result/policy.yaml" --format "$1"
}

set_up
lock_build
programs=(cdna-cts "${chosen[@]/%/_host}")
if [[ $checks == *run* ]]; then programs+=("${chosen[@]/%/_run}"); fi
build emulated "${programs[@]}"

compared=() # what each side is, for people
folders=("$PWD/build/compilers/${versions[0]}" "$PWD/build/compilers/${versions[1]}")
if [[ ${versions[0]} == "${versions[1]}" ]]; then folders[1]+=.again; fi
for side in 0 1; do
  began=$SECONDS
  use_compiler "${versions[side]}"
  mkdir -p "${folders[side]}/evidence"
  compile_all "${folders[side]}"
  if [[ " ${chosen[*]} " == *" mfma_hazards "* ]]; then make_hazard_kernels "${folders[side]}"; fi
  reused=''
  for suite in "${chosen[@]}"; do ask "${folders[side]}" "$suite"; done
  [[ -z $reused ]] || say "evidence is there:$reused"
  make_report "${folders[side]}"
  compared+=("clang ${versions[side]}, $version")
  took "clang ${versions[side]}" "$began"
done

# Here every difference counts, whatever the project's own policy lets pass.
result=$PWD/build/compilers/${versions[0]}-${versions[1]}
mkdir -p "$result"
sed -E 's/^( +[A-Z]+): (warn|pass)/\1: fail/' manifests/gate.yaml >"$result/policy.yaml"
status=0
for format in json md text overview; do
  status=0
  gate "$format" >"$result/$format.new" || status=$?
  ((status <= 1)) || fail "the gate could not compare ${folders[0]}/report.json with ${folders[1]}/report.json" 2
done
mv "$result/json.new" "$result/differences.json"
mv "$result/md.new" "$result/differences.md"
{
  printf 'baseline:  %s\ncandidate: %s\n%s checks of %s\n\n' "${compared[@]}" "${checks//|/, }" "${suites:-all suites}"
  cat "$result/overview.new"
  printf '\nEvery difference of every claim:\n\n'
  cat "$result/text.new"
} >"$result/differences.new"
mv "$result/differences.new" "$result/differences.txt"
rm "$result/overview.new" "$result/text.new"
sed '/^Every difference of every claim:$/,$d' "$result/differences.txt"
tail -n 1 "$result/differences.txt"
say "differences: $result/differences.txt, .md, .json"
exit "$status"

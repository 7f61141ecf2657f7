# shellcheck shell=bash
# What run.sh and test.sh share: phases that are timed, commands that are quiet unless they fail, the build.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

script=${0##*/}
say() { printf '%s: %s\n' "${script%.sh}" "$*"; }

# fail MESSAGE STATUS: one line, and out.
fail() {
  printf '%s: %s\n' "$script" "$1" >&2
  exit "$2"
}

wrong_usage() {
  usage >&2
  fail "$1" 2
}

# took WHAT SINCE: one line with the time since SINCE, a value of $SECONDS.
took() { say "$1: $((SECONDS - $2)) s"; }

# lock_build: two runs in one tree would mix their builds and their evidence.
lock_build() {
  mkdir -p build
  exec 8>build/.lock
  flock -n 8 && return
  say "another run is at work in build/: waiting for it"
  flock 8
}

# quietly LOG COMMAND...: the output goes into LOG, and to the screen only if the command fails.
quietly() {
  local log=$1 status=0
  shift
  "$@" >"$log" 2>&1 </dev/null || status=$?
  ((status == 0)) || tail -n 100 "$log" >&2
  return "$status"
}

# set_up [--compiler N]: sets device_compiler, llvm_bin, hip_include, runtime.
set_up() {
  local began=$SECONDS tools
  tools=$(scripts/setup.sh --print "$@" </dev/null) || exit 2
  device_compiler=$(sed -n 's/^device_compiler=//p' <<<"$tools")
  llvm_bin=$(sed -n 's/^llvm_bin=//p' <<<"$tools")
  hip_include=$(sed -n 's/^hip_include=//p' <<<"$tools")
  runtime=$(sed -n 's/^runtime=//p' <<<"$tools")
  took "set-up" "$began"
}

# set_up_amd_runtime: sets amd_loader, amd_library_path. Where AMD's library cannot be had, both stay empty and the tests
# that need it are skipped.
set_up_amd_runtime() {
  local began=$SECONDS tools
  tools=$(scripts/setup.sh --print --amd-runtime </dev/null) ||
    say "AMD's HIP library could not be set up: the tests that need it will be skipped"
  amd_loader=$(sed -n 's/^amd_loader=//p' <<<"$tools")
  amd_library_path=$(sed -n 's/^amd_library_path=//p' <<<"$tools")
  took "set-up of AMD's HIP library" "$began"
}

# set_up_browser: sets browser, node_modules; both stay empty where it cannot be had, and the tests of the report's page are
# skipped.
set_up_browser() {
  local began=$SECONDS tools
  tools=$(scripts/setup.sh --print --browser </dev/null) ||
    say "no browser could be set up: the tests of the report's page will be skipped"
  browser=$(sed -n 's/^browser=//p' <<<"$tools")
  node_modules=$(sed -n 's/^node_modules=//p' <<<"$tools")
  took "set-up of a browser" "$began"
}

# build PRESET [TARGET...]: configure and build, all or these targets, with the tools that set_up found; ends the script if
# that fails.
build() {
  local began=$SECONDS targets=("${@:2}")
  say "building preset $1"
  mkdir -p "build/$1"
  quietly "build/$1/configure.log" cmake --preset "$1" -DCDNA_CTS_DEVICE_COMPILER="$device_compiler" \
    -DCDNA_CTS_LLVM_BIN="$llvm_bin" -DCDNA_CTS_HIP_INCLUDE="$hip_include" -DCDNA_CTS_HIP_RUNTIME="$runtime" \
    ${amd_loader:+-DCDNA_CTS_AMD_LOADER="$amd_loader" -DCDNA_CTS_AMD_LIBRARY_PATH="$amd_library_path"} \
    ${browser:+-DCDNA_CTS_BROWSER="$browser" -DCDNA_CTS_NODE_MODULES="$node_modules"} ||
    fail "configuring preset $1 failed (build/$1/configure.log)" 2
  run_build "build/$1/build.log" --preset "$1" --parallel "$(nproc)" ${targets:+--target "${targets[@]}"} ||
    fail "building preset $1 failed (build/$1/build.log)" 2
  took "build of $1" "$began"
}

# in_words SECONDS: "45 s", "12 min", "3 h 5 min".
in_words() {
  if (($1 < 90)); then
    echo "$1 s"
  elif (($1 < 5400)); then
    echo "$((($1 + 30) / 60)) min"
  else
    echo "$(($1 / 3600)) h $(($1 % 3600 / 60)) min"
  fi
}

# progress DONE TOTAL SINCE WHAT: on a terminal, a line that the next one writes over; elsewhere nothing.
progress() {
  [[ -t 1 ]] || return 0
  local elapsed=$((SECONDS - $3)) text
  text="  $1 of $2"
  if ((elapsed >= 2 && $1 > 0)); then text+=", $(in_words $((elapsed * ($2 - $1) / $1))) left"; fi
  text+=": $4"
  printf '\r\033[K%s' "${text:0:${COLUMNS:-79}}"
}
end_progress() { [[ ! -t 1 ]] || printf '\r\033[K'; }

# run_ctest LOG ARGUMENTS...: CTest, all of its output in LOG; on the screen what failed, how far it is, and its summary.
# The status is CTest's.
run_ctest() {
  local log=$1 line began=$SECONDS
  shift
  ctest --output-on-failure "$@" 2>&1 </dev/null | tee "$log" | while IFS= read -r line; do
    if [[ $line =~ ^\ *([0-9]+)/([0-9]+)\ Test\ +#[0-9]+:\ ([^\ ]+).*(Passed|Skipped|\*\*\*) ]]; then
      progress "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$began" "${BASH_REMATCH[3]}"
      if [[ $line == *'***'* && $line != *'***Skipped'* ]]; then
        end_progress
        printf '%s\n' "$line"
      fi
    elif [[ $line == *'tests passed,'* || $line == 'No tests were found'* || $line == 'CMake Error'* ]]; then
      end_progress
      printf '%s\n' "$line"
    fi
  done
  return "${PIPESTATUS[0]}"
}

# run_build LOG ARGUMENTS...: cmake --build, all of its output in LOG; on the screen how far it is, and if it fails the end
# of its output. The status is CMake's.
run_build() {
  local log=$1 line began=$SECONDS status
  shift
  cmake --build "$@" 2>&1 </dev/null | tee "$log" | while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]]; then
      progress "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$began" "${BASH_REMATCH[3]##*/}"
    fi
  done
  status=${PIPESTATUS[0]}
  end_progress
  ((status == 0)) || tail -n 100 "$log" >&2
  return "$status"
}

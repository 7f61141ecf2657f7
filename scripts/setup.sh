#!/usr/bin/env bash
# Sets up what building and testing need: Debian's host packages, and a device toolchain (clang, lld, LLVM's tools,
# HIP headers, device bitcode) in a per-user cache; where asked, AMD's HIP library too. The system's own compiler and
# C library stay as they are.
# docs/setup.md tells the user's side of it.
set -euo pipefail

readonly recipe=1 # goes into the stamp: a toolchain made by another recipe is made anew
readonly default_compiler=22 # the first stable release that knows gfx950
readonly toolchain_mb=700 amd_runtime_mb=500 # packages, their lists and the extracted tree together, at the peak
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg

usage() {
  cat <<'TEXT'
usage: scripts/setup.sh [--compiler N] [--amd-runtime] [--browser] [--slurm] [--tidy] [--print [--no-install]]
       scripts/setup.sh --packages

Sets up what is missing and says what it does; what is there already is left alone.

  --print       afterwards print device_compiler=, llvm_bin=, hip_include= and runtime=, one a line
  --no-install  with --print: install and download nothing; exit 1 if the toolchain is not there
  --compiler N  clang N beside the default one (22); kept apart from it, used only when asked for
  --amd-runtime also AMD's own HIP library with all that it needs, which says without a GPU that there is none; not where
                there is ROCm. --print then prints amd_loader= and amd_library_path= too: how to start a program on it
  --slurm       also Slurm (Debian's munge, slurmctld, slurmd, slurm-client), for the test of a fleet run: as root, and only where
                no systemd runs that would start it; else a line says that it is left out
  --browser     also what the tests of the report's page need: Debian's Chromium, and two npm packages by Node.js 20 or
                newer, which has to be here. --print then prints browser= and node_modules= too
  --tidy        also clang-tidy 16, for scripts/test.sh --tidy
  --packages    only the host packages (compiler, CMake, libraries), which need root
  --help        this text

environment:
  CDNA_CTS_CACHE          where toolchains are kept (else $XDG_CACHE_HOME/cdna-cts, else ~/.cache/cdna-cts)
  ROCM_PATH               ROCm's folder (else /opt/rocm); if it is there it is used and no toolchain is downloaded
  CDNA_CTS_IGNORE_ROCM=1  as if there were no ROCm
  CDNA_CTS_DEBIAN_MIRROR  mirror to download from (else the one that this system's apt uses)

exit status: 0 all there, 1 it could not be set up, 2 wrong usage or host packages that root has to install
TEXT
}

say() { printf 'setup: %s\n' "$*" >&2; }

# fail MESSAGE [STATUS]: one line, and out.
fail() {
  printf 'setup.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

# attempt WHAT COMMAND...: run it quietly; if it fails, one line with the reason that it gave.
attempt() {
  local what=$1
  shift
  "$@" >"$log" 2>&1 && return
  explain "$what"
}

# free_mb: what is free where the cache is; much where there is none.
free_mb() { df --output=avail -m "${cache:-/dev/null}" 2>/dev/null | tail -n +2 | grep -E '[0-9]' || echo 99999; }

# explain WHAT: end with the reason that the log of the failed command holds.
explain() {
  local reason
  if grep -qiE 'No space left|enough free space|quota exceeded' "$log" || (($(free_mb) < 10)); then
    fail "disk full: $1 failed${space_mb:+; $cache needs about $space_mb MB free (CDNA_CTS_CACHE chooses another place)}"
  fi
  if grep -qE 'Could not resolve|Could not connect|Temporary failure|Connection (timed out|refused)|Network is unreachable|Cannot initiate' "$log"; then
    fail "offline? $1 failed: no answer from the Debian mirror ${mirror:-of this system} (CDNA_CTS_DEBIAN_MIRROR chooses another one)"
  fi
  reason=$(grep -E '^(E:|Err:|error)' "$log" | head -n 1 || true)
  [[ -n $reason ]] || reason=$(tail -n 1 "$log")
  fail "$1 failed: ${reason:-no reason given}"
}

# --- host packages -------------------------------------------------------------------------------------------

# Debian packages; where a command follows, any program of that name will do.
host_packages() {
  cat <<'LIST'
g++ g++
cmake cmake
ninja-build ninja
git git
patchelf patchelf
clang-format clang-format
libgtest-dev
libgmock-dev
libfmt-dev
nlohmann-json3-dev
libyaml-cpp-dev
libcli11-dev
libssl-dev
libbenchmark-dev
zlib1g-dev
libzstd-dev
python3-jsonschema
ca-certificates
LIST
  [[ $tidy_asked == no ]] || printf '%s\n' "clang-tidy-16 clang-tidy-16" libomp-16-dev
}

missing_packages() {
  local package command
  while read -r package command; do
    if [[ -n $command ]]; then
      command -v "$command" >/dev/null && continue
    elif [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]]; then
      continue
    fi
    printf '%s\n' "$package"
  done < <(host_packages)
}

set_up_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: its packages are not checked (docs/setup.md lists what a build needs)"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    fail "missing packages: ${missing[*]}; install them with: sudo apt-get install ${missing[*]}" 2
  fi
  say "installing Debian packages: ${missing[*]}"
  # A source that is of no concern here may be unreachable: what counts is whether the packages can be installed.
  apt-get -q update >"$log" 2>&1 || say "apt-get update was not content: $(grep -m 1 -E '^[EW]:' "$log" || true)"
  DEBIAN_FRONTEND=noninteractive attempt "installing ${missing[*]}" \
    apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"
}

# set_up_slurm: it is not worth a failure. Where systemd runs, the packages would start their services.
set_up_slurm() {
  local missing=() package
  command -v dpkg-query >/dev/null || return 0
  for package in munge slurmctld slurmd slurm-client; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)) || [[ -d /run/systemd/system ]]; then
    say "Slurm is left out; its test wants: apt-get install ${missing[*]}"
    return 0
  fi
  say "installing Debian packages: ${missing[*]}"
  apt-get -q update >"$log" 2>&1 || say "apt-get update was not content: $(grep -m 1 -E '^[EW]:' "$log" || true)"
  DEBIAN_FRONTEND=noninteractive attempt "installing ${missing[*]}" \
    apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"
}

# --- ROCm ----------------------------------------------------------------------------------------------------

# find_rocm: sets rocm, rocm_llvm if a usable ROCm is here.
find_rocm() {
  rocm='' rocm_llvm=''
  [[ ${CDNA_CTS_IGNORE_ROCM:-0} == 1 ]] && return
  local root=${ROCM_PATH:-/opt/rocm} bin
  if [[ -e $root/lib/libamdhip64.so ]]; then
    for bin in "$root/llvm/bin" "$root/lib/llvm/bin" "$("$root/bin/hipconfig" --hipclangpath 2>/dev/null || true)"; do
      [[ -x $bin/clang++ ]] || continue
      rocm=$root rocm_llvm=$bin
      return
    done
  fi
  [[ -z ${ROCM_PATH:-} ]] || say "ROCM_PATH=$ROCM_PATH is not used: it lacks lib/libamdhip64.so or llvm/bin/clang++"
}

# --- trees in the cache --------------------------------------------------------------------------------------
# A tree is unpacked from Debian packages: the device toolchain, or AMD's HIP library. set_up_tree makes either.

find_cache() {
  cache=${CDNA_CTS_CACHE:-}
  if [[ -z $cache && -n ${XDG_CACHE_HOME:-} ]]; then cache=$XDG_CACHE_HOME/cdna-cts; fi
  if [[ -z $cache ]]; then
    [[ -n ${HOME:-} ]] || fail "HOME is not set: say with CDNA_CTS_CACHE where toolchains are to be kept"
    cache=$HOME/.cache/cdna-cts
  fi
  [[ $cache == /* ]] || cache=$PWD/$cache
  [[ $cache != *[:\"]* ]] || fail "the cache's path must not hold ':' or '\"': $cache"
  toolchain=$cache/toolchain/clang-$compiler
  llvm_bin=$toolchain/usr/lib/llvm-$compiler/bin
  amd_runtime=$cache/toolchain/amd-runtime
  browser_modules=$cache/page-tests
}

open_cache() {
  mkdir -p "$cache/toolchain" 2>/dev/null || true
  [[ -w $cache && -w $cache/toolchain ]] ||
    fail "cannot write to $cache: say with CDNA_CTS_CACHE where toolchains are to be kept"
}

# take_lock: one set-up at a time in a cache. The lock goes with the process, so a killed set-up leaves none behind.
take_lock() {
  exec 9>"$cache/lock"
  flock -n 9 && return
  say "another set-up is at work in $cache: waiting for it"
  flock 9
}

# stamp TITLE TREE: what the tree's stamp holds when it is complete and where it was made.
stamp() { printf 'recipe %s, %s, %s\n' "$recipe" "$1" "$2"; }
is_stamped() { [[ $(cat "$2/stamp" 2>/dev/null) == "$(stamp "$1" "$2")" ]]; }

# loader_of TREE: the loader of the C library in it.
loader_of() { find "$1/usr/lib" -maxdepth 2 -name 'ld-linux-*.so.*' | head -n 1; }

# The mirror that the system's apt uses for Debian itself; not security, updates or somebody else's packages.
# Where apt has no lists yet it does not know who a source's origin is: then the address has to look like Debian's.
find_mirror() {
  mirror=${CDNA_CTS_DEBIAN_MIRROR:-}
  [[ -n $mirror ]] && return
  # shellcheck disable=SC2016 # these are apt's variables
  mirror=$({
    apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(RELEASE) $(REPO_URI)' 'Created-By: Packages'
    apt-get --print-uris update | sed -nE "/\/linux\/debian/d; s|^'(.*/debian)/dists/([^/]+)/InRelease' .*|Debian main \2 \1|p"
  } 2>/dev/null | awk '!found && $1 == "Debian" && $2 == "main" && $3 !~ /[-\/]/ && $4 !~ /^cdrom:/ {found = 1; print $4}')
  [[ -n $mirror ]] || fail "apt's configuration names no Debian mirror: name one with CDNA_CTS_DEBIAN_MIRROR"
}

# An apt of our own: own sources, lists, archive and an empty list of installed packages. Read after the system's
# configuration, so that its proxies hold here too.
write_apt_configuration() {
  local arch
  arch=$(dpkg --print-architecture)
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  : >"$apt/status"
  cat >"$apt/sources.list" <<END
deb [arch=$arch target=Packages signed-by=$keyring] $mirror trixie main
deb [arch=$arch target=Packages signed-by=$keyring check-valid-until=no] $mirror unstable main
deb [arch=$arch target=Packages signed-by=$keyring check-valid-until=no] $mirror experimental main
END
  cat >"$apt/apt.conf" <<END
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
Dir::Cache::pkgcache "$apt/pkgcache.bin";
Dir::Cache::srcpkgcache "";
Dir::Log "$apt";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Install-Recommends "0";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
END
}

# suite_of PACKAGE: the stablest suite that has it.
suite_of() {
  local suite
  for suite in trixie unstable experimental; do
    if apt-cache -c "$apt/apt.conf" madison "$1" | grep -q " $suite/main "; then
      printf '%s\n' "$suite"
      return
    fi
  done
}

# newest PACKAGE: package=version, the highest in any suite; nothing if there is none.
newest() {
  apt-cache -c "$apt/apt.conf" madison "$1" | awk -F' *[|] *' '{sub(/^ */, "", $1); print $2}' | sort -V | tail -n 1 | sed "s/^/$1=/"
}

# versions_of NAME: the N of all packages NAME-N that there are, from the first on that knows gfx950.
versions_of() {
  apt-cache -c "$apt/apt.conf" pkgnames "$1-" | sed -n "s/^$1-\([0-9][0-9]*\)\$/\1/p" | awk '$1 >= 20' | sort -n | paste -sd ' '
}

# choose_closure SUITE PACKAGES...: sets wanted, the packages and all that they need, with their versions.
choose_closure() {
  apt-get -c "$apt/apt.conf" -t "$1" -s install "${@:2}" >"$log" 2>&1 || explain "finding what $2 needs"
  mapfile -t wanted < <(sed -nE 's/^Inst ([^ ]+) \(([^ ]+) .*/\1=\2/p' "$log" | sort)
}

# The closure of clang, lld and llvm comes without what a host has itself (headers, binutils, sanitizers); of the others
# only the files are wanted, not what they need.
choose_toolchain() {
  local n=$compiler suite libs clang_version
  suite=$(suite_of "clang-$n")
  [[ -n $suite ]] || fail "no clang-$n in Debian's trixie, unstable or experimental at $mirror: choose one of $(versions_of clang)"
  [[ $suite == trixie ]] || suite=unstable
  choose_closure "$suite" "clang-$n" "lld-$n" "llvm-$n"
  mapfile -t wanted < <(printf '%s\n' "${wanted[@]}" | grep -vE "$not_wanted")
  clang_version=$(printf '%s\n' "${wanted[@]}" | sed -n "s/^clang-$n=//p")
  libs=$(newest "rocm-device-libs-$n")
  if [[ -z $libs ]]; then
    libs=$(newest rocm-device-libs-$default_compiler)
    [[ -n $libs ]] || fail "no rocm-device-libs-$n and no rocm-device-libs-$default_compiler at $mirror: the device libraries are missing"
    say "no rocm-device-libs-$n in Debian: device libraries of LLVM $default_compiler are used"
  fi
  wanted+=("clang-tools-$n=$clang_version" "$(newest libamdhip64-dev)" "$libs")
}
readonly not_wanted='^(binutils|linux-libc-dev|lib(a|hwa|l|t|ub)san|lib(c6|crypt|stdc\+\+|gcc|objc).*-dev=|libc-dev-bin|rpcsvc-proto|gcc-|lib(objc|itm|gomp|quadmath|gprofng|ctf|binutils|sframe|gc|jansson|pfm)[^=]*=|libclang1-|llvm-[0-9]+-(runtime|linker-tools))'

download() {
  local total name size
  apt-get -c "$apt/apt.conf" -qq --print-uris download "${wanted[@]}" >"$log" 2>&1 || explain "finding the packages"
  total=$(while read -r _ name size _; do [[ -e $apt/archives/$name ]] || echo "$size"; done <"$log" |
    awk '{sum += $1} END {printf "%d", sum / 1e6 + 0.5}')
  say "${#wanted[@]} packages, $total MB to download from $mirror"
  # Packages that an interrupted set-up got are recognised by their hash and not fetched again.
  (cd "$apt/archives" && apt-get -c "$apt/apt.conf" -q download "${wanted[@]}" 2>&1) | tee "$log" | show_progress "$total" ||
    explain "the download"
}

# show_progress TOTAL: of the lines that apt prints as it begins each file, a line every 20 MB.
show_progress() {
  local line size done_kb=0 next_kb=20000
  while read -r line; do
    [[ $line =~ ^Get:.*\[([0-9,]+)[0-9.]*\ (k|M|)B\]$ ]] || continue
    size=${BASH_REMATCH[1]//,/}
    case ${BASH_REMATCH[2]} in
    M) done_kb=$((done_kb + size * 1000)) ;;
    k) done_kb=$((done_kb + size)) ;;
    esac
    ((done_kb >= next_kb)) || continue
    say "  $((done_kb / 1000)) of $1 MB"
    next_kb=$((done_kb + 20000))
  done
}

# extract: all packages into $1, without documentation and the largest tools that nobody here uses.
extract() {
  local deb
  say "extracting to $tree"
  for deb in "$apt"/archives/*.deb; do
    # shellcheck disable=SC2016 # the inner shell's parameters
    attempt "extracting ${deb##*/}" bash -o pipefail -c 'dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --no-same-owner \
      --exclude="./usr/share/doc*" --exclude=./usr/share/man --exclude=./usr/share/lintian --exclude=./usr/bin --exclude=./etc \
      --exclude="*/llvm-exegesis" --exclude="*/c-index-test" --exclude="*.a" --exclude="./usr/lib/*/libamdhip64.so" \
      --exclude="./usr/lib/*/libhiprtc*.so"' bash "$deb" "$1"
  done
}

# make_runnable PREFIX: the binaries were built for a newer C library than the host's. They get the loader and the
# library path of the extracted tree; the libraries lose their own path, which would go before the program's.
make_runnable() {
  local loader libraries file
  loader=$(loader_of "$1")
  [[ -n $loader ]] || fail "the C library's package holds no loader: the toolchain cannot be made to run"
  loader=$toolchain${loader#"$1"}
  libraries=${loader%/*}
  find "$1/usr/lib" -type f \( -name 'libLLVM*.so*' -o -name 'libclang*.so*' -o -name 'liblld*.so*' \) -print0 |
    while IFS= read -r -d '' file; do attempt "patching ${file##*/}" patchelf --remove-rpath "$file"; done
  for file in "$1/usr/lib/llvm-$compiler/bin"/*; do
    [[ ! -L $file && $(head -c 4 "$file") == $'\x7fELF' ]] || continue
    attempt "patching ${file##*/}" patchelf --set-interpreter "$loader" --force-rpath \
      --set-rpath "$libraries:$toolchain/usr/lib/llvm-$compiler/lib" "$file"
  done
}

# write_clang_configuration PREFIX: clang reads these files beside itself, and so finds HIP and the device bitcode.
write_clang_configuration() {
  local bitcode driver
  bitcode=$(find "$1/usr/lib" -name ocml.bc -printf '%h\n' | head -n 1)
  [[ -n $bitcode ]] || fail "the device libraries' package holds no ocml.bc"
  for driver in clang clang++; do
    printf '"--hip-path=%s"\n"--rocm-device-lib-path=%s"\n' "$toolchain/usr" "$toolchain${bitcode#"$1"}" \
      >"$1/usr/lib/llvm-$compiler/bin/$driver.cfg"
  done
}

finish_toolchain() {
  make_runnable "$1"
  write_clang_configuration "$1"
}

have_toolchain() { is_stamped "clang $compiler" "$toolchain" && timeout 60 "$llvm_bin/clang++" --version >/dev/null 2>&1; }

# Every tool that the project calls runs, and a kernel can be compiled for both targets.
prove_toolchain() {
  local tool work=$apt/proof
  for tool in clang++ ld.lld llc opt llvm-mc llvm-mca llvm-objdump llvm-readelf clang-offload-bundler clang-linker-wrapper; do
    attempt "starting $tool" timeout 60 "$llvm_bin/$tool" --version
  done
  mkdir -p "$work"
  printf '#include <hip/hip_runtime.h>\n__global__ void kernel(float* p) { *p = sinf(*p); }\n' >"$work/kernel.hip"
  attempt "compiling a kernel" timeout 120 "$llvm_bin/clang++" -Werror -x hip --offload-arch=gfx942 --offload-arch=gfx950 \
    -c -o "$work/kernel.o" "$work/kernel.hip"
}

# AMD's library keeps its own C library beside it: a program on it is started by amd_loader.
choose_amd_runtime() { choose_closure experimental libamdhip64-7; }

finish_amd_runtime() { [[ -n $(loader_of "$1") ]] || fail "the C library's package holds no loader for AMD's library"; }

have_amd_runtime() { is_stamped "AMD's HIP library" "$amd_runtime" && load_amd_runtime >/dev/null 2>&1; }

prove_amd_runtime() { attempt "loading AMD's HIP library" load_amd_runtime; }

# load_amd_runtime: its own loader finds it and all that it needs, and in its own tree.
load_amd_runtime() {
  local loader folder found
  loader=$(loader_of "$amd_runtime")
  folder=${loader%/*}
  found=$(timeout 60 "$loader" --inhibit-cache --library-path "$folder" --list "$folder/libamdhip64.so.7" 2>&1) || {
    printf '%s\n' "$found"
    return 1
  }
  ! grep '=>' <<<"$found" | grep -vF "=> $folder/"
}

# set_up_tree KIND TREE TITLE MB: unless have_KIND, makes the tree of the packages that choose_KIND puts into wanted;
# finish_KIND gets it before it is in its place, prove_KIND shows that it works there.
set_up_tree() {
  local kind=$1 tree=$2 title=$3 space_mb=$4
  "have_$kind" && return
  open_cache
  take_lock
  "have_$kind" && return # made by the set-up that was waited for
  local began=$SECONDS tool deb
  for tool in apt-get dpkg-deb patchelf tar; do
    command -v "$tool" >/dev/null || fail "$tool is needed to set up $title, and is not here"
  done
  [[ -r $keyring ]] || fail "$keyring is not here: install the package debian-archive-keyring"
  (($(free_mb) >= space_mb)) ||
    fail "disk full: $cache needs about $space_mb MB free and has $(($(free_mb))) MB (CDNA_CTS_CACHE chooses another place)"
  find_mirror

  local apt=$cache/apt partial=$cache/toolchain/.partial wanted
  say "$title: reading the mirror's package lists"
  write_apt_configuration
  attempt "reading the package lists" apt-get -c "$apt/apt.conf" -q update
  "choose_$kind"
  # What an earlier, interrupted set-up of another tree left must not be extracted with this one.
  find "$apt/archives" -maxdepth 1 -name '*.deb' -print0 | while IFS= read -r -d '' deb; do
    # shellcheck disable=SC2016 # dpkg-deb's variables
    printf '%s\n' "${wanted[@]}" | grep -qxF "$(dpkg-deb -W --showformat '${Package}=${Version}' "$deb" 2>/dev/null)" || rm -f "$deb"
  done
  download

  rm -rf "$partial"
  mkdir -p "$partial"
  extract "$partial"
  "finish_$kind" "$partial"
  printf '%s\n' "${wanted[@]}" >"$partial/packages.txt"
  # Only the stamp, written last, makes it a tree: a set-up that is killed before leaves nothing to be mistaken.
  rm -rf "$tree"
  mv "$partial" "$tree"
  "prove_$kind"
  stamp "$title" "$tree" >"$tree/stamp.new"
  mv "$tree/stamp.new" "$tree/stamp"
  rm -rf "$apt"
  say "$title: ready in $tree, $(du -sm "$tree" | cut -f 1) MB, $((SECONDS - began)) s"
}

# --- the browser -------------------------------------------------------------------------------------------------

page_tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/tests/report/page # package.json and package-lock.json: which npm packages, by version and hash

have_browser() {
  command -v chromium >/dev/null && cmp -s "$page_tests/package-lock.json" "$browser_modules/package-lock.json"
}

# set_up_browser: the lock file goes in last, so that an interrupted set-up does not pass for a complete one.
set_up_browser() {
  have_browser && return
  open_cache
  take_lock
  have_browser && return
  if ! command -v npm >/dev/null || ! node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' 2>/dev/null; then
    fail "Node.js 20 or newer with npm is needed for the tests of the report's page, and is not here"
  fi
  if ! command -v chromium >/dev/null; then
    ((EUID == 0)) || fail "missing package: chromium; install it with: sudo apt-get install chromium" 2
    say "installing Debian's chromium"
    apt-get -q update >"$log" 2>&1 || true
    DEBIAN_FRONTEND=noninteractive attempt "installing chromium" \
      apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends chromium
  fi
  say "npm packages for the tests of the report's page"
  rm -rf "$browser_modules"
  mkdir -p "$browser_modules"
  cp "$page_tests/package.json" "$browser_modules/"
  cp "$page_tests/package-lock.json" "$browser_modules/npm-shrinkwrap.json"
  attempt "npm ci" timeout 300 npm ci --prefix "$browser_modules" --ignore-scripts --no-audit --no-fund
  cp "$page_tests/package-lock.json" "$browser_modules/"
}

print_browser() { printf 'browser=%s\nnode_modules=%s\n' "$(command -v chromium)" "$browser_modules/node_modules"; }

print_paths() {
  if [[ -n $rocm && $compiler_asked == no ]]; then
    printf 'device_compiler=%s\nllvm_bin=%s\nhip_include=%s\n' "$rocm_llvm/clang++" "$rocm_llvm" "$rocm/include"
  else
    printf 'device_compiler=%s\nllvm_bin=%s\nhip_include=%s\n' "$llvm_bin/clang++" "$llvm_bin" "$toolchain/usr/include"
  fi
  printf 'runtime=%s\n' "${rocm:+$rocm/lib/libamdhip64.so}"
  [[ $amd_runtime_asked == no ]] || print_amd_runtime
  [[ $browser_asked == no ]] || print_browser
}

# Both are empty where there is ROCm: programs find its library without them. The system's libraries come last, for what
# only the started program needs.
print_amd_runtime() {
  local loader='' folder
  [[ -n $rocm ]] || loader=$(loader_of "$amd_runtime")
  folder=${loader%/*}
  printf 'amd_loader=%s\namd_library_path=%s\n' "$loader" "${loader:+$folder:/usr/lib/${folder##*/}}"
}

# --- main ----------------------------------------------------------------------------------------------------

compiler=$default_compiler compiler_asked=no amd_runtime_asked=no browser_asked=no print=no install=yes packages_only=no
slurm_asked=no tidy_asked=no
wrong_usage() {
  usage >&2
  fail "$1" 2
}
while (($#)); do
  case $1 in
  --print) print=yes ;;
  --no-install) install=no ;;
  --packages) packages_only=yes ;;
  --slurm) slurm_asked=yes ;;
  --tidy) tidy_asked=yes ;;
  --amd-runtime) amd_runtime_asked=yes ;;
  --browser) browser_asked=yes ;;
  --compiler)
    [[ ${2:-} =~ ^[1-9][0-9]$ ]] || wrong_usage "--compiler takes a clang version such as 23, not '${2:-}'"
    compiler=$2 compiler_asked=yes
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
[[ $install == yes || $print == yes ]] || wrong_usage "--no-install goes with --print"
[[ $packages_only == no || $print$amd_runtime_asked$browser_asked$slurm_asked == nononono ]] ||
  wrong_usage "--packages goes with none of --print, --amd-runtime, --browser and --slurm"

log=$(mktemp) # what the command that is at work says
trap 'rm -f "$log"' EXIT

find_rocm
uses_rocm=no wants_amd_runtime=$amd_runtime_asked
[[ -n $rocm && $compiler_asked == no ]] && uses_rocm=yes
[[ -n $rocm ]] && wants_amd_runtime=no

if [[ $install == no ]]; then
  if [[ $uses_rocm == no ]]; then
    find_cache
    [[ $compiler_asked == no ]] && option='' || option=" --compiler $compiler"
    have_toolchain || fail "no device toolchain in $cache: run scripts/setup.sh$option"
  fi
  if [[ $browser_asked == yes ]]; then
    find_cache
    have_browser || fail "no browser for the tests of the report's page: run scripts/setup.sh --browser"
  fi
  [[ $wants_amd_runtime == no ]] || have_amd_runtime || fail "no AMD HIP library in $cache: run scripts/setup.sh --amd-runtime"
  print_paths
  exit 0
fi

set_up_packages
[[ $packages_only == yes ]] && exit 0
[[ $slurm_asked == no ]] || set_up_slurm
if [[ $uses_rocm == yes ]]; then
  say "using ROCm in $rocm"
else
  find_cache
  set_up_tree toolchain "$toolchain" "clang $compiler" "$toolchain_mb"
fi
if [[ $wants_amd_runtime == yes ]]; then
  set_up_tree amd_runtime "$amd_runtime" "AMD's HIP library" "$amd_runtime_mb"
fi
if [[ $browser_asked == yes ]]; then
  find_cache
  set_up_browser
fi
[[ $print == no ]] || print_paths

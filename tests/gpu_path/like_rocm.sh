#!/usr/bin/env bash
# The GPU presets, tried where there is no GPU: configures with a folder laid out like ROCm's that holds AMD's own HIP
# library, builds a suite's run binary against it, and expects every test to be skipped for want of a device. Builds for
# minutes, so it is no CTest entry.
set -euo pipefail

if [[ $# != 2 || ! $1 =~ ^gfx9(42|50)$ ]]; then
  echo "usage: tests/gpu_path/like_rocm.sh gfx942|gfx950 BUILD-FOLDER" >&2
  exit 2
fi
preset=$1
mkdir -p "$2"
build=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools=$(CDNA_CTS_IGNORE_ROCM=1 scripts/setup.sh --print --amd-runtime)
tool() { sed -n "s/^$1=//p" <<<"$tools"; }
loader=$(tool amd_loader)

rocm=$build/rocm
mkdir -p "$rocm/lib"
ln -sfn "$(dirname "$(tool llvm_bin)")" "$rocm/llvm"
ln -sfn "$(tool hip_include)" "$rocm/include"
ln -sfn "$(dirname "$loader")/libamdhip64.so.7" "$rocm/lib/libamdhip64.so.7"
ln -sfn libamdhip64.so.7 "$rocm/lib/libamdhip64.so"

# Only these flags are not a ROCm user's: AMD's library from Debian wants a newer C library than the system's, so what is linked
# with it is started by the loader beside it.
flags="-Wl,--dynamic-linker=$loader -Wl,--disable-new-dtags -Wl,-rpath,$(tool amd_library_path) -Wl,--allow-shlib-undefined"
export ROCM_PATH=$rocm
unset CDNA_CTS_IGNORE_ROCM CDNA_CTS_RUN_WRAPPER
cmake --preset "$preset" -B "$build" -DCMAKE_EXE_LINKER_FLAGS="$flags"
cmake --build "$build" --target lane_ownership_run --parallel "$(nproc)"

export CDNA_CTS_EVIDENCE=$build/evidence
rm -rf "$CDNA_CTS_EVIDENCE"
"$build/bin/lane_ownership_run" --target "$preset" --opt O3 | tail -n 3
records=$(cat "$CDNA_CTS_EVIDENCE"/*.jsonl | wc -l)
skipped=$(cat "$CDNA_CTS_EVIDENCE"/*.jsonl | grep -c '"outcome":"skipped".*no ROCm-capable device is detected' || true)
echo "$records records, $skipped skipped because no ROCm-capable device is detected"
((records > 0 && records == skipped))

#!/usr/bin/env bash
# Every test on every device of this host, all devices at once, and what they say together.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: runners/fleet/each-device.sh BUILD RUN gfx942|gfx950 [CTEST-ARGUMENT...]

  BUILD           build folder, with bin/cdna-cts and bin/cdna-cts-devices
  RUN             folder of the run: a new one, or one whose missing shards are to be run
  CTEST-ARGUMENT  which tests, as in: -L '^lane_ownership$'

exit status: that of cdna-cts merge: 0 all agree, 1 a device disagrees, violates a claim or is missing, 2 it could not run
TEXT
}

if (($# < 3)) || [[ ! $3 =~ ^gfx9(42|50)$ ]]; then
  usage >&2
  exit 2
fi
build=$1 run=$2 target=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [[ ! -e $run/plan.json ]]; then
  devices=$(CDNA_CTS_TARGET=$target "$build/bin/cdna-cts-devices" --count) || {
    echo "each-device.sh: no device here" >&2
    exit 2
  }
  "$build/bin/cdna-cts" fleet plan --run "$run" --build "$build" --target "$target" --devices "$devices" "${@/#/--ctest=}"
fi

missing=$("$build/bin/cdna-cts" fleet missing --run "$run") || (($? == 1)) || exit 2
for range in $(sed 's/^- //; s/,/ /g' <<<"$missing"); do
  for shard in $(seq "${range%-*}" "${range#*-}"); do
    "$here/shard.sh" "$build" "$run" "$shard" &
  done
done
wait
exec "$build/bin/cdna-cts" merge "$run"

#!/usr/bin/env bash
# One attempt at one shard of a fleet run: its tests on one device, the evidence in a folder of its own. As a Slurm batch
# script, as a task of an array, or by hand. Killed at any moment it leaves what was finished; only a shard that came to its
# end counts.
#SBATCH --job-name=cdna-cts
#SBATCH --open-mode=append
#SBATCH --requeue
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: runners/fleet/shard.sh BUILD RUN [SHARD]

  BUILD  build folder, with bin/cdna-cts and bin/cdna-cts-devices
  RUN    folder of the run, with the plan.json that 'cdna-cts fleet plan' wrote
  SHARD  its number; else $SLURM_ARRAY_TASK_ID

environment: CDNA_CTS_SHARD_SECONDS  time limit of the tests together, 21600 when unset

exit status: 0 all tests passed or the shard was complete already, 1 a test failed, 2 wrong usage or it could not run
TEXT
}

shard=${3:-${SLURM_ARRAY_TASK_ID:-}}
if (($# < 2 || $# > 3)) || [[ ! $shard =~ ^[0-9]+$ ]]; then
  usage >&2
  exit 2
fi
cts=$1/bin/cdna-cts

attempt=$("$cts" fleet begin --run "$2" --shard "$shard" --devices <("$1/bin/cdna-cts-devices")) || exit 2
[[ -n $attempt ]] || exit 0

mapfile -t arguments <"$attempt/ctest/arguments"
status=0
CDNA_CTS_EVIDENCE=$attempt/evidence timeout --foreground "${CDNA_CTS_SHARD_SECONDS:-21600}" \
  ctest "${arguments[@]}" >"$attempt/ctest.log" 2>&1 </dev/null || status=$?
# 8 is CTest's word for tests that failed, and for others that kept it from running any. Without an end the shard stays missing.
if ((status != 0 && status != 8)) || [[ -z $(ls "$attempt/evidence") ]]; then
  echo "shard.sh: ctest ended with status $status: $(tail -n 1 "$attempt/ctest.log")" >&2
  exit 2
fi
"$cts" fleet end --attempt "$attempt" --status "$status"
((status == 0))

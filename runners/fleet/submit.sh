#!/usr/bin/env bash
# Submits a fleet run to Slurm: for each node an array with one task for each of its devices. Called again with the same
# folder it submits what is missing.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: runners/fleet/submit.sh --build BUILD --run RUN --target gfx942|gfx950 --nodes LIST --devices N [--ctest ARGUMENT]...
                               [-- SBATCH-OPTION...]
       runners/fleet/submit.sh --build BUILD --run RUN [-- SBATCH-OPTION...]

The first form plans a run and submits it; the second submits again the shards of it that did not come to their end.
BUILD and RUN have to be the same folders on every node.

  --nodes LIST      nodes as Slurm writes them: 'n[0-127]'
  --devices N       devices of each node
  --ctest ARGUMENT  argument of ctest that selects tests, as in: --ctest=-L --ctest='^lane_ownership$'
  SBATCH-OPTION     for every array; not --gres, which is the script's own: one device a task, and on submitting again all
                    of the node's, so that a task can take the one that is missing

exit status: 0 submitted or nothing is missing, 2 wrong usage or Slurm refused
TEXT
}

# wrong MESSAGE: one line, and out.
wrong() {
  echo "submit.sh: $1" >&2
  exit 2
}

build='' run='' target='' nodes='' devices='' selection=() options=()
while (($#)); do
  case $1 in
  --build | --run | --target | --nodes | --devices)
    [[ -n ${2:-} ]] || wrong "$1 wants a value"
    printf -v "${1#--}" %s "$2"
    shift
    ;;
  --ctest=*) selection+=("$1") ;;
  --)
    shift
    options=("$@")
    break
    ;;
  --help | -h)
    usage
    exit 0
    ;;
  *) wrong "unknown option: $1" ;;
  esac
  shift
done
[[ -n $build && -n $run ]] || {
  usage >&2
  exit 2
}
command -v sbatch >/dev/null || wrong "sbatch is not here: submit from a host of the Slurm cluster"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$build" && pwd)
cts=$build/bin/cdna-cts

gres=gpu:1
if [[ -e $run/plan.json ]]; then
  gres=gpu:$("$cts" fleet devices --run "$run") || exit 2
else
  [[ -n $target && -n $nodes && -n $devices ]] || wrong "$run has no plan: say --target, --nodes and --devices"
  names=$(scontrol show hostnames "$nodes" | paste -sd,)
  "$cts" fleet plan --run "$run" --build "$build" --target "$target" --node "$names" --devices "$devices" "${selection[@]}" || exit 2
fi
run=$(cd "$run" && pwd)

# What Slurm says of its own, and what the tests print, is kept beside the shards.
mkdir -p "$run/slurm"
missing=$("$cts" fleet missing --run "$run") || (($? == 1)) || exit 2
[[ -n $missing ]] || {
  echo "submit.sh: nothing is missing"
  exit 0
}
while read -r node array; do
  sbatch --parsable --array="$array" --nodelist="$node" --nodes=1 --output="$run/slurm/%A_%a.txt" --export=ALL \
    --gres="$gres" "${options[@]}" "$here/shard.sh" "$build" "$run" || wrong "sbatch refused the shards $array of $node"
done <<<"$missing"

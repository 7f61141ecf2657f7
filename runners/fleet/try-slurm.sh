#!/usr/bin/env bash
# A fleet run on a real Slurm, all of it on this machine and in a temporary folder: four nodes, each with two devices of the
# emulator. One device has a planted fault, the shard of another is killed in the middle. The report must name the faulty
# device first and the missing shard; submitted again, nothing is missing any more. Takes less than a minute.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: runners/fleet/try-slurm.sh BUILD

  BUILD  build folder of preset emulated, with bin/cdna-cts and bin/lane_ownership_run

exit status: 0 as expected, 1 not, 2 wrong usage, 77 Slurm cannot be started here (the line says why)
TEXT
}

if (($# != 1)) || [[ ! -x $1/bin/cdna-cts ]]; then
  usage >&2
  exit 2
fi
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH=$PATH:/usr/sbin:/sbin

for program in munged slurmctld slurmd sbatch scontrol squeue scancel; do
  command -v "$program" >/dev/null || {
    echo "skipped: $program is not here (Debian: apt-get install munge slurmctld slurmd slurm-client)"
    exit 77
  }
done
((EUID == 0)) || {
  echo "skipped: slurmd wants to be root"
  exit 77
}

work=$(mktemp -d /tmp/cdna-cts-slurm.XXXXXX)
daemons=()
clean_up() {
  local status=$?
  ((status == 0)) || tail -n 5 "$work"/log/* "$work"/run/slurm/* 2>/dev/null || true
  scancel --user="$(id -un)" 2>/dev/null || true
  ((${#daemons[@]} == 0)) || kill "${daemons[@]}" 2>/dev/null || true
  for _ in {1..25}; do [[ -n $(jobs -pr) ]] && sleep 0.2; done
  # A slurmd waits for the tasks that it started, and they are no children of ours: each was given our SLURM_CONF.
  for environment in /proc/[0-9]*/environ; do
    ! grep -qa "SLURM_CONF=$work/" "$environment" 2>/dev/null || kill -KILL "$(cut -d/ -f3 <<<"$environment")" 2>/dev/null || true
  done
  wait
  rm -rf "$work"
}
trap clean_up EXIT

# within SECONDS WHAT COMMAND...: until the command succeeds.
within() {
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < until)) || {
      echo "try-slurm.sh: waited in vain for $what" >&2
      exit 1
    }
    sleep 0.2
  done
}

daemon() {
  "$@" >>"$work/log/${1##*/}.txt" 2>&1 &
  daemons+=($!)
}

# free_port: of this machine, at this moment.
free_port() {
  local port
  while port=$((20000 + RANDOM % 20000)); (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

mkdir -p "$work"/{log,state,spool,etc}
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 700 "$work"
chmod 600 "$work/munge.key"
export SLURM_CONF=$work/etc/slurm.conf
{
  cat <<TEXT
ClusterName=try
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdPidFile=$work/slurmd.%n.pid
SlurmdSpoolDir=$work/spool/%n
SlurmdLogFile=$work/log/slurmd.%n.log
StateSaveLocation=$work/state
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
GresTypes=gpu
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=1
MessageTimeout=10
TEXT
  for node in 0 1 2 3; do
    echo "NodeName=n$node NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$(free_port) CPUs=2 Gres=gpu:2 State=UNKNOWN"
  done
  echo "PartitionName=all Nodes=ALL Default=YES MaxTime=5 State=UP"
} >"$SLURM_CONF"
for node in 0 1 2 3; do
  ln -s /dev/null "$work/device$node.0" # Slurm wants device files, which it counts and nobody opens
  ln -s /dev/null "$work/device$node.1"
  echo "NodeName=n$node Name=gpu Flags=amd_gpu_env File=$work/device$node.[0-1]"
done >"$work/etc/gres.conf"

daemon munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
  --pid-file="$work/munge.pid" --log-file="$work/log/munge.log" --seed-file="$work/munge.seed"
within 10 munged test -S "$work/munge.socket"
daemon slurmctld -D -i -f "$SLURM_CONF"
for node in 0 1 2 3; do daemon slurmd -D -N "n$node" -f "$SLURM_CONF"; done
all_idle() { [[ $(sinfo --noheader --format='%D %t') == '4 idle' ]]; }
within 20 "four idle nodes" all_idle

# expect WHAT COMMAND...
expect() {
  local what=$1
  shift
  if "$@" >/dev/null 2>&1; then echo "ok: $what"; else
    echo "not so: $what" >&2
    exit 1
  fi
}
no_jobs() { [[ -z $(squeue --noheader) ]]; }

# What each task's shell reads first. Slurm shows a task one device of its node; the second one of n2 is the faulty one, and
# what runs on that of n3 is held up until it is killed.
cat >"$work/node-environment" <<'TEXT'
case $SLURMD_NODENAME.$ROCR_VISIBLE_DEVICES in
n2.1) export CDNA_CTS_FAULT=mfma_input_halves_swapped ;;
n3.1) export CDNA_CTS_RUN_WRAPPER="timeout 60 $HELD_UP_BY" ;;
esac
TEXT
cat >"$work/hold-up" <<'TEXT'
#!/bin/sh
# The fifth test does not come to its end.
echo >>"$HELD_UP.count"
[ "$(wc -l <"$HELD_UP.count")" -lt 5 ] || { : >"$HELD_UP"; exec sleep 60; }
exec "$@"
TEXT
chmod +x "$work/hold-up"
export BASH_ENV=$work/node-environment HELD_UP=$work/held-up HELD_UP_BY=$work/hold-up CDNA_CTS_EMULATED_DEVICES=2

run=$work/run
"$here/submit.sh" --build "$build" --run "$run" --target gfx942 --nodes 'n[0-3]' --devices 2 \
  --ctest=-R --ctest='^lane_ownership\.gfx942\.O3\.Mfma.*16x16x16' -- --time=2 >"$work/jobs" 2>"$work/log/submit.txt" || {
  cat "$work/log/submit.txt" >&2
  exit 1
}
within 30 "the shard on n3 to be in the middle" test -e "$HELD_UP"
others_done() { [[ $(squeue --noheader --format='%N %t') == 'n3 R' ]]; }
within 40 "the other shards" others_done
scancel --signal=KILL --full "$(tail -n 1 "$work/jobs")"
within 20 "an empty queue" no_jobs

status=0
"$build/bin/cdna-cts" merge "$run" >"$work/report.txt" || status=$?
cat "$work/report.txt"
expect "a device disagrees and a shard is missing: status 1" test "$status" = 1
expect "the faulty device is on top" grep -q '^  1\. n2 0000:01:00 emulated-001 .*planted fault mfma_input_halves_swapped' "$work/report.txt"
expect "no other device disagrees" grep -q ' 1 disagree with the rest' "$work/report.txt"
expect "the killed shard is missing" grep -qE '^  shard [67] on n3: attempt 1 did not end .*left [1-9][0-9]* records' "$work/report.txt"
expect "the other seven are complete" grep -q 'Shards: 8 planned, 7 complete, 1 missing' "$work/report.txt"

"$here/submit.sh" --build "$build" --run "$run" -- --time=2 >"$work/jobs.again"
expect "only the missing shard is submitted again" test "$(wc -l <"$work/jobs.again")" = 1
within 40 "the shard on n3" no_jobs
"$build/bin/cdna-cts" merge "$run" >"$work/report.txt" || true
cat "$work/report.txt"
expect "then nothing is missing" grep -q '8 devices: .* Shards: 8 planned, 8 complete, 0 missing' "$work/report.txt"
expect "and the faulty device is still on top" grep -q '^  1\. n2 0000:01:00 ' "$work/report.txt"

#!/usr/bin/env bash
# Runs the scripts of configs/cluster under a real Slurm of one node, from Debian's packages
# (slurmctld, slurmd, slurm-client, munge), and compares the pack with that of a single run.
# Needs root; the program to test is the first argument.
set -euo pipefail

program=$(realpath "${1:?usage: tests/slurm.sh PROGRAM}")
cluster=$(realpath "$(dirname "$0")/../configs/cluster")
place=$(mktemp -d)
export PATH="$place/bin:$PATH" SLURM_CONF="$place/slurm.conf"
pids=()

stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait || true
  rm -rf "$place"
}
trap stop EXIT

mkdir -p "$place"/{bin,state,spool,log,run,work}
ln -s "$program" "$place/bin/pourfect"

# Slurm's daemons trust each other by a key of this test's own.
dd if=/dev/urandom of="$place/munge.key" bs=1024 count=1 status=none
chown -R munge: "$place/munge.key" "$place/run"
chmod 400 "$place/munge.key"
chmod 711 "$place"
chmod 755 "$place/run"
runuser -u munge -- munged --foreground --key-file "$place/munge.key" \
  --socket "$place/run/munge.socket" --pid-file "$place/run/munged.pid" \
  --log-file "$place/run/munged.log" --seed-file "$place/run/munged.seed" &
pids+=($!)

host=$(hostname -s)
cat > "$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/run/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/run/slurmctld.pid
SlurmdPidFile=$place/run/slurmd.pid
SlurmctldLogFile=$place/log/slurmctld.log
SlurmdLogFile=$place/log/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF

slurmctld -D -f "$SLURM_CONF" & pids+=($!)
slurmd -D -f "$SLURM_CONF" & pids+=($!)

# Waits up to a minute until a command succeeds.
until_true() {
  for _ in $(seq 120); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.5
  done
  echo "never true: $*" >&2
  tail -n 20 "$place"/log/* >&2
  return 1
}
is_idle() { sinfo -h -o %t | grep -q idle; }
until_true is_idle

cd "$place/work"
export POURFECT_FLAGS="--colors 5 --count 200 --seed 7"
array=$(sbatch --parsable --array=0-3 --cpus-per-task=1 "$cluster/array.slurm")
merge=$(sbatch --parsable --dependency="afterok:$array" "$cluster/merge.slurm")
is_over() { ! squeue -h -j "$merge" | grep -q .; }
until_true is_over

# shellcheck disable=SC2086  # the flags are words
pourfect generate $POURFECT_FLAGS --out single --quiet
if ! diff -r single pack; then
  cat ./*.log >&2
  exit 1
fi
echo "four shards and a merge under Slurm $(sinfo --version | cut -d' ' -f2): the bytes of a single run"

#!/usr/bin/env bash
# A run on a full disk says so and goes on when there is room. Needs root, for a small file system;
# the program to test is the first argument.
set -euo pipefail

program=$(realpath "${1:?usage: tests/full_disk.sh PROGRAM}")
place=$(mktemp -d)
disk=$place/disk
mkdir "$disk"
trap 'umount "$disk"; rm -rf "$place"' EXIT
mount -t tmpfs -o size=64k tmpfs "$disk"

run() { "$program" generate --colors 4 --count 200 --seed 3 --quiet "$@"; }
run --out "$place/whole"

code=0
run --out "$disk/pack" 2> "$place/words" || code=$?
cat "$place/words"
test "$code" = 1
grep -q "No space left" "$place/words"
test ! -e "$disk/pack/manifest.json"

mount -o remount,size=64m "$disk"
run --out "$disk/pack" --resume
diff -r "$place/whole" "$disk/pack"
echo "a run that a full disk cut off ends in the bytes of an unbroken one"

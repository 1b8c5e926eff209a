#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
# Runs the bundle's test programs, all or those whose name holds one of the
# words given; logs go to logs/ here or to $GST_HIP_BUNDLE_SCRATCH. Counts
# programs, by exit status: 77 is a skip. GST_HIP_TEST_REQUIRE=nvidia makes the
# tests fail where they would skip for want of such a device.
here=$(cd "$(dirname "$0")" && pwd)
logs=${GST_HIP_BUNDLE_SCRATCH:-$here}/logs
mkdir -p "$logs"
export GST_HIP_CACHE_DIR="$logs/kernel-cache" GST_HIP_TEST_OUT="$logs/out"
passed=0 failed=0 skipped=0
tab=$(printf '\t')
while IFS=$tab read -r name limit command; do
  [ -n "$name" ] || continue
  wanted=$([ $# -gt 0 ] || echo 1)
  for word in "$@"; do
    case $name in *"$word"*) wanted=1 ;; esac
  done
  [ -n "$wanted" ] || continue
  log=$logs/$(echo "$name" | tr '/ ' '__').log
  code=0
  eval "timeout $limit $command" < /dev/null > "$log" 2>&1 || code=$?
  case $code in
    0) passed=$((passed + 1)); echo "ok      $name $(grep -h -o 'Checks: [0-9]*' "$log" | tail -n 1)" ;;
    77) skipped=$((skipped + 1)); echo "skipped $name" ;;
    *) failed=$((failed + 1)); echo "FAILED  $name (status $code, $log)"; tail -n 15 "$log" ;;
  esac
done < "$here/tests.list"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]

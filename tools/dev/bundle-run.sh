#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
# Starts CMD with the libraries and the dynamic linker of this bundle. CMD is a
# program of bin/, a path below this folder, or any program of the bundle's
# kind. The target's drivers come last on the library path; children that are
# the target's own (its C++ compiler) see none of this.
here=$(cd "$(dirname "$0")" && pwd)

[ $# -gt 0 ] || { echo "usage: ./run CMD..." >&2; ls "$here/bin" >&2; exit 2; }

scratch=${GST_HIP_BUNDLE_SCRATCH:-${TMPDIR:-/tmp}/gst-hip-bundle-$(id -u)}
mkdir -p "$scratch"

export GST_PLUGIN_PATH="$here/build/plugins${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
export GST_PLUGIN_SYSTEM_PATH="$here/gstreamer-1.0"
export GST_REGISTRY="$scratch/registry.bin"
export GST_REGISTRY_FORK=no
export GST_PLUGIN_SCANNER="$here/bin/gst-plugin-scanner"
export GST_HIP_SOURCE_DIR="$here/src"
export GST_HIP_ARCHIVE_DIR="${GST_HIP_ARCHIVE_DIR:-$here/build/gst-libs/gst/hip/kernels}"
export PATH="$here/bin:$PATH"
unset LD_LIBRARY_PATH GST_PLUGIN_PATH_1_0 GST_PLUGIN_SYSTEM_PATH_1_0 GST_REGISTRY_1_0

libraries=$here/build/gst-libs/gst/hip:$here/lib
for dir in /usr/local/cuda/lib64 /usr/local/cuda-*/lib64 \
    /usr/local/nvidia/lib64 /opt/rocm/lib /opt/rocm-*/lib \
    "/usr/lib/$(uname -m)-linux-gnu" "/lib/$(uname -m)-linux-gnu" /usr/lib64; do
  [ ! -d "$dir" ] || libraries=$libraries:$dir
done

command=$1
shift
case $command in
  */*) ;;
  *)
    if [ -e "$here/libexec/$command" ]; then
      command=$here/libexec/$command
    elif [ -e "$here/build/tools/$command" ]; then
      command=$here/build/tools/$command
    else
      exec "$command" "$@"      # the target's own, with our paths set
    fi ;;
esac
# What a program that starts itself again has to start.
unset GST_HIP_TEST_SELF
[ ! -x "$command.run" ] || export GST_HIP_TEST_SELF="$command.run"
exec "$here/lib/ld.so" --library-path "$libraries" "$command" "$@"

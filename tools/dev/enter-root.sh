#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
#   enter-root.sh ROOT CHECKOUT CMD...
#
# Runs CMD inside ROOT with the machine's own folders where they are: every
# top-level folder that is not the system's (home, mnt, work...), the checkout
# wherever it lies, devices, and the CUDA toolkit. Runs as root of a private
# mount namespace, so the mounts end with CMD. The root itself is left alone
# but for empty folders to mount on.
set -eu
PATH=$PATH:/usr/sbin:/sbin

root=$1 checkout=$2
shift 2

# A mount of its own, to be the top of the tree below.
mount --bind "$root" "$root"

bind() {                        # PATH: the machine's PATH, seen in the root
  mkdir -p "$root$1"
  mount --rbind "$1" "$root$1"
}

for dir in /proc /sys /dev /tmp; do
  bind "$dir"
done
for dir in /*/; do
  dir=${dir%/}
  case $dir in
    /bin|/boot|/dev|/etc|/lib*|/lost+found|/opt|/proc|/run|/sbin|/sys|/tmp|/usr|/var) ;;
    *) [ -L "$dir" ] || bind "$dir" ;;
  esac
done
[ -e "$root$checkout/dev" ] || bind "$checkout"
for dir in /usr/local/cuda*; do
  [ -d "$dir" ] || continue
  bind "$(realpath "$dir")"
  mount -o remount,bind,ro "$root$(realpath "$dir")" || true
  [ ! -L "$dir" ] || ln -sfn "$(realpath "$dir")" "$root$dir"
done
for file in /etc/resolv.conf /etc/hosts; do
  [ ! -e "$file" ] || [ ! -e "$root$file" ] ||
    mount --bind "$(realpath "$file")" "$root$file" || true
done

here=$PWD
[ -d "$root$here" ] || here=$checkout

# Not chroot: in there, programs could not make user namespaces of their own.
cd "$root"
pivot_root . .
umount -l .

exec /usr/bin/env -C / \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  LC_ALL=C.UTF-8 PYTHONNOUSERSITE=1 GST_HIP_DEV_INSIDE=1 \
  /bin/bash -c 'cd "$1" && shift && exec "$@"' - "$here" "$@"

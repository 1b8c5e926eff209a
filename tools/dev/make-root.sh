#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
#   make-root.sh FOLDER SUITE MIRROR PACKAGES
#
# Fills FOLDER with a Debian of SUITE and PACKAGES (one argument, separated by
# spaces). Runs as root of a private mount namespace; tools/dev/root.sh locks
# and renames.
set -eu
PATH=/usr/local/sbin:/usr/sbin:/sbin:$PATH
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
umask 022

dir=$1 suite=$2 mirror=$3
read -r -a packages <<< "$4"

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
options=(--variant=minbase --include=ca-certificates --keyring="$keyring")

# A suite that is younger than the machine's debootstrap is made as sid is.
script=
[ -e "/usr/share/debootstrap/scripts/$suite" ] ||
  script=/usr/share/debootstrap/scripts/sid

mkdir -p "$dir"
debootstrap "${options[@]}" "$suite" "$dir" "$mirror" \
  ${script:+"$script"}

# No documentation but licences, no translations: a third of the size.
cat > "$dir/etc/dpkg/dpkg.cfg.d/slim" <<'EOF'
path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/man/*
EOF
cat > "$dir/etc/apt/apt.conf.d/90gst-hip" <<'EOF'
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "5";
EOF
# How the machine's apt reaches mirrors: its proxy, and whether it takes lists
# that are past their date (those of a snapshot are).
if command -v apt-config >/dev/null; then
  apt-config dump |
    grep -E '^Acquire::(https?::[Pp]roxy|Check-Valid-Until)' \
    >> "$dir/etc/apt/apt.conf.d/90gst-hip" || true
fi
# Nothing starts a service in there.
printf '#!/bin/sh\nexit 101\n' > "$dir/usr/sbin/policy-rc.d"
chmod 755 "$dir/usr/sbin/policy-rc.d"
cp -L /etc/resolv.conf "$dir/etc/resolv.conf" 2>/dev/null || true

mountpoint -q "$dir/proc" || mount --rbind /proc "$dir/proc"
mountpoint -q "$dir/dev" || mount --rbind /dev "$dir/dev"

chroot "$dir" apt-get -q update
chroot "$dir" apt-get -q -y install "${packages[@]}"
chroot "$dir" apt-get clean
rm -rf "$dir"/var/lib/apt/lists/*
mkdir -p "$dir/usr/local/nvidia"

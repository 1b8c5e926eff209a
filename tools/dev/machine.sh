# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
# What this machine has, and what it needs when we work on it directly.
# Sourced by ./dev; must not know how a root is made.

machine_list=$src/tools/dev/packages-host

# The dependencies at the versions that everything can be built with. A machine
# with less still serves with GST_HIP_DEV=host, without inference.
machine_is_ready() {
  local program
  for program in cc c++ ninja pkg-config python3 g-ir-scanner gst-launch-1.0; do
    command -v "$program" >/dev/null || return 1
  done
  command -v meson >/dev/null &&
    printf '1.0\n%s\n' "$(meson --version)" | sort -CV || return 1
  pkg-config --atleast-version=1.26 gstreamer-1.0 gstreamer-video-1.0 \
    gstreamer-allocators-1.0 gstreamer-check-1.0 2>/dev/null || return 1
}

machine_packages() { sed 's/#.*//' "$machine_list" | xargs; }

# Installs Debian packages if we may; fails if not.
apt_install() {
  local sudo=()
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || return 1
    sudo=(sudo -n)
  fi
  say "installing: $*"
  local log
  log=$(mktemp)
  # The package lists of a fresh machine are empty or old, so update first; a
  # source that does not answer may be one that we need nothing from.
  if ! { { "${sudo[@]}" apt-get -q -o Acquire::Retries=5 \
          -o DPkg::Lock::Timeout=600 update || true; } &&
      "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o Acquire::Retries=5 -o DPkg::Lock::Timeout=600 \
        install --no-install-recommends "$@"
      } < /dev/null > "$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# Makes the machine able to build, or says what it lacks.
machine_prepare() {
  # The system's own tools first: the packages are made for its python and not
  # for another one that may lie on the path.
  PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    local package missing=()
    for package in $(machine_packages); do
      dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null |
        grep -qx installed || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}" ||
      say "could not install: ${missing[*]}"
  fi
  local module program
  for program in cc c++ meson ninja pkg-config python3; do
    command -v "$program" >/dev/null || die "this machine has no $program"
  done
  for module in gstreamer-1.0 gstreamer-video-1.0 gstreamer-allocators-1.0; do
    pkg-config --atleast-version=1.22 "$module" ||
      die "this machine has no $module >= 1.22 with headers"
  done
}

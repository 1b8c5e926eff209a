# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
# The Debian 13 root: made once per package list, shared by every checkout of
# this user, entered with the checkout at its own path. Sourced by ./dev.
# GST_HIP_ROOT_SUITE=SUITE takes another Debian, with a package list of its own.
#
# A root that carries its final name is complete: it is made under a temporary
# name, under a lock, and renamed at the end. Mounts live in a mount namespace
# of the command's own, so nothing has to be undone, whatever ends it.

root_suite=${GST_HIP_ROOT_SUITE:-trixie}
root_cache=${XDG_CACHE_HOME:-$HOME/.cache}/gst-hip
root_list=$src/tools/dev/packages-root
root_name=root
if [ "$root_suite" != trixie ]; then
  root_name=root-$root_suite
  root_list=$root_list-$root_suite
  [ -e "$root_list" ] ||
    die "GST_HIP_ROOT_SUITE is '$root_suite': there is no $root_list"
fi

root_packages() { sed 's/#.*//' "$root_list" | xargs; }

root_dir() {
  local key
  key=$(printf '%s %s' "$root_suite" "$(root_packages)" | sha256sum | cut -c1-12)
  echo "$root_cache/root-$root_suite-$key"
}

# The Debian mirror that this machine's apt uses, if it is a Debian; otherwise
# empty, and debootstrap takes its own default.
root_mirror() {
  command -v apt-get >/dev/null || return 0
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    2>/dev/null | grep -m1 -E '/debian/?$' || true
}

# Runs a command as root of a mount namespace of its own: as we are, or with
# user namespaces where we are nobody special.
root_unshare() {
  if [ "$(id -u)" = 0 ]; then
    unshare --mount --propagation private -- "$@"
  else
    unshare --user --map-root-user --map-auto --mount \
      --propagation private -- "$@"
  fi
}

root_need_tools() {
  local missing=()
  command -v debootstrap >/dev/null || [ -x /usr/sbin/debootstrap ] ||
    missing+=(debootstrap)
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] ||
    missing+=(debian-archive-keyring)
  command -v unshare >/dev/null || missing+=(util-linux)
  if [ "$(id -u)" != 0 ]; then
    command -v newuidmap >/dev/null || missing+=(uidmap)
  fi
  [ ${#missing[@]} = 0 ] && return 0
  apt_install "${missing[@]}" ||
    die "the Debian $root_suite root needs: ${missing[*]} (install them, or use GST_HIP_DEV=host)"
}

# Makes the root unless it is there. Prints nothing when it is.
root_ensure() {
  local root lock
  root=$(root_dir)
  [ -d "$root" ] && return 0
  root_need_tools
  mkdir -p "$root_cache"
  exec {lock}> "$root_cache/root.lock"
  if ! flock -n "$lock"; then
    say "another process is making the $root_suite root; waiting for it"
    flock "$lock"
  fi
  if [ ! -d "$root" ]; then
    say "making the Debian $root_suite root in $root (once, some minutes)"
    local log=$root_cache/root.log
    # What an interrupted try has left; nobody else is at it, we hold the lock.
    root_unshare bash -c 'rm -rf -- "$@"' - "$root_cache"/root-*.tmp || true
    if ! container=lxc root_unshare bash "$src/tools/dev/make-root.sh" \
        "$root.tmp" "$root_suite" "$(root_mirror)" "$(root_packages)" \
        < /dev/null > "$log" 2>&1; then
      tail -n 30 "$log" >&2
      die "the root could not be made; the whole log is $log"
    fi
    mv "$root.tmp" "$root"
  fi
  exec {lock}>&-
}

# Runs CMD in the root, in the current folder, as the same user (who looks like
# root in there). Does not return.
root_exec() {
  root_ensure
  if [ "$(id -u)" = 0 ]; then
    exec unshare --mount --propagation private -- \
      bash "$src/tools/dev/enter-root.sh" "$(root_dir)" "$src" "$@"
  else
    exec unshare --user --map-root-user --map-auto --mount \
      --propagation private -- \
      bash "$src/tools/dev/enter-root.sh" "$(root_dir)" "$src" "$@"
  fi
}

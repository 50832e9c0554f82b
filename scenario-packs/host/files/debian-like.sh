#!/bin/sh
# HOST_ROOT is set only where a folder plays the host (the sandbox).
set -eu
export LC_ALL=C

release=/etc/os-release
if [ -n "${HOST_ROOT:-}" ] && [ -r "$HOST_ROOT/etc/os-release" ]; then release="$HOST_ROOT/etc/os-release"; fi
if [ ! -r "$release" ]; then
  echo "there is no readable $release on this host ($(uname -s)); Debian or a system of its family is needed" >&2
  exit 1
fi

# Read in a shell of its own, so that what the file sets stays there.
# shellcheck disable=SC1090
field() { (unset "$1"; . "$release"; eval "printf '%s' \"\${$1:-}\"") | tr -d '"\\\n'; }
os=$(field ID)
version=$(field VERSION_ID)
family=" $os $(field ID_LIKE) "
arch=$(dpkg --print-architecture 2>/dev/null || uname -m)

printf '{"os":"%s","version":"%s","arch":"%s","name":"%s"}\n' "$os" "${version:-unknown}" "$arch" "$(field PRETTY_NAME)"
case "$family" in
  *" debian "*) ;;
  *)
    echo "this is $(field PRETTY_NAME) (ID=$os); Debian or a system of its family is needed" >&2
    exit 1
    ;;
esac

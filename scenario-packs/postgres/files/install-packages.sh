#!/bin/sh
# Exit 75 means: nothing is wrong with the host, try again later.
set -eu
umask 022
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

apt() { apt-get -q -o DPkg::Lock::Timeout=60 -o Dpkg::Options::=--force-confold "$@" </dev/null 2>&1; }

# $1 = what was tried, $2 = its output. Ends with the cause in one line, because apt buries it.
give_up() {
  failed_url=$(printf '%s\n' "$2" | sed -n 's/^[EW]: Failed to fetch \([^ ]*\).*/\1/p' | head -n 1)
  case "$2" in
    *'No space left on device'* | *"don't have enough free space"*)
      echo "$1 failed: disk full: $(df -Pk /var | awk 'NR == 2 { print $6 " has " $4 " KiB free" }')" >&2
      exit 1
      ;;
    *'Could not get lock'* | *'Unable to acquire the dpkg frontend lock'*)
      echo "$1 failed: another program holds the package lock: $(printf '%s\n' "$2" | grep -m 1 -E 'lock')" >&2
      exit 75
      ;;
  esac
  if [ -n "$failed_url" ]; then
    echo "$1 failed: mirror unreachable: $failed_url" >&2
    exit 75
  fi
  echo "$1 failed: $(printf '%s\n' "$2" | grep -m 1 '^E: ' || printf '%s\n' "$2" | tail -n 1)" >&2
  exit 1
}

if installed postgresql && installed postgresql-client-common; then
  echo "already installed: $(dpkg-query -W -f='${Package} ${Version}' postgresql)"
  exit 0
fi

# Without Error-Mode=any apt-get says 0 although a source was not read at all.
output=$(apt -o APT::Update::Error-Mode=any update) || { printf '%s\n' "$output"; give_up 'apt-get update' "$output"; }
printf '%s\n' "$output"

output=$(apt install -y --no-install-recommends postgresql) || {
  printf '%s\n' "$output"
  case "$output" in
    *'dpkg was interrupted'*) ;; # an earlier attempt was cut off; finishing it is the way on that dpkg names
    *) give_up 'apt-get install postgresql' "$output" ;;
  esac
  dpkg --configure -a </dev/null
  output=$(apt install -y --no-install-recommends postgresql) || { printf '%s\n' "$output"; give_up 'apt-get install postgresql' "$output"; }
}
printf '%s\n' "$output"

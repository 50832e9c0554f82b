#!/bin/sh
# Exit 75 means: nothing is wrong with the host, try again later.
set -eu
umask 022
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
exec 3>&1
# How long a package lock of another program is waited for, seconds; the rest of the job's time is for the installation.
patience=${LOCK_PATIENCE:-720}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# try COMMAND...: its output goes to the log line by line and stays in $words; the result is its exit code.
try() {
  # The end is told by a line: a daemon that a package starts may keep the stream open.
  words=$({ "$@" </dev/null 2>&1 3>&- && echo ended 0 || echo "ended $?"; } | while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in 'ended '[0-9]*) break ;; esac
    printf '%s\n' "$line" >&3
  done)
  return "${words##*ended }"
}

# Do the words say that another program holds a lock? Then sets lock, pid and holder.
meets_lock() {
  case $words in
    *'Could not get lock '*) lock=$(printf '%s\n' "$words" | sed -n 's/.*Could not get lock \([^ ]*[^ .]\).*/\1/p' | tail -n 1) ;;
    *'locked by another process'*) lock=/var/lib/dpkg/lock-frontend ;;
    *) return 1 ;;
  esac
  pid=$(printf '%s\n' "$words" | sed -n 's/.*\(by process\|with pid\) \([0-9][0-9]*\).*/\2/p' | tail -n 1)
  if [ -z "$pid" ]; then pid=$(locks_of_file | head -n 1); fi
  holder="a program that the host does not name"
  if [ -z "$pid" ]; then return 0; fi
  command=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | cut -c 1-80) || command=''
  if [ -z "$command" ]; then command=$(printf '%s\n' "$words" | sed -n "s/.*by process $pid (\(.*\)).*/\1/p" | tail -n 1); fi
  holder="process $pid (${command% })"
}

# The pids that the kernel names for the lock's file.
locks_of_file() {
  inode=$(stat -c %i "$lock" 2>/dev/null) || return 0
  awk -v file=":$inode" '$2 != "->" && substr($6, length($6) - length(file) + 1) == file { print $5 }' /proc/locks 2>/dev/null
}

# Waits until the lock is given back, at most ten seconds. Where the kernel does not show the lock, until its holder ends.
wait_a_while() {
  shown=no
  if [ -n "$pid" ] && locks_of_file | grep -qx "$pid"; then shown=yes; fi
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 1
    if [ -n "$pid" ] && ! kill -0 "$pid" 2>/dev/null; then return 0; fi
    if [ "$shown" = yes ] && ! locks_of_file | grep -qx "$pid"; then return 0; fi
  done
}

# in_turn COMMAND...: like try, but waits as long as another program holds a package lock, and says who.
in_turn() {
  since=$(date +%s)
  until try "$@"; do
    code=${words##*ended }
    meets_lock || return "$code"
    while :; do
      waited=$(($(date +%s) - since))
      if [ "$waited" -ge "$patience" ]; then
        echo "another program holds the package lock: $holder has held $lock for $waited s; this host will be tried again later" >&2
        exit 75
      fi
      echo "waiting for the package lock $lock, which $holder holds ($waited s so far)"
      wait_a_while
      # As long as the kernel shows the lock there is no need to ask apt, which would say the same again.
      if [ "$shown" = no ] || ! locks_of_file | grep -qx "$pid"; then break; fi
    done
  done
}

apt() { in_turn apt-get -q -o Dpkg::Options::=--force-confold "$@"; }

# $1 = what was tried; its output is in $words. Ends with the cause in one line, because apt buries it.
give_up() {
  words=${words%ended *}
  failed_url=$(printf '%s\n' "$words" | sed -n 's/^[EW]: Failed to fetch \([^ ]*\).*/\1/p' | head -n 1)
  case $words in
    *'No space left on device'* | *"don't have enough free space"*)
      echo "$1 failed: disk full: $(df -Pk /var | awk 'NR == 2 { print $6 " has " $4 " KiB free" }')" >&2
      exit 1
      ;;
  esac
  if [ -n "$failed_url" ]; then
    echo "$1 failed: mirror unreachable: $failed_url" >&2
    exit 75
  fi
  echo "$1 failed: $(printf '%s\n' "$words" | grep -m 1 '^E: ' || printf '%s\n' "$words" | tail -n 1)" >&2
  exit 1
}

if installed postgresql && installed postgresql-client-common; then
  echo "already installed: $(dpkg-query -W -f='${Package} ${Version}' postgresql)"
  exit 0
fi

# Without Error-Mode=any apt-get says 0 although a source was not read at all.
apt -o APT::Update::Error-Mode=any update || give_up 'apt-get update'

apt install -y --no-install-recommends postgresql || {
  case $words in
    *'dpkg was interrupted'*) ;; # an earlier attempt was cut off; finishing it is the way on that dpkg names
    *) give_up 'apt-get install postgresql' ;;
  esac
  in_turn dpkg --configure -a || give_up 'dpkg --configure -a'
  apt install -y --no-install-recommends postgresql || give_up 'apt-get install postgresql'
}

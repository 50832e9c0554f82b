# Which processes belong to an attempt, and how they are ended. A process is named by pid and start time, so that a pid
# which the kernel gave to someone else is never hit.

# Sets incarnation: boot_id/start of PID 1, because containers share the kernel's boot_id.
look_up_incarnation() {
  boot=unknown
  { IFS= read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
  if start_of 1; then incarnation=$boot/$start; else incarnation=$boot/hidden; fi
}

same_life() {
  if [ "${1%%/*}" != "${2%%/*}" ]; then return 1; fi
  # hidepid: who may not see PID 1 can compare the boot only.
  case $1$2 in */hidden*) return 0 ;; esac
  [ "$1" = "$2" ]
}

# start_of PID: sets start and state.
start_of() {
  start='' state='' stat=''
  { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null
  # A name may hold a line end.
  case $stat in *') '*) ;; *) stat=$(cat "/proc/$1/stat" 2>/dev/null) ;; esac
  if [ -z "$stat" ]; then return 1; fi
  # The name in parentheses may hold spaces and parentheses itself.
  # shellcheck disable=SC2086 # the fields are wanted
  set -- ${stat##*) }
  state=$1 start=${20:-}
  [ -n "$start" ]
}

# Double forks and children in sessions of their own keep the environment.
marked() { grep -lzx "CAPSTAN_ATTEMPT=$1" /proc/[0-9]*/environ 2>/dev/null | sed 's,^/proc/\([0-9]*\)/.*,\1,' | tr '\n' ' '; }

# living ATTEMPT LEADER BORN [FILE]: "pid start" of each live process: marked ones, the leader's session and group, those
# in FILE, and every child of any of them (sudo clears the environment of its child).
living() {
  printf '%s\n' /proc/[0-9]*/stat | awk -v marked="$(marked "$1")" -v leader="$2" -v born="$3" \
    -v known="$(if [ -n "${4:-}" ] && [ -f "$4" ]; then tr '\n' ' ' <"$4"; fi)" '
    {
      text = ""
      while ((getline line < $0) > 0) text = text line " "
      close($0)
      if (text == "") next
      split($0, part, "/")
      pid = part[3]
      sub(/^.*\) /, "", text)
      split(text, field, " ")
      if (field[1] == "Z" || field[1] == "X") next
      parent[pid] = field[2]; group[pid] = field[3]; session[pid] = field[4]; start[pid] = field[20]
    }
    END {
      count = split(marked, item, " ")
      for (n = 1; n <= count; n++) if (item[n] in start) found[item[n]] = 1
      count = split(known, item, " ")
      for (n = 1; n < count; n += 2) if (start[item[n]] == item[n + 1]) found[item[n]] = 1
      # The number of a session or group is not given away while it has members: they are ours if the leader is, or is gone.
      if (leader != "" && (!(leader in start) || start[leader] == born))
        for (pid in start) if (session[pid] == leader || group[pid] == leader) found[pid] = 1
      do {
        grown = 0
        for (pid in start) if (!(pid in found) && (parent[pid] in found)) { found[pid] = 1; grown = 1 }
      } while (grown)
      for (pid in found) if (start[pid] != "") print pid, start[pid]
    }'
}

count_lines() { if [ -z "$1" ]; then echo 0; else printf '%s\n' "$1" | wc -l | tr -d ' '; fi; }

# signal_all SIGNAL "pid start" lines.
signal_all() {
  printf '%s\n' "$2" | while read -r pid wanted; do
    if [ -n "$pid" ] && start_of "$pid" && [ "$start" = "$wanted" ]; then kill -s "$1" "$pid" 2>/dev/null; fi
  done
}

uptime_seconds() {
  IFS=' ' read -r uptime _ </proc/uptime
  uptime=${uptime%%.*}
}

# end_all ATTEMPT LEADER BORN GRACE FILE: TERM, GRACE seconds, KILL. FILE remembers what was found, because a child that
# loses its parent and has no mark would be lost from sight. Sets found to what still lives.
end_all() {
  found=$(living "$1" "$2" "$3" "$5")
  if [ -z "$found" ]; then return 0; fi
  printf '%s\n' "$found" >>"$5"
  signal_all TERM "$found"
  uptime_seconds
  until_term=$((uptime + $4)) until_kill=$((uptime + $4 + 5))
  while :; do
    sleep 0.1
    found=$(living "$1" "$2" "$3" "$5")
    if [ -z "$found" ]; then return 0; fi
    uptime_seconds
    if [ "$uptime" -ge "$until_kill" ]; then return 1; fi
    printf '%s\n' "$found" >>"$5"
    if [ "$uptime" -ge "$until_term" ]; then signal_all KILL "$found"; fi
  done
}

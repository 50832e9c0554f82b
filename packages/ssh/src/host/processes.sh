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

# living ATTEMPT LEADER BORN MEMORY: "pid start session WORD" of each live process of the attempt: those with its mark (double
# forks and children in sessions of their own keep the environment), the leader's session and group, those of MEMORY and their
# sessions, and every child of any of them (sudo clears the environment of its child). WORD: `told` got TERM already, as MEMORY
# says; `spared` works for one that did, and may be what cleans up; `new` is neither. A line that MEMORY lacks ends with " +".
# Everything goes in by the pipe, for an argument has a limit. Fails if it could not look.
living() {
  {
    grep -lzx "CAPSTAN_ATTEMPT=$1" /proc/[0-9]*/environ 2>/dev/null
    printf '%s\n' "$4" /proc/[0-9]*/stat
  } | awk -v leader="$2" -v born="$3" '
    /^\/proc\/[0-9]+\/environ$/ { split($0, part, "/"); marked[part[3]] = 1; next }
    /^[0-9]/ { memory[$0] = 1; next }
    /^\/proc\/[0-9]+\/stat$/ {
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
      for (pid in marked) if (pid in start) found[pid] = 1
      for (entry in memory) {
        split(entry, item, " ")
        ours[item[3]] = 1
        if (!(item[1] in start) || start[item[1]] != item[2]) continue
        found[item[1]] = 1
        if (item[4] == "told") word[item[1]] = "told"
      }
      # The number of a session or group is not given away while it has members: they are ours if the leader is, or is gone.
      # The leader itself has neither mark nor session before its setsid.
      if (leader in start && start[leader] == born) found[leader] = 1
      if (leader != "" && (!(leader in start) || (leader in found)))
        for (pid in start) if (session[pid] == leader || group[pid] == leader) found[pid] = 1
      # A child that was born after the scan and lost its parent to TERM has no mark and no parent of ours: its session has.
      for (pid in start) if ((session[pid] in ours) && (!(session[pid] in start) || (session[pid] in found))) found[pid] = 1
      do {
        grown = 0
        for (pid in start) if (!(pid in found) && (parent[pid] in found)) { found[pid] = 1; grown = 1 }
        for (pid in found) if (!(pid in word) && (parent[pid] in word)) { word[pid] = "spared"; grown = 1 }
      } while (grown)
      for (pid in found) {
        entry = pid " " start[pid] " " session[pid] " "
        if (!(pid in word)) print entry "new +"
        else print entry word[pid] ((entry word[pid]) in memory ? "" : " +")
      }
    }'
}

# look ATTEMPT LEADER BORN FILE: sets found to the lines of what lives, and memory to those of FILE without their sessions:
# FILE may be hours old, and the number of a session that lost all its members is given away again. Those of what still lives
# come back with the next look.
look() {
  memory=$(sed 's/^\([0-9]* [0-9]*\) [0-9]*/\1 -/' "$4" 2>/dev/null)
  look_again "$1" "$2" "$3"
}

# A process in the middle of exec shows no environment: nothing counts when it was seen twice. Who cannot look does not know
# that nothing lives.
look_again() {
  for _ in first second; do
    found=$(living "$1" "$2" "$3" "$memory") || found=${found:-unknown 0 0 spared}
    if [ -n "$found" ]; then return 0; fi
  done
}

count_lines() { if [ -z "$1" ]; then echo 0; else printf '%s\n' "$1" | wc -l | tr -d ' '; fi; }

# signal_all SIGNAL LINES of living. Parents first: a shell whose command was killed would go on to the next one.
signal_all() {
  printf '%s\n' "$2" | sort -k 2,2n -k 1,1n | while read -r pid wanted _; do
    if [ -n "$pid" ] && start_of "$pid" && [ "$start" = "$wanted" ]; then kill -s "$1" "$pid" 2>/dev/null; fi
  done
}

uptime_seconds() {
  IFS=' ' read -r uptime _ </proc/uptime
  uptime=${uptime%%.*}
}

# end_all ATTEMPT LEADER BORN GRACE FILE: TERM to each once, GRACE seconds, KILL. FILE remembers what was found, because a
# child that loses its parent and has no mark would be lost from sight. Sets found to what still lives.
end_all() {
  look "$1" "$2" "$3" "$5"
  uptime_seconds
  until_term=$((uptime + $4)) until_kill=$((uptime + $4 + 5))
  while [ -n "$found" ]; do
    lines=$(printf '%s\n' "$found" | sed -n 's/ new +$/ told/p;s/ +$//p')
    if [ -n "$lines" ]; then
      memory="$memory
$lines"
      printf '%s\n' "$lines" >>"$5"
    fi
    signal_all TERM "$(printf '%s\n' "$found" | grep ' new +$')"
    uptime_seconds
    if [ "$uptime" -ge "$until_kill" ]; then return 1; fi
    if [ "$uptime" -ge "$until_term" ]; then signal_all KILL "$found"; fi
    sleep 0.1
    look_again "$1" "$2" "$3"
  done
}

# An attempt on its host: where it lies, and what the host can say of it.
#   started  attempt fence incarnation pid start-time: written and flushed before the program runs
#   rc       code size how (exited, timed_out, cancelled): the end; size is the end of the log
#   cancelled  tombstone: a late start refuses
#   lock     held by the supervisor for its life; gate: held while a fence is raised
# Files that must be writable on a full disk are made with the bundle and only overwritten and renamed later.

run=$root/$attempt
# One line for each attempt of this node that was started here: number, id. It outlives the folders.
node_record=$root/nodes/$node

# read_start FOLDER: sets s_life, s_pid and s_born.
read_start() {
  s_life='' s_pid='' s_born=''
  if [ ! -e "$1/started" ]; then return 1; fi
  read -r _ _ s_life s_pid s_born _ <"$1/started"
}

# read_end FOLDER: sets code, size and how.
read_end() {
  code='' size='' how=''
  if [ ! -e "$1/rc" ]; then return 1; fi
  read -r code size how _ <"$1/rc"
  # After a crash of the host the file may be there without its bytes.
  case $code:$size:$how in *[!0-9:]*:* | :* | *::*) return 1 ;; *:exited | *:timed_out | *:cancelled) return 0 ;; *) return 1 ;; esac
}

supervised() { [ -e "$run/lock" ] && ! flock -s -n "$run/lock" true; }

# Sets was_here (this attempt was started on this host) and replaced (a later attempt of the node was).
read_record() {
  was_here=no replaced=no
  if [ ! -f "$node_record" ]; then return 0; fi
  while read -r other id; do
    if [ "$id" = "$attempt" ]; then was_here=yes; fi
    if [ -n "$number" ] && [ "$other" -gt "$number" ]; then replaced=yes; fi
  done <"$node_record"
}

# classify: sets is, and alive where it is orphaned.
classify() {
  alive=0
  if [ ! -d "$run" ]; then
    read_record
    if [ "$was_here" = yes ]; then is=run_folder_lost; else is=never_started; fi
    return
  fi
  if read_end "$run"; then is=$how; return; fi
  if supervised; then is=running; return; fi
  # Its supervisor may have written the end between the two looks.
  if read_end "$run"; then is=$how; return; fi
  if ! read_start "$run"; then
    if [ -e "$run/cancelled" ]; then is=cancelled; else is=never_started; fi
  elif look_up_incarnation && ! same_life "$s_life" "$incarnation"; then
    is=host_restarted
  else
    look "$attempt" "$s_pid" "$s_born" "$run/targets"
    alive=$(count_lines "$found")
    if [ "$alive" -gt 0 ]; then is=orphaned; elif [ -e "$run/cancelled" ]; then is=cancelled; else is=supervisor_died; fi
  fi
}

# say_state: the words of classify for Capstan.
say_state() {
  case $is in
    exited | timed_out) say "$is $code $size" ;;
    orphaned) say "orphaned $alive" ;;
    *) say "$is" ;;
  esac
}

drop_secrets() {
  vault=$(readlink "$run/secrets" 2>/dev/null)
  case $vault in */"$attempt".*) rm -rf "$vault" ;; esac
}

# Starts an attempt at most once, else attaches to it; then follows it.

# later A B: is fence A later than B?
later() {
  a=${1#*.} b=${2#*.}
  [ "${a%%.*}" -gt "${b%%.*}" ] || { [ "${a%%.*}" -eq "${b%%.*}" ] && [ "${a##*.}" -gt "${b##*.}" ]; }
}

# Whoever delivers with a lower fence than one before him has lost the attempt to another worker. Fences of another database
# system cannot be compared.
raise_fence() {
  exec 7<"$run/gate"
  flock -w 10 7
  check_fence
  if [ "$have" != "$fence" ]; then printf '%-63s\n' "$fence" 1<>"$run/fence"; fi
  exec 7<&-
}

check_fence() {
  have=''
  read -r have _ <"$run/fence"
  if [ -n "$have" ] && { [ "${have%%.*}" != "${fence%%.*}" ] || later "$have" "$fence"; }; then
    say refused fenced
    exit 0
  fi
}

# Before anything is sent: an attempt that was here and is gone, or that a later one has replaced, never starts again.
check_record() {
  read_record
  if [ "$was_here" = yes ] || [ "$known" = yes ]; then say run_folder_lost; exit 0; fi
  if [ "$replaced" = yes ]; then say refused fenced; exit 0; fi
}

sweep() {
  if [ -n "$stage" ]; then rm -rf "$stage"; fi
  if [ -n "$vault" ]; then rm -rf "$vault"; fi
}

accept_bundle() {
  find_user "$as"
  look_up_incarnation
  deliveries=$((deliveries + 1))
  stage=$root/.stage.$nonce.$deliveries vault=''
  if [ "$secrets" = yes ]; then vault=$vaults/$attempt.$nonce.$deliveries; fi
  trap sweep EXIT
  trap 'exit 1' HUP INT TERM PIPE
  make_folders
  look_for_room
  say need
  words=$(receive 2>&1) || cannot_write "$words"
  # Exactly one delivery wins.
  if words=$(mv -T "$stage" "$run" 2>&1); then
    stage='' vault='' fresh=yes
  elif [ ! -d "$run" ]; then
    cannot_write "$words"
  fi
  sweep
  trap - EXIT
}

cannot_write() {
  no_room "$1" "$root" "$vaults"
  blocked needs_input "detail=the files of the attempt cannot be written to $root: $1"
}

make_folders() {
  # The folder may be gone with a wiped disk; its parents must let other users through.
  if [ ! -d "$root/nodes" ]; then words=$(umask 066 && mkdir -p "$root/nodes" 2>&1) || cannot_write "$words"; fi
  if [ -n "$vault" ]; then
    if [ ! -d "$vaults" ]; then words=$(mkdir -m 711 "$vaults" 2>&1); fi
    # In a folder that everyone may write to, someone else could have been first.
    if [ ! -O "$vaults" ] || [ -L "$vaults" ]; then cannot_write "$vaults is not ours"; fi
  fi
  words=$(mkdir -m 711 "$stage" ${vault:+"$vault"} 2>&1) || cannot_write "$words"
}

# A job that starts on a nearly full disk fails of it in words of its own. What root may use beyond others counts for root.
look_for_room() {
  set -- $(stat -f -c '%a %f %S %b' "$root" 2>/dev/null)
  # A file system that knows no size says nothing about room.
  if [ $# != 4 ] || [ "$4" = 0 ]; then return 0; fi
  if [ "$own_uid" = 0 ]; then free=$(($2 * $3)); else free=$(($1 * $3)); fi
  if [ "$free" -lt "$least_room" ]; then blocked disk_full "path=$root" "free=$free"; fi
}
least_room=1048576

receive() {
  while IFS=' ' read -r kind size; do
    case $kind in
      folder) unpack "$size" "$stage" || return 1 ;;
      vault) unpack "$size" "$vault" || return 1 ;;
      done) break ;;
      *) return 1 ;;
    esac
  done
  if [ "$kind" != 'done' ]; then return 1; fi
  write_order "$stage/order" "attempt $attempt" "timeout $timeout" "grace $grace" "life $incarnation" ${vault:+"vault $vault"} || return 1
  printf '%-63s\n' "$fence" 1<>"$stage/fence" || return 1
  hand_over "$stage" "$vault" || return 1
  # Really read: a right that is a capability does not show in `test -r`.
  [ "$drop" = none ] || become cat "$stage/in/job" >/dev/null
}

# Is a former attempt of this node, one that did not end, still alive?
predecessor_lives() {
  while read -r _ id; do
    if [ "$id" = "$attempt" ] || [ ! -d "$root/$id" ]; then continue; fi
    if read_end "$root/$id" || ! read_start "$root/$id" || ! same_life "$s_life" "$incarnation"; then continue; fi
    look "$id" "$s_pid" "$s_born" "$root/$id/targets"
    if [ -n "$found" ]; then return 0; fi
  done <"$node_record"
  return 1
}

# start: takes the locks, looks once more, and hands the locks to a new supervisor. The starter decides everything, so that
# every refusal can be told at once; locks of flock belong to the open file, which the supervisor inherits.
start() {
  exec 9<"$run/lock"
  waited=0
  until flock -w 0.1 9; do
    # Held and not started: another delivery is deciding at this moment.
    waited=$((waited + 1))
    if [ -e "$run/started" ] || [ "$waited" -gt 100 ]; then exec 9<&-; return 0; fi
  done
  # The folder may have been replaced while this one waited.
  # shellcheck disable=SC3013 # dash, bash and busybox have it
  if [ ! "$run/lock" -ef /proc/self/fd/9 ] || [ -e "$run/started" ] || [ -e "$run/rc" ]; then exec 9<&-; return 0; fi
  if [ -e "$run/cancelled" ]; then say refused cancelled; exit 0; fi
  check_fence
  look_up_incarnation
  if [ "$fresh" != yes ] && is_stale; then
    drop_secrets
    mv -T "$run" "$root/.stage.$nonce.old" && rm -rf "$root/.stage.$nonce.old"
    exec 9<&-
    return 0
  fi
  words=$({ true >>"$node_record"; } 2>&1) || cannot_write "$words"
  exec 8<"$node_record"
  if ! flock -w 1 8; then say refused predecessor_alive; exit 0; fi
  read_record
  if [ "$replaced" = yes ]; then say refused fenced; exit 0; fi
  if predecessor_lives; then say refused predecessor_alive; exit 0; fi
  if [ "$was_here" = no ]; then words=$({ printf '%s %s\n' "$number" "$attempt" >>"$node_record"; } 2>&1) || cannot_write "$words"; fi
  # Ends when the supervisor closes its output: the attempt has started, or will not.
  words=$(setsid /bin/sh "$run/supervise" "$run" </dev/null 2>/dev/null &)
  exec 8<&- 9<&-
}

# Published before a restart: the secrets are gone, and nothing was flushed. It never started, so it may be sent again.
is_stale() {
  while IFS=' ' read -r key value; do
    case $key in life) published=$value ;; vault) if [ ! -d "$value/secrets" ]; then return 0; fi ;; esac
  done <"$run/order"
  ! same_life "$published" "$incarnation"
}

starts=0 deliveries=0 fresh=no
while :; do
  if [ ! -d "$run" ]; then
    check_record
    if [ "$deliveries" -ge 4 ]; then blocked host_busy "detail=the folder of the attempt disappears as soon as it is made"; fi
    accept_bundle
    continue
  fi
  if [ "$fresh" != yes ]; then raise_fence; fi
  if [ ! -e "$run/rc" ] && [ ! -e "$run/started" ]; then
    if [ -e "$run/cancelled" ]; then say refused cancelled; exit 0; fi
    starts=$((starts + 1))
    if [ "$starts" -gt 4 ]; then
      no_room "$({ printf '%8192s' '' >"$run/.probe"; } 2>&1; rm -f "$run/.probe")" "$root"
      blocked host_busy "detail=the supervisor of the attempt does not start"
    fi
    start
    fresh=no
    if [ ! -e "$run/started" ]; then continue; fi
  fi
  follow
done

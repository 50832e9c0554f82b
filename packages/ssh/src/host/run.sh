# Starts an attempt at most once, else attaches to it; then follows it.

# later A B: is fence A later than B? Another database system cannot be compared.
later() {
  a=${1#*.} b=${2#*.}
  [ "${a%%.*}" -gt "${b%%.*}" ] || { [ "${a%%.*}" -eq "${b%%.*}" ] && [ "${a##*.}" -gt "${b##*.}" ]; }
}

# Whoever delivers with a lower fence than one before him has lost the attempt to another worker.
raise_fence() {
  exec 7<"$run/gate" || return 1
  flock -w 10 7
  have=''
  read -r have _ <"$run/fence"
  if [ -n "$have" ] && { [ "${have%%.*}" != "${fence%%.*}" ] || later "$have" "$fence"; }; then
    say refused fenced
    exit 0
  fi
  if [ "$have" != "$fence" ]; then printf '%-63s\n' "$fence" 1<>"$run/fence"; fi
  exec 7<&-
}

# Before anything is sent: an attempt that was here and is gone, or that a later one has replaced, never starts again.
check_record() {
  if [ -f "$node_record" ]; then
    while read -r other id; do
      if [ "$id" = "$attempt" ]; then say run_folder_lost; exit 0; fi
      if [ "$other" -gt "$number" ]; then say refused fenced; exit 0; fi
    done <"$node_record"
  fi
  if [ "$known" = yes ]; then say run_folder_lost; exit 0; fi
}

sweep() { rm -rf "${stage:-}" "${vault:-}"; }

accept_bundle() {
  find_user "$as"
  stage='' vault=''
  trap sweep EXIT
  trap 'exit 1' HUP INT TERM PIPE
  prepare
  say need
  words=$({ receive_all "$stage" "$vault" && finish; } 2>&1) || cannot_write "$words"
  # Exactly one delivery wins.
  words=$(mv -T "$stage" "$run" 2>&1) || [ -d "$run" ] || cannot_write "$words"
  if [ ! -d "$stage" ]; then stage='' vault=''; fi
  sweep
  trap - EXIT
}

cannot_write() {
  no_room "$1" "$root" "$vaults"
  blocked needs_input "detail=the files of the attempt cannot be written to $root: $1"
}

prepare() {
  # The folder may be gone with a wiped disk; its parents must let other users through.
  if [ ! -d "$root" ]; then words=$(umask 066 && mkdir -p "$root" 2>&1) || cannot_write "$words"; fi
  words=$(mkdir -p "$root/nodes" 2>&1) || cannot_write "$words"
  stage=$(mktemp -d "$root/.stage.XXXXXX" 2>&1) || { words=$stage stage=''; cannot_write "$words"; }
  # Another attempt that ends removes the folder of the secrets when it is empty.
  for _ in 1 2 3; do
    words=$(make_vaults 2>&1) || cannot_write "$words"
    if vault=$(mktemp -d "$vaults/$attempt.XXXXXX" 2>&1); then return 0; fi
    words=$vault vault=''
  done
  cannot_write "$words"
}

make_vaults() {
  mkdir -m 711 "$vaults" 2>/dev/null || :
  # In a folder that everyone may write to, someone else could have been first.
  if [ -O "$vaults" ] && [ ! -L "$vaults" ]; then return 0; fi
  echo "$vaults belongs to someone else" >&2
  return 1
}

finish() {
  true >"$stage/lock" && true >"$stage/gate" && true >"$stage/output" && true >"$stage/.cancelled" &&
    printf '%255s\n' '' >"$stage/.started" && printf '%63s\n' '' >"$stage/.rc" && printf '%-63s\n' "$fence" >"$stage/fence" &&
    ln -s "$vault" "$stage/secrets" && write_order "$stage/order" "$vault" &&
    printf '%s\n' "attempt $attempt" "timeout $timeout" "grace $grace" "life $(incarnation)" >>"$stage/order" &&
    mkfifo "$stage/pipe" && hand_over "$stage" "$vault" || return 1
  if [ "$drop" != none ]; then
    chown "$uid:$gid" "$stage/pipe" || return 1
    become test -r "$stage/in/job" -a -r "$vault/params" || { echo "$user cannot read his files there" >&2; return 1; }
  fi
}

# The predecessors of this attempt: is one that did not end still alive?
predecessor_lives() {
  while read -r _ id; do
    if [ "$id" = "$attempt" ] || [ ! -d "$root/$id" ]; then continue; fi
    if read_end "$root/$id" || ! read_start "$root/$id" || ! same_life "$s_life" "$(incarnation)"; then continue; fi
    if [ -n "$(living "$id" "$s_pid" "$s_born" "$root/$id/targets")" ]; then return 0; fi
  done <"$node_record"
  return 1
}

# start: takes the locks, looks once more, and hands the locks to a new supervisor. The starter decides everything, so that
# every refusal can be told at once; locks of flock belong to the open file, which the supervisor inherits.
start() {
  exec 9<"$run/lock" || return 0
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
  order_life=$(sed -n 's/^life //p' "$run/order")
  if ! same_life "$order_life" "$(incarnation)" || [ ! -d "$run/secrets/params" ]; then
    # Published before a restart: the secrets are gone, and nothing was flushed. Never started, so it may be sent again.
    old=$(mktemp -d "$root/.stage.XXXXXX") && drop_secrets && mv -T "$run" "$old" && rm -rf "$old"
    exec 9<&-
    return 0
  fi
  words=$({ true >>"$node_record"; } 2>&1) || cannot_write "$words"
  exec 8<"$node_record"
  if ! flock -w 1 8; then say refused predecessor_alive; exit 0; fi
  while read -r other id; do
    if [ "$other" -gt "$number" ]; then say refused fenced; exit 0; fi
  done <"$node_record"
  if predecessor_lives; then say refused predecessor_alive; exit 0; fi
  if ! was_started_here; then words=$({ printf '%s %s\n' "$number" "$attempt" >>"$node_record"; } 2>&1) || cannot_write "$words"; fi
  exec 7<"$run/gate"
  flock -w 10 7
  read -r have _ <"$run/fence"
  if [ "$have" != "$fence" ]; then say refused fenced; exit 0; fi
  setsid /bin/sh "$run/supervise" "$run" </dev/null >/dev/null 2>&1 &
  exec 7<&- 8<&- 9<&-
  # The gate opens when `started` is written.
  flock -s -w 10 "$run/gate" true
}

starts=0 deliveries=0
while :; do
  if [ ! -d "$run" ]; then
    check_record
    deliveries=$((deliveries + 1))
    if [ "$deliveries" -gt 4 ]; then blocked host_busy "detail=the folder of the attempt disappears as soon as it is made"; fi
    accept_bundle
    continue
  fi
  raise_fence || continue
  if [ ! -e "$run/rc" ] && [ ! -e "$run/started" ]; then
    if [ -e "$run/cancelled" ]; then say refused cancelled; exit 0; fi
    starts=$((starts + 1))
    if [ "$starts" -gt 4 ]; then
      no_room "$({ printf '%8192s' '' >"$run/.probe"; } 2>&1; rm -f "$run/.probe")" "$root"
      blocked host_busy "detail=the supervisor of the attempt does not start"
    fi
    start
    if [ ! -e "$run/started" ]; then continue; fi
  fi
  follow
done

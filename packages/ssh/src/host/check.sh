# Read-only questions, all at once, answers as they come: lines `call AS TIMEOUT`, one archive with a numbered folder for each
# call, `go`.
limit=16777216

pick_base() {
  words='no folder that this user may write to'
  for folder in "$vaults" /dev/shm "${TMPDIR:-/tmp}"; do
    if [ ! -d "$folder" ] || [ ! -w "$folder" ]; then continue; fi
    base=$folder/capstan-check.$nonce
    # Its own name must not exist yet: in such folders others may write too.
    words=$(mkdir -m 711 "$base" 2>&1) && return 0
  done
  return 1
}

# ask NUMBER: runs in a subshell; leaves the exit code and both outputs.
ask() {
  here=$base/$1
  read_order "$here/order"
  # dd writes what it reads at once: nothing is lost when it must be ended.
  dd bs=65536 count="$limit" iflag=count_bytes <"$here/out.pipe" >"$here/stdout" 2>/dev/null &
  out=$!
  dd bs=65536 count="$limit" iflag=count_bytes <"$here/err.pipe" >"$here/stderr" 2>/dev/null &
  err=$!
  ( enter "$here" ) </dev/null >"$here/out.pipe" 2>"$here/err.pipe" &
  child=$!
  # What keeps the output open beyond the question's end, in a session of its own even, holds the answer up to its timeout.
  (
    trap 'kill "$nap" 2>/dev/null; exit 0' TERM
    sleep "$timeout" &
    nap=$!
    wait "$nap" && true >"$here/overdue" && kill -s KILL -- "-$child" && sleep 0.3 && kill "$out" "$err"
  ) >/dev/null 2>&1 &
  timer=$!
  wait "$child"
  code=$?
  stopped=no
  if [ -e "$here/overdue" ]; then stopped=yes; fi
  kill -s KILL -- "-$child" 2>/dev/null
  wait "$out" "$err"
  kill "$timer" 2>/dev/null
  echo "$code $stopped" >"$here/result"
}

if ! pick_base; then
  no_room "$words" /dev/shm "${TMPDIR:-/tmp}"
  blocked needs_input "detail=no place for the files of a check: $words"
fi
trap 'rm -rf "$base"' EXIT

# The files go before the last word: who has heard it closes the channel, and an end of the session then would leave them.
answered() {
  rm -rf "$base"
  trap - EXIT
  say answered
}
trap 'exit 1' HUP INT TERM PIPE

cannot_write() {
  no_room "$1" "$base"
  blocked needs_input "detail=the files of a check could not be written to $base: $1"
}

# record: what the asking process must know of the call, and who owns its files.
record() { write_order "$here/order" "timeout $time" && hand_over "$here" ''; }

count=0 key=''
say need
while IFS=' ' read -r key value time; do
  case $key in
    folder) words=$(unpack "$value" "$base" 2>&1) || cannot_write "$words" ;;
    call)
      count=$((count + 1))
      here=$base/$count
      find_user "$value"
      # A process of its own only where one is needed anyway, or to hear why it cannot be.
      if [ "$drop" != none ] || ! record 2>/dev/null; then
        words=$(record 2>&1) || cannot_write "$words"
      fi
      ;;
    go) break ;;
  esac
done
if [ "$key" != go ]; then exit 1; fi

if command -v perl >/dev/null 2>&1; then
  if perl -e "$asker" "$base" "$M" "$limit" "$count" 2>/dev/null; then
    answered
    exit 0
  fi
  # One that cannot even begin has asked nothing.
  if [ -e "$base/begun" ]; then exit 1; fi
fi

exec 4<>"$base/finished.pipe"
number=0
while [ "$number" -lt "$count" ]; do
  number=$((number + 1))
  ( ask "$number"; echo "$number" >&4 ) &
done
left=$count
while [ "$left" -gt 0 ]; do
  read -r number <&4
  left=$((left - 1))
  here=$base/$number
  read -r code stopped <"$here/result"
  # shellcheck disable=SC2046 # two sizes
  say answer "$number" "$code" "$stopped" $(stat -c %s "$here/stdout" "$here/stderr")
  cat "$here/stdout" "$here/stderr"
done
answered

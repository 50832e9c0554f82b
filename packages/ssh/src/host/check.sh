# Read-only questions, all at once, answers as they come. Lines `call AS TIMEOUT`, the files of the call, `done`; then `go`.
limit=16777216

pick_base() {
  for folder in /dev/shm "${TMPDIR:-/tmp}" "$root"; do
    if [ -d "$folder" ] && [ -w "$folder" ]; then
      base=$(mktemp -d "$folder/capstan-check.XXXXXX" 2>&1) && return 0
      words=$base
    fi
  done
  return 1
}

# ask NUMBER: runs in a subshell; leaves code, whether it was stopped, and both outputs.
ask() {
  here=$base/$1
  read_order "$here/order"
  { head -c "$limit" >"$here/stdout"; cat >/dev/null; } <"$here/out.pipe" &
  out=$!
  { head -c "$limit" >"$here/stderr"; cat >/dev/null; } <"$here/err.pipe" &
  err=$!
  setsid /bin/sh "$base/launch" "$here" </dev/null >"$here/out.pipe" 2>"$here/err.pipe" &
  child=$!
  (
    trap 'kill "$nap" 2>/dev/null; exit 0' TERM
    sleep "$timeout" &
    nap=$!
    wait "$nap" && true >"$here/overdue" && kill -s KILL -- "-$child"
  ) >/dev/null 2>&1 &
  timer=$!
  wait "$child"
  code=$?
  kill "$timer" 2>/dev/null
  # A question leaves nothing behind, and what keeps its output open would delay the answer.
  kill -s KILL -- "-$child" 2>/dev/null
  ( sleep 2; kill "$out" "$err" ) >/dev/null 2>&1 &
  patience=$!
  wait "$out" "$err"
  kill "$patience" 2>/dev/null
  stopped=no
  if [ -e "$here/overdue" ]; then stopped=yes; fi
  echo "$code $stopped" >"$here/result"
}

words='no folder that this user may write to'
if ! pick_base; then
  no_room "$words" /dev/shm "${TMPDIR:-/tmp}"
  blocked needs_input "detail=no place for the files of a check: $words"
fi
trap 'rm -rf "$base"' EXIT
trap 'exit 1' HUP INT TERM PIPE
chmod 711 "$base"
mkfifo "$base/finished"
exec 4<>"$base/finished"

count=0 key=''
say need
while IFS=' ' read -r key value time; do
  case $key in
    own)
      words=$(receive "$value" "$base/$time" 2>&1) || { no_room "$words" "$base"; blocked needs_input "detail=$words"; }
      ;;
    call)
      count=$((count + 1))
      here=$base/$count
      find_user "$value"
      words=$({ mkdir "$here" && receive_all "$here" "$here/vault" && write_order "$here/order" "$here/vault" &&
        echo "timeout $time" >>"$here/order" && mkfifo "$here/out.pipe" "$here/err.pipe" && hand_over "$here" "$here/vault" &&
        { [ "$drop" = none ] || chown "$uid:$gid" "$here/out.pipe" "$here/err.pipe"; }; } 2>&1) || {
        no_room "$words" "$base"
        blocked needs_input "detail=the files of a check could not be written to $base: $words"
      }
      ;;
    go) break ;;
  esac
done
if [ "$key" != go ]; then exit 1; fi

number=0
while [ "$number" -lt "$count" ]; do
  number=$((number + 1))
  ( ask "$number"; echo "$number" >&4 ) &
done
left=$count
while [ "$left" -gt 0 ]; do
  read -r number <&4
  left=$((left - 1))
  read -r code stopped <"$base/$number/result"
  say "answer $number $code $stopped $(stat -c %s "$base/$number/stdout") $(stat -c %s "$base/$number/stderr")"
  cat "$base/$number/stdout" "$base/$number/stderr"
done
say answered

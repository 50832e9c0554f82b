# The declared outputs, read as the job's user: a link or anything else that is no regular file is refused (S11).
# Lines `want LIMIT NAME`, then `done`.
copy=''
if [ -f "$run/order" ]; then
  while IFS=' ' read -r key value; do
    case $key in
      user) user=$value ;;
      uid) uid=$value ;;
      gid) gid=$value ;;
      drop) drop=$value ;;
    esac
  done <"$run/order"
  copy=$(mktemp "$run/.copy.XXXXXX" 2>&1) || { no_room "$copy" "$run"; blocked needs_input "detail=$copy"; }
fi
trap 'rm -f "$copy"' EXIT
trap 'exit 1' HUP INT TERM PIPE
fetch() { # LIMIT NAME
  file=$run/out/$2
  if [ -z "$copy" ]; then say "missing absent $2"; return; fi
  kind=$(become stat -c %F "$file" 2>/dev/null)
  case $kind in
    '') say "missing absent $2"; return ;;
    'regular file' | 'regular empty file') ;;
    'symbolic link') say "missing link $2"; return ;;
    *) say "missing not_regular $2"; return ;;
  esac
  # The file may be another one by now: no link is followed and no pipe waited for.
  words=$(become dd if="$file" bs=65536 count=$(($1 + 1)) iflag=nofollow,nonblock,count_bytes,fullblock 2>&1 >"$copy")
  # shellcheck disable=SC2181 # the words are needed too
  if [ $? -ne 0 ]; then
    no_room "$words" "$run"
    say "missing unreadable $2"
    return
  fi
  bytes=$(stat -c %s "$copy")
  if [ "$bytes" -gt "$1" ]; then say "missing too_large $2"; return; fi
  say "file $bytes $2"
  cat "$copy"
}
while IFS=' ' read -r key limit name; do
  case $key in
    want) fetch "$limit" "$name" ;;
    done) break ;;
  esac
done
say collected

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
  copy=$run/.copy.$nonce
fi
trap 'if [ -e "$copy" ]; then rm -f "$copy"; fi' EXIT
trap 'exit 1' HUP INT TERM PIPE
fetch() { # LIMIT NAME
  file=$run/out/$2
  if [ -L "$file" ]; then say "missing link $2"; return; fi
  if [ -z "$copy" ] || [ ! -e "$file" ]; then say "missing absent $2"; return; fi
  if [ ! -f "$file" ]; then say "missing not_regular $2"; return; fi
  # It may be something else by now: no link is followed and no pipe waited for.
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

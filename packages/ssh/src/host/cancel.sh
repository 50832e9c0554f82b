# The tombstone first, so that a late start refuses; then whatever lives is ended, and the host says whether it is gone.
if [ ! -d "$run" ]; then
  if [ ! -d "$root" ]; then words=$(umask 066 && mkdir -p "$root" 2>&1); fi
  stage=$root/.stage.$nonce
  words=$(mkdir -m 711 "$stage" 2>&1) || { no_room "$words" "$root"; blocked needs_input "detail=$words"; }
  words=$({ true >"$stage/cancelled" && true >"$stage/lock" && true >"$stage/gate" && true >"$stage/output" && printf '%63s\n' '' >"$stage/fence"; } 2>&1) || {
    rm -rf "$stage"
    no_room "$words" "$root"
    blocked needs_input "detail=$words"
  }
  # Lost against a delivery: then the folder is there and is cancelled like any other.
  if mv -T "$stage" "$run" 2>/dev/null; then say gone; exit 0; fi
  rm -rf "$stage"
fi
if read_end "$run"; then say gone; exit 0; fi
if [ ! -e "$run/cancelled" ]; then
  words=$({ mv "$run/.cancelled" "$run/cancelled" || true >"$run/cancelled"; } 2>&1)
  if [ ! -e "$run/cancelled" ]; then no_room "$words" "$root"; blocked needs_input "detail=$words"; fi
fi
# A start that was under way when the tombstone came has seen it, or writes `started` before it looks.
waits=0
while [ ! -e "$run/started" ] && supervised && [ "$waits" -lt 100 ]; do
  waits=$((waits + 1))
  sleep 0.1
done
look_up_incarnation
if ! read_start "$run" || ! same_life "$s_life" "$incarnation"; then
  if ! supervised; then drop_secrets; fi
  say gone
  exit 0
fi
end_all "$attempt" "$s_pid" "$s_born" "$grace" "$run/targets"
if [ -n "$found" ]; then say "unconfirmed $(count_lines "$found")"; exit 0; fi
# The supervisor writes the end and goes.
if flock -s -w 5 "$run/lock" true; then drop_secrets; fi
say gone

# The tombstone first, so that a late start refuses; then whatever lives is ended, and the host says whether it is gone.
if [ ! -d "$run" ]; then
  if [ ! -d "$root" ]; then words=$(umask 066 && mkdir -p "$root" 2>&1); fi
  stage=$(mktemp -d "$root/.stage.XXXXXX" 2>&1) || { no_room "$stage" "$root"; blocked needs_input "detail=$stage"; }
  chmod 711 "$stage"
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
# A start that was under way when the tombstone came is over when the gate opens: it has seen the tombstone, or is found.
flock -s -w 10 "$run/gate" true
if ! read_start "$run" || ! same_life "$s_life" "$(incarnation)"; then
  if ! supervised; then drop_secrets; fi
  say gone
  exit 0
fi
end_all "$attempt" "$s_pid" "$s_born" "$grace" "$run/targets"
if [ -n "$found" ]; then say "unconfirmed $(count_lines "$found")"; exit 0; fi
# The supervisor writes the end and goes.
if flock -s -w 5 "$run/lock" true; then drop_secrets; fi
say gone

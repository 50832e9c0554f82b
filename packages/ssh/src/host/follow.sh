# follow: tells Capstan what an attempt prints, from byte $offset on, until its end. The end is the file `rc`, never the end
# of a stream, which a daemon could delay for ever. Returns when the attempt turns out never to have started.
follow() {
  told=no looks=0
  exec 6<"$run/lock"
  while :; do
    ended=no
    if read_end "$run"; then ended=yes; fi
    if [ "$told" = no ] && read_start "$run"; then
      say "started $s_life"
      told=yes
    fi
    if [ "$ended" = yes ]; then total=$size; else total=$(stat -c %s "$run/output" 2>/dev/null) || total=$offset; fi
    if send_output "$total"; then continue; fi
    if [ "$ended" = yes ]; then
      say "end $code $size $how"
      exit 0
    fi
    # Waits for the supervisor's end or for the next look at the output, whichever is first.
    if flock -s -w "$poll" 6; then
      # Let go at once: whoever starts the attempt again needs the lock alone.
      exec 6<&-
      exec 6<"$run/lock"
      if read_end "$run"; then continue; fi
      classify
      case $is in
        running | exited | timed_out) continue ;;
        never_started)
          exec 6<&-
          return 0
          ;;
      esac
      if send_output "$(stat -c %s "$run/output" 2>/dev/null || echo "$offset")"; then continue; fi
      say_state
      exit 0
    fi
    # Nobody tells a process that its SSH connection is gone, but writing to it does.
    looks=$((looks + 1))
    if [ $((looks % 40)) -eq 0 ]; then say beat; fi
  done
}

# send_output END: at most 8 MiB from offset on; fails when there is nothing to send.
send_output() {
  if [ "$show" != yes ] || [ "$1" -le "$offset" ]; then return 1; fi
  part=$(($1 - offset))
  if [ "$part" -gt 8388608 ]; then part=8388608; fi
  say "data $part"
  dd if="$run/output" bs=65536 skip="$offset" count="$part" iflag=skip_bytes,count_bytes 2>/dev/null
  offset=$((offset + part))
}

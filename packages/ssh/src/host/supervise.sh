# The supervisor of an attempt, in a session of its own. It was started with the attempt's lock (9) and its node's lock (8) in
# hand; the command gets neither, so that a daemon of the command holds nothing. Whoever started it waits for the end of its
# standard output, which closes when the attempt has started.
run=$1
PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
LC_ALL=C
export LC_ALL
umask 077
read_order "$run/order"

# A pipe and not the file itself: `echo >/dev/stderr` opens what it is given anew, and would cut a file to nothing. The
# reader lives as long as anyone writes, a daemon too; on a full disk it goes on when there is room and says what is missing.
(
  while ! cat >>"$run/output"; do
    sleep 1
    printf '\n[capstan: output lost, no space left on the host]\n' >>"$run/output"
  done
) <"$run/output.pipe" >/dev/null 2>&1 8<&- 9<&- &
reader=$!

(
  read -r fence _ <"$run/fence"
  # Of this very process, which becomes the command.
  IFS= read -r stat </proc/self/stat
  pid=${stat%% *}
  # shellcheck disable=SC2086 # the fields are wanted
  set -- ${stat##*) }
  printf '%-255s\n' "$attempt $fence $life $pid ${20}" 1<>"$run/.started" || exit 125
  mv "$run/.started" "$run/started" || exit 125
  sync "$run/started" "$run" 2>/dev/null || sync
  # Cancel writes the tombstone and then looks for `started`; here it is the other way round: one of the two sees the other.
  if [ -e "$run/cancelled" ]; then exit 125; fi
  exec </dev/null >"$run/output.pipe" 2>&1
  enter "$run"
) 8<&- 9<&- &
child=$!
exec >/dev/null

overdue=''
trap 'overdue=yes' USR1
(
  trap 'kill "$nap" 2>/dev/null; exit 0' TERM
  sleep "$timeout" &
  nap=$!
  wait "$nap"
  # A supervisor that was killed is no parent any more, and its number may be someone else's.
  IFS= read -r stat </proc/self/stat
  # shellcheck disable=SC2086 # the fields are wanted
  set -- ${stat##*) }
  if [ "$2" = $$ ]; then kill -s USR1 $$; fi
) 8<&- 9<&- &
timer=$!

wait "$child"
code=$?
how=exited
if [ -n "$overdue" ] && [ "$code" -gt 128 ]; then
  how=timed_out
  pid='' born=''
  if [ -e "$run/started" ]; then read -r _ _ _ pid born _ <"$run/started"; fi
  end_all "$attempt" "$pid" "$born" "$grace" "$run/targets"
  wait "$child"
  code=$?
fi
kill "$timer"

# Never started (no room for the record): there is no end either, and the same attempt may start again.
if [ ! -e "$run/started" ]; then
  kill "$reader"
  exit 1
fi

# A reader that still waits for its first writer goes on with this one, and ends.
true 1<>"$run/output.pipe"
# Everything that the command wrote before it ended is in the pipe or read already. The reader ends with the last writer.
# If a daemon keeps the pipe: once the reader's cat sleeps, it has written what it read and found the pipe empty.
if start_of "$reader" && [ "$state" != Z ]; then
  trap : USR2
  ( sleep 0.2; kill -s USR2 $$ ) 8<&- 9<&- &
  patience=$!
  wait "$reader"
  if [ $? -gt 128 ]; then
    while read -r copier _ <"/proc/$reader/task/$reader/children" && [ -n "$copier" ] && start_of "$copier" && [ "$state" != S ]; do
      sleep 0.05
    done
  else
    kill "$patience"
  fi
fi

if [ -n "$vault" ]; then rm -rf "$vault"; fi
size=$(stat -c %s "$run/output")
if [ -e "$run/cancelled" ]; then how=cancelled; fi
printf '%-63s\n' "$code $size $how" 1<>"$run/.rc"
mv "$run/.rc" "$run/rc"

#!/bin/sh
# One line per tick; the mark is appended, so that a second run would show.
set -eu
i=0
while [ "$i" -lt "$CAPSTAN_PARAM_TICKS" ]; do
  echo "tick $i"
  sleep 0.1
  i=$((i + 1))
done
echo ran >>"$HOME/trial-$CAPSTAN_PARAM_NAME"

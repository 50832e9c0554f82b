#!/bin/sh
# A clock that is years off breaks certificates and package signatures with messages that name neither.
set -eu
export LC_ALL=C

now=$(date -u '+%Y-%m-%dT%H:%M:%SZ')
year=${now%%-*}

printf '{"now":"%s","earliest_year":2025,"latest_year":2099}\n' "$now"
if [ "$year" -lt 2025 ] || [ "$year" -gt 2099 ]; then
  echo "the clock of this host says $now; set it right first" >&2
  exit 1
fi

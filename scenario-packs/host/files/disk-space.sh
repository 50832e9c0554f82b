#!/bin/sh
# Packages, their lists and most data lie under /var.
set -eu
export LC_ALL=C

path=/var
minimum=1073741824
if ! figures=$(df -Pk "$path" 2>&1); then
  echo "the free space under $path cannot be read: $figures" >&2
  exit 1
fi
available=$(printf '%s\n' "$figures" | awk 'NR == 2 { printf "%.0f", $4 * 1024 }')

printf '{"path":"%s","free_bytes":%s,"minimum_bytes":%s}\n' "$path" "$available" "$minimum"
if [ "$available" -lt "$minimum" ]; then
  echo "disk full: $path has $available bytes free, at least $minimum are needed" >&2
  exit 1
fi

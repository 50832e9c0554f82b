#!/bin/sh
set -eu
export LC_ALL=C

if ! answer=$(apt-get --version 2>&1); then
  echo "apt-get does not answer: $answer" >&2
  exit 1
fi
# First line: "apt 2.6.1 (amd64)".
version=$(printf '%s\n' "$answer" | sed -n '1s/^apt \([^ ]*\).*/\1/p')
if [ -z "$version" ]; then
  echo "apt-get says no version: $(printf '%s\n' "$answer" | head -n 1)" >&2
  exit 1
fi
printf '{"version":"%s"}\n' "$version"

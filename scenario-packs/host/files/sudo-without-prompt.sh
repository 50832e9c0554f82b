#!/bin/sh
# root needs no sudo; anyone else must get it without being asked.
set -eu
export LC_ALL=C

user=$(id -un)
if [ "$(id -u)" -eq 0 ] && ! command -v sudo >/dev/null 2>&1; then
  printf '{"user":"%s","root":"by login"}\n' "$user"
  exit 0
fi
if ! command -v sudo >/dev/null 2>&1; then
  printf '{"user":"%s","root":"no"}\n' "$user"
  echo "$user is not root and sudo is not installed" >&2
  exit 1
fi
if answer=$(sudo -n true 2>&1); then
  printf '{"user":"%s","root":"by sudo, no prompt"}\n' "$user"
else
  printf '{"user":"%s","root":"no"}\n' "$user"
  echo "$user may not become root without a prompt: ${answer:-sudo failed without a word}" >&2
  exit 1
fi

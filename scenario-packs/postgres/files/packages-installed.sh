#!/bin/sh
set -eu
export LC_ALL=C.UTF-8

state() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true; }

depends=$(dpkg-query -W -f='${Depends}' postgresql 2>/dev/null || true)
version=$(printf '%s\n' "$depends" | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
if [ "$(state postgresql)" != installed ] || [ -z "$version" ]; then
  echo 'the package postgresql is not installed' >&2
  exit 1
fi
if [ "$(state "postgresql-$version")" != installed ]; then
  echo "the package postgresql-$version is not installed" >&2
  exit 1
fi
for tool in psql pg_isready pg_lsclusters pg_createcluster pg_ctlcluster; do
  if ! command -v "$tool" >/dev/null; then
    echo "the packages are there, but $tool is not on the path" >&2
    exit 1
  fi
done
printf '{"version":"%s","package":"postgresql-%s %s"}\n' "$version" "$version" "$(dpkg-query -W -f='${Version}' "postgresql-$version")"

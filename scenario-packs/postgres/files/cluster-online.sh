#!/bin/sh
set -euf
export LC_ALL=C.UTF-8

version=$(dpkg-query -W -f='${Depends}' postgresql 2>/dev/null | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
row=$(pg_lsclusters -h | awk -v version="$version" '$1 == version && $2 == "main"')
if [ -z "$row" ]; then
  echo "there is no cluster ${version:-of any version}/main" >&2
  exit 1
fi
# shellcheck disable=SC2086 # the columns are wanted
set -- $row
printf '{"version":"%s","cluster":"%s","port":%s,"status":"%s","data":"%s"}\n' "$1" "$2" "$3" "$4" "$6"
case "$4" in
  online*) ;;
  *)
    echo "cluster $1/$2 is $4" >&2
    exit 1
    ;;
esac

#!/bin/sh
# Makes a cluster only where there is neither one nor what is left of one. It never deletes anything.
set -euf
umask 022
export LC_ALL=C.UTF-8

version=$(dpkg-query -W -f='${Depends}' postgresql | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
if [ -z "$version" ]; then
  echo 'the package postgresql names no server version' >&2
  exit 1
fi

# Columns: version, cluster, port, status, owner, data folder, log file.
list() { pg_lsclusters -h | awk -v version="$version" '$1 == version && $2 == "main"'; }
column() { printf '%s\n' "$row" | awk -v column="$1" '{ print $column }'; }

row=$(list)
if [ -n "$row" ]; then
  data=$(column 6)
  if [ "$(column 5)" = '<unknown>' ] || [ ! -e "$data/PG_VERSION" ]; then
    echo "cluster $version/main is configured in ${PG_CLUSTER_CONF_ROOT:-/etc/postgresql}/$version/main, but its data folder $data holds no database: put the data back, or move the configuration folder away to get a new cluster; nothing was changed" >&2
    exit 78
  fi
  echo "cluster $version/main is there: data in $data"
else
  # pg_createcluster drops the folder again when it fails half-way, so it must never be shown one with content.
  data="$(getent passwd postgres | cut -d: -f6)/$version/main"
  if [ -n "$(ls -A "$data" 2>/dev/null)" ]; then
    echo "the folder $data holds something, but no cluster $version/main is configured in ${PG_CLUSTER_CONF_ROOT:-/etc/postgresql}/$version/main: restore the configuration, or move the folder away to get a new cluster; nothing was changed" >&2
    exit 78
  fi
  # Without a locale of its own the cluster takes that of whoever is logged in, down to SQL_ASCII.
  pg_createcluster --encoding=UTF8 --locale=C.UTF-8 "$version" main </dev/null
  row=$(list)
fi

if command -v systemctl >/dev/null; then systemctl --quiet enable postgresql </dev/null; fi

case "$(column 4)" in
  online*) ;;
  *)
    pg_ctlcluster "$version" main start </dev/null || true
    row=$(list)
    ;;
esac

# Under systemd a server that could not start still gives exit code 0: only the list is to be believed.
tries=30
while :; do
  case "$(column 4)" in online*) break ;; esac
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo "cluster $version/main did not start; the end of its log $(column 7):" >&2
    tail -n 20 "$(column 7)" >&2 || true
    exit 1
  fi
  sleep 1
  row=$(list)
done
printf '%s\n' "$row"

#!/bin/sh
# A real query, over the host's network address, as the database's own user.
set -euf
umask 077
export LC_ALL=C.UTF-8 PGCONNECT_TIMEOUT=5
unset PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGPASSWORD PGSERVICE PGOPTIONS PGCLUSTER

name=$CAPSTAN_PARAM_NAME
address=$CAPSTAN_PARAM_ADDRESS
password=$(cat "$CAPSTAN_INPUTS/database_password")

version=$(dpkg-query -W -f='${Depends}' postgresql 2>/dev/null | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
port=$(pg_lsclusters -h | awk -v version="$version" '$1 == version && $2 == "main" { print $3 }')
if [ -z "$port" ]; then
  echo "there is no cluster ${version:-of any version}/main" >&2
  exit 1
fi

# libpq takes the password from a plain file only: in memory where the host has such a folder, gone when this ends.
base=${TMPDIR:-/dev/shm}
if [ ! -d "$base" ] || [ ! -w "$base" ]; then base=/tmp; fi
private=$(mktemp -d "$base/capstan.XXXXXX")
trap 'rm -rf "$private"' EXIT
trap 'exit 143' HUP INT TERM
printf '*:*:*:*:%s\n' "$(printf '%s' "$password" | sed -e 's/\\/\\\\/g' -e 's/:/\\:/g')" >"$private/pgpass"
export PGPASSFILE="$private/pgpass"

answer=$(psql -X -w -A -t -q -v ON_ERROR_STOP=1 -v address="$address" -h "$address" -p "$port" -U "$name" -d "$name" -f - <<'SQL'
SELECT json_build_object(
  'host', :'address', 'port', inet_server_port(), 'database', current_database(), 'user', current_user,
  'server_version', current_setting('server_version'), 'encoding', current_setting('server_encoding'),
  'answer', (SELECT sum(n) FROM generate_series(1, 8) AS n));
SQL
)
printf '%s\n' "$answer"
case "$answer" in
  *"\"database\" : \"$name\", \"user\" : \"$name\""*'"answer" : 36'*) ;;
  *)
    echo "the answer to the query is not what was asked for" >&2
    exit 1
    ;;
esac

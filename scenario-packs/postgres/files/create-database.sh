#!/bin/sh
# The password goes from a file through a pipe: it is never an argument or an environment variable.
set -euf
umask 077
export LC_ALL=C.UTF-8
unset PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGPASSWORD PGPASSFILE PGSERVICE PGOPTIONS PGCLUSTER

name=$CAPSTAN_PARAM_NAME
password=$(cat "$CAPSTAN_INPUTS/database_password")
if [ -z "$password" ]; then
  echo 'the artifact database_password is empty' >&2
  exit 1
fi
cd /

version=$(dpkg-query -W -f='${Depends}' postgresql | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
row=$(pg_lsclusters -h | awk -v version="$version" '$1 == version && $2 == "main"')
port=$(printf '%s\n' "$row" | awk '{ print $3 }')
owner=$(printf '%s\n' "$row" | awk '{ print $5 }')
if [ -z "$row" ]; then
  echo "there is no cluster ${version:-of any version}/main" >&2
  exit 1
fi
mark="capstan: postgres/$name"
sql() { runuser -u "$owner" -- psql -X -w -A -t -q -v ON_ERROR_STOP=1 -v name="$name" -v mark="$mark" -p "$port" -d postgres -f -; }

# Someone else's role or database of that name is left alone.
note=$(sql <<'SQL'
SELECT 'note: ' || coalesce(shobj_description(oid, 'pg_authid'), 'none') FROM pg_roles WHERE rolname = :'name';
SQL
)
if [ -n "$note" ] && [ "$note" != "note: $mark" ]; then
  echo "the role $name is there and was not made by Capstan (its comment is not '$mark'): nothing was changed" >&2
  exit 1
fi
holder=$(sql <<'SQL'
SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = :'name';
SQL
)
if [ -n "$holder" ] && [ "$holder" != "$name" ]; then
  echo "the database $name is there and belongs to $holder: nothing was changed" >&2
  exit 1
fi

# psql reads \set arguments with backslash escapes and doubled quotes.
quoted=$(printf '%s' "$password" | sed -e 's/\\/\\\\/g' -e "s/'/''/g")
{
  printf "\\\\set password '%s'\n" "$quoted"
  cat <<'SQL'
-- The server may log statements: not these.
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
SET password_encryption = 'scram-sha-256';
BEGIN;
SELECT format('CREATE ROLE %I LOGIN', :'name'), format('COMMENT ON ROLE %I IS %L', :'name', :'mark')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" WITH LOGIN PASSWORD :'password';
COMMIT;
-- From template0, because only that lets encoding and locale be chosen whatever the cluster was made with.
SELECT format('CREATE DATABASE %I OWNER %I TEMPLATE template0 ENCODING ''UTF8'' LC_COLLATE ''C.UTF-8'' LC_CTYPE ''C.UTF-8''', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
SQL
} | sql
echo "database and user $name are there"

#!/bin/sh
set -euf
export LC_ALL=C.UTF-8
unset PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGPASSWORD PGPASSFILE PGSERVICE PGOPTIONS PGCLUSTER
cd /

name=$CAPSTAN_PARAM_NAME
version=$(dpkg-query -W -f='${Depends}' postgresql 2>/dev/null | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
row=$(pg_lsclusters -h | awk -v version="$version" '$1 == version && $2 == "main"')
port=$(printf '%s\n' "$row" | awk '{ print $3 }')
owner=$(printf '%s\n' "$row" | awk '{ print $5 }')
if [ -z "$port" ]; then
  echo "there is no cluster ${version:-of any version}/main" >&2
  exit 1
fi

answer=$(runuser -u "$owner" -- psql -X -w -A -t -q -v ON_ERROR_STOP=1 -v name="$name" -p "$port" -d postgres -f - <<'SQL'
SELECT json_build_object(
  'database', d.datname, 'owner', pg_get_userbyid(d.datdba), 'encoding', pg_encoding_to_char(d.encoding),
  'user', r.rolname, 'login', r.rolcanlogin)
FROM (SELECT :'name'::text AS wanted) AS w
LEFT JOIN pg_database d ON d.datname = w.wanted
LEFT JOIN pg_roles r ON r.rolname = w.wanted;
SQL
)
printf '%s\n' "$answer"
for part in "\"database\" : \"$name\"" "\"owner\" : \"$name\"" "\"encoding\" : \"UTF8\"" "\"user\" : \"$name\"" '"login" : true'; do
  case "$answer" in
    *"$part"*) ;;
    *)
      echo "expected $part" >&2
      exit 1
      ;;
  esac
done

#!/bin/sh
set -euf
export LC_ALL=C.UTF-8
unset PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGPASSWORD PGPASSFILE PGSERVICE PGOPTIONS PGCLUSTER
cd /

name=$CAPSTAN_PARAM_NAME
address=$CAPSTAN_PARAM_ADDRESS
rule="host \"$name\" \"$name\" $CAPSTAN_PARAM_CLIENTS scram-sha-256 # capstan: postgres/$name"

version=$(dpkg-query -W -f='${Depends}' postgresql 2>/dev/null | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
row=$(pg_lsclusters -h | awk -v version="$version" '$1 == version && $2 == "main"')
port=$(printf '%s\n' "$row" | awk '{ print $3 }')
owner=$(printf '%s\n' "$row" | awk '{ print $5 }')
if [ -z "$port" ]; then
  echo "there is no cluster ${version:-of any version}/main" >&2
  exit 1
fi
answers=$(runuser -u "$owner" -- psql -X -w -A -t -q -v ON_ERROR_STOP=1 -p "$port" -d postgres -f - <<'SQL'
SELECT current_setting('listen_addresses');
SELECT current_setting('hba_file');
SELECT 'line ' || line_number || ': ' || error FROM pg_hba_file_rules WHERE error IS NOT NULL LIMIT 1;
SQL
)
listening=$(printf '%s\n' "$answers" | sed -n 1p)
file=$(printf '%s\n' "$answers" | sed -n 2p)
broken=$(printf '%s\n' "$answers" | sed -n 3p)
answer=$(pg_isready -h "$address" -p "$port" -t 3 || true)
line=$(grep -n -F -x -e "$rule" "$file" | cut -d: -f1 | head -n 1 || true)

printf '{"address":"%s","port":%s,"listen_addresses":"%s","answer":"%s","hba_file":"%s","hba_line":%s}\n' \
  "$address" "$port" "$listening" "$answer" "$file" "${line:-null}"
case "$answer" in
  *'accepting connections') ;;
  *)
    echo "the server listens on '$listening', but not on $address: $answer" >&2
    exit 1
    ;;
esac
if [ -z "$line" ]; then
  echo "$file does not hold the line: $rule" >&2
  exit 1
fi
if [ -n "$broken" ]; then
  echo "$file is broken, so the server keeps to its old rules: $broken" >&2
  exit 1
fi

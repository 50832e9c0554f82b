#!/bin/sh
# Where the server listens, and one rule that lets the database's user in. Nothing else of the configuration is touched.
set -euf
export LC_ALL=C.UTF-8
unset PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGPASSWORD PGPASSFILE PGSERVICE PGOPTIONS PGCLUSTER
cd /

name=$CAPSTAN_PARAM_NAME
address=$CAPSTAN_PARAM_ADDRESS
clients=$CAPSTAN_PARAM_CLIENTS

version=$(dpkg-query -W -f='${Depends}' postgresql | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p')
row=$(pg_lsclusters -h | awk -v version="$version" '$1 == version && $2 == "main"')
port=$(printf '%s\n' "$row" | awk '{ print $3 }')
owner=$(printf '%s\n' "$row" | awk '{ print $5 }')
if [ -z "$row" ]; then
  echo "there is no cluster ${version:-of any version}/main" >&2
  exit 1
fi
log=$(printf '%s\n' "$row" | awk '{ print $7 }')

sql() { runuser -u "$owner" -- psql -X -w -A -t -q -v ON_ERROR_STOP=1 -p "$port" -d postgres "$@" </dev/null; }
run() { runuser -u "$owner" -- psql -X -w -A -t -q -v ON_ERROR_STOP=1 -p "$port" -d postgres "$@" -f -; }

# Whether `$1` as listen_addresses covers the address.
listens() {
  for item in $(printf '%s' "$1" | tr ',' ' '); do
    case "$item" in
      '*' | "$address") return 0 ;;
      0.0.0.0) case "$address" in *[!0-9.]*) ;; *) return 0 ;; esac ;;
      ::) case "$address" in *:*) return 0 ;; esac ;;
      localhost) case "$address" in 127.* | ::1) return 0 ;; esac ;;
    esac
  done
  return 1
}

now=$(sql -c 'SHOW listen_addresses')
if listens "$now"; then
  echo "listen_addresses is '$now': $address is covered"
else
  case "$address" in
    *:*) wanted="${now:+$now,}$address" ;;
    *[!0-9.]*) wanted='*' ;; # a name: what it resolves to here need not be what others reach
    *) wanted="${now:+$now,}$address" ;;
  esac
  echo "listen_addresses: '$now' -> '$wanted'"
  echo "ALTER SYSTEM SET listen_addresses = :'wanted';" | run -v wanted="$wanted"
  sql -c 'SELECT pg_reload_conf()' >/dev/null
  # The reload is asynchronous: it has arrived when the server says that it needs a restart for it.
  tries=50
  until [ "$(sql -c "SELECT pending_restart FROM pg_settings WHERE name = 'listen_addresses'")" = t ]; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ]; then
      echo "the server did not take up listen_addresses = '$wanted'; another configuration file or option sets it" >&2
      exit 1
    fi
    sleep 0.2
  done
  echo "restarting $version/main: listen_addresses takes effect only then"
  pg_ctlcluster "$version" main restart </dev/null
  tries=30
  until sql -c 'SELECT 1' >/dev/null 2>&1; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ]; then
      echo "cluster $version/main did not come back after the restart; the end of its log $log:" >&2
      tail -n 20 "$log" >&2 || true
      exit 1
    fi
    sleep 1
  done
fi

mark="# capstan: postgres/$name"
rule="host \"$name\" \"$name\" $clients scram-sha-256 $mark"
file=$(readlink -f "$(sql -c 'SHOW hba_file')")
broken() { sql -c "SELECT 'line ' || line_number || ': ' || error FROM pg_hba_file_rules WHERE error IS NOT NULL LIMIT 1"; }

if grep -q -F -x -e "$rule" "$file"; then
  echo "the rule is in $file"
else
  before=$(broken)
  if [ -n "$before" ]; then
    echo "$file is broken already, nothing was changed in it: $before" >&2
    exit 1
  fi
  # cp -p first: the new files get the owner and mode of the old one, whatever the umask.
  cp -p "$file" "$file.capstan-old"
  cp -p "$file" "$file.capstan-new"
  awk -v mark="$mark" -v rule="$rule" '
    length($0) >= length(mark) && substr($0, length($0) - length(mark) + 1) == mark { next }
    { print }
    END { print rule }
  ' "$file.capstan-old" >"$file.capstan-new"
  sync "$file.capstan-new"
  mv -f "$file.capstan-new" "$file"
  after=$(broken)
  if [ -n "$after" ]; then
    mv -f "$file.capstan-old" "$file"
    echo "the server refuses the rule for '$clients', the old file is back: $after" >&2
    exit 1
  fi
  rm -f "$file.capstan-old"
  sql -c 'SELECT pg_reload_conf()' >/dev/null
  echo "added to $file: $rule"
fi

tries=30
until pg_isready -q -h "$address" -p "$port" -t 3; do
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo "the server listens on '$(sql -c 'SHOW listen_addresses')' port $port, but does not answer on $address" >&2
    exit 1
  fi
  sleep 1
done

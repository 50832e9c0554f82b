# What every program begins with: how it talks to Capstan. Each line carries the marker; texts and bytes come with their length.
set -u
umask 077
LC_ALL=C
export LC_ALL
given_path=$PATH
PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
login=$1 login_home=$2 M=$3 elevated=$4 own_uid=$5
# A sandbox host has one id: there sudo does not change it.
if [ "$elevated" = yes ] && [ -z "${CAPSTAN_LAB_HOST:-}" ]; then own_uid=0; fi

say() { printf '%s\n' "$M $*"; }

# tell WORDS TEXT: a line that ends with the length of the text, then the text.
tell() {
  say "$1 ${#2}"
  printf '%s' "$2"
}

# blocked CODE KEY=VALUE...: nothing was done, and why.
blocked() {
  code=$1
  shift
  tell "blocked $code" "$(printf '%s\n' "$@")"
  exit 0
}

free_bytes() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 { printf "%.0f", $4 * 1024 }'; }

# no_room WORDS FOLDER...: are these the words of a full disk? Then says so, with the folder that has the least room.
no_room() {
  case $1 in *'No space left'* | *'uota exceeded'*) ;; *) return 0 ;; esac
  shift
  fullest=$1 least=
  for folder in "$@"; do
    free=$(free_bytes "$folder")
    if [ -n "$free" ] && { [ -z "$least" ] || [ "$free" -lt "$least" ]; }; then fullest=$folder least=$free; fi
  done
  blocked disk_full "path=$fullest" "free=${least:-0}"
}

say go

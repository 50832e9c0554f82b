# Receiving files over the channel: a line `KIND SIZE NAME`, then the bytes; `done` ends. Names were checked before they were sent.

# receive SIZE FILE: takes exactly SIZE bytes of the standard input.
receive() {
  true >"$2" || return 1
  blocks=$(($1 / 65536)) rest=$(($1 % 65536))
  if [ "$blocks" -gt 0 ]; then dd bs=65536 count="$blocks" iflag=fullblock >>"$2" || return 1; fi
  if [ "$rest" -gt 0 ]; then dd bs="$rest" count=1 iflag=fullblock >>"$2" || return 1; fi
}

# receive_all FOLDER VAULT: fails when a file cannot be written, or when the stream ends before `done`.
receive_all() {
  mkdir -p "$1/in/inputs" "$1/out" "$2/params" "$2/inputs" || return 1
  while IFS=' ' read -r kind bytes name; do
    case $kind in
      own) to=$1/$name ;;
      plain) to=$1/in/$name ;;
      secret) to=$2/$name ;;
      done) return 0 ;;
      *) return 1 ;;
    esac
    case $name in */*/*) mkdir -p "${to%/*}" || return 1 ;; esac
    receive "$bytes" "$to" || return 1
    case $kind:$name in
      plain:script) chmod 700 "$to" || return 1 ;;
      secret:inputs/*/*) mkdir -p "$1/in/${name%/*}" && ln -s "$to" "$1/in/$name" || return 1 ;;
      secret:inputs/*) ln -s "$to" "$1/in/$name" || return 1 ;;
    esac
  done
  return 1
}

# hand_over FOLDER VAULT: the user found owns what is his and can reach it, whatever the umask was.
hand_over() {
  chmod 711 "$1" || return 1
  if [ "$drop" = none ]; then return 0; fi
  chown -hR "$uid:$gid" "$1/in" "$1/out" "$2" || return 1
}

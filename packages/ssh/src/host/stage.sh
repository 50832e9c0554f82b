# Receiving files over the channel, as counted archives: one process writes a whole folder.

# unpack SIZE FOLDER: fails when the stream ends too early or something cannot be written.
unpack() {
  blocks=$(($1 / 65536)) rest=$(($1 % 65536))
  {
    if [ "$blocks" -gt 0 ]; then dd bs=65536 count="$blocks" iflag=fullblock; fi
    if [ "$rest" -gt 0 ]; then dd bs="$rest" count=1 iflag=fullblock; fi
  } 2>/dev/null | tar -x -m -p --no-same-owner -f - -C "$2"
}

# hand_over FOLDER VAULT: the user found owns what is his and can reach it, whatever the umask was.
hand_over() {
  if [ "$drop" = none ]; then return 0; fi
  set -- "$1" ${2:+"$2"} "$1"/*.pipe "$1/in" "$1/out"
  shift
  chown -hR "$uid:$gid" "$@"
}

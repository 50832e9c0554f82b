# The first lines that run on a host. M (marker), E (when to use sudo) and N (bytes of the program) stand before them.
# Everything that the login shell or its profile printed lies before the marker and is thrown away.
printf '%s door\n' "$M"
printf '%s door\n' "$M" >&2
IFS= read -r R || exit 1
H=${HOME:-/}
U=$(id -u)
# On a sandbox host every user has the same id on the machine.
if [ -n "${CAPSTAN_LAB_HOST:-}" ]; then L=${USER:-root}; else L=$(id -un); fi
O=no
case $R in "$H"/*) O=yes ;; esac
if [ -O "$R" ]; then O=yes; fi
up=no
if [ "$U" != 0 ]; then
  case $E in
    must) up=yes ;;
    own) if [ "$O" = no ]; then up=yes; fi ;;
    able) if [ "$O" = no ] || sudo -n true </dev/null >/dev/null 2>&1; then up=yes; fi ;;
    try) if sudo -n true </dev/null >/dev/null 2>&1; then up=yes; fi ;;
  esac
fi
# dd takes exactly N bytes of the pipe; what follows them is for the program.
B="eval \"\$(dd bs=$N count=1 iflag=fullblock 2>/dev/null)\""
if [ "$up" = yes ]; then exec sudo -n /bin/sh -c "$B" capstan "$L" "$H" "$M" yes "$U"; fi
set -- "$L" "$H" "$M" no "$U"
eval "$B"

# Whom a program runs as.

# find_user AS: sets user, uid, gid, home and drop (how this shell becomes that user), or says why it cannot.
find_user() {
  case $1 in login) user=$login ;; *) user=$1 ;; esac
  entry=$(getent passwd "$user" 2>/dev/null)
  if [ -z "$entry" ]; then blocked needs_input "detail=the host has no user $user"; fi
  IFS=: read -r user _ uid gid _ home _ <<END
$entry
END
  if [ -n "${CAPSTAN_LAB_HOST:-}" ]; then home=${HOST_ROOT%/}$home; fi
  if [ "$user" = "$login" ]; then home=$login_home; fi
  if [ -n "${CAPSTAN_LAB_AS:-}" ]; then
    now=$login
    if [ "$elevated" = yes ]; then now=root; fi
    if [ "$user" = "$now" ]; then drop=none; else drop=lab; fi
  elif [ "$uid" = "$(id -u)" ]; then
    drop=none
  elif setpriv --reuid="$uid" --regid="$gid" --init-groups -- true 2>/dev/null; then
    drop=setpriv
  elif words=$(runuser -u "$user" -- true 2>&1); then
    drop=runuser
  else
    blocked no_sudo "detail=cannot become $user: $words"
  fi
}

# become COMMAND...: runs it as the user found.
become() {
  case $drop in
    none) "$@" ;;
    lab) "$CAPSTAN_LAB_AS" "$user" "$@" ;;
    setpriv) setpriv --reuid="$uid" --regid="$gid" --init-groups -- "$@" ;;
    runuser) runuser -u "$user" -- "$@" ;;
  esac
}

# The path of a job: the same on every host, but a sandbox host keeps its stand-ins.
job_path() {
  if [ -n "${CAPSTAN_LAB_HOST:-}" ]; then printf '%s' "$PATH"; else printf /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; fi
}

# write_order FILE VAULT: what the launcher needs to know, beside what the caller adds.
write_order() {
  printf '%s\n' "user $user" "uid $uid" "gid $gid" "home $home" "drop $drop" "path $(job_path)" "vault $2" >"$1"
}

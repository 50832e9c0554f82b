# Whom a program runs as.

# find_user AS: sets user, uid, gid, home and drop (how this shell becomes that user), or says why it cannot.
find_user() {
  case $1 in login) user=$login ;; *) user=$1 ;; esac
  now=$login
  if [ "$elevated" = yes ]; then now=root; fi
  uid=$own_uid gid='' home=$login_home drop=none
  if [ "$user" = "$login" ] && [ "$now" = "$login" ]; then return 0; fi
  entry=$(getent passwd "$user" 2>/dev/null)
  if [ -z "$entry" ]; then blocked needs_input "detail=the host has no user $user"; fi
  IFS=: read -r user _ uid gid _ home _ <<END
$entry
END
  if [ -n "${CAPSTAN_LAB_HOST:-}" ]; then home=${HOST_ROOT%/}$home; fi
  if [ "$user" = "$now" ]; then return 0; fi
  if [ -n "${CAPSTAN_LAB_AS:-}" ]; then
    drop=lab
  elif [ "$uid" = "$own_uid" ]; then
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

# write_order FILE LINE...: what the launcher needs to know.
write_order() {
  order=$1
  shift
  # The same path on every host, but a sandbox host keeps its stand-ins.
  path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  if [ -n "${CAPSTAN_LAB_HOST:-}" ]; then path=$given_path; fi
  printf '%s\n' "user $user" "uid $uid" "gid $gid" "home $home" "drop $drop" "path $path" "$@" >"$order"
}

# Where attempts and their secrets will lie on this host, and which host it is.
for tool in flock setsid awk getent tar sync stat; do
  if ! command -v "$tool" >/dev/null; then blocked needs_input "detail=the host has no $tool, which keeps an attempt from starting twice; on Debian it is in util-linux, mawk, libc-bin or coreutils"; fi
done
if ! [ -r /proc/self/stat ]; then blocked needs_input "detail=the host has no /proc: only Linux hosts are supported"; fi

# On a network file system locks and renames mean little (S5).
is_local() {
  case $(stat -f -c %T "$1" 2>/dev/null) in
    nfs* | cifs | smb* | fuse* | 9p | v9fs | afs | ceph | lustre | gpfs | ocfs2 | gfs* | coda | ncp*) return 1 ;;
  esac
}

words=''
make_root() {
  # 0711: other users' jobs must get through to their own folders.
  words=$(umask 066 && mkdir -p "$1" 2>&1) || { no_room "$words" "${1%/*}" /; return 1; }
  chmod 711 "$1"
  words=$(mkdir -p "$1/nodes" 2>&1) || { no_room "$words" "$1"; return 1; }
  if is_local "$1"; then return 0; fi
  words="$1 lies on a network file system"
  return 1
}

if [ -z "$root" ]; then
  if [ -n "${CAPSTAN_LAB_HOST:-}" ] && make_root "${HOST_ROOT%/}/var/lib/capstan/run"; then
    root=${HOST_ROOT%/}/var/lib/capstan/run
  elif [ "$(id -u)" = 0 ] && make_root /var/lib/capstan/run; then
    root=/var/lib/capstan/run
  elif make_root "$login_home/.capstan/run"; then
    root=$login_home/.capstan/run
  fi
  if [ -z "$root" ]; then blocked needs_input "detail=no folder for attempts: neither /var/lib/capstan/run nor $login_home/.capstan/run can be made on a local file system ($words)"; fi
elif ! make_root "$root"; then
  blocked needs_input "detail=the folder for attempts, $root, cannot be used: $words"
fi

# In memory where that lasts: logind empties /run/user, and what a plain user has in /dev/shm, when he logs out, and a lost
# link is a log-out in the middle of an attempt.
if [ -z "$vaults" ]; then
  vaults=$root/.secrets
  if [ "${HOST_ROOT:-/}" != / ]; then
    # A sandbox host that is a folder leaves nothing outside of it.
    vaults=${HOST_ROOT%/}/run/capstan
  elif [ "$(id -u)" = 0 ] && [ "$(stat -f -c %T /run 2>/dev/null)" = tmpfs ] && [ -w /run ]; then
    vaults=/run/capstan
  elif [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] && [ -w /dev/shm ] && { [ "$(id -u)" = 0 ] || [ ! -d /run/systemd/seats ]; }; then
    vaults=/dev/shm/capstan-$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
  fi
fi

machine=''
for file in "${HOST_ROOT:-}/etc/machine-id" /etc/machine-id /var/lib/dbus/machine-id; do
  if [ -z "$machine" ] && [ -r "$file" ]; then read -r machine <"$file"; fi
done
look_up_incarnation
tell enrolled "$(printf '%s\n' "root=$root" "vaults=$vaults" "incarnation=$incarnation" "machine=${machine:-$(uname -n)}")"

# Becomes the job's user and its program, in an environment of its own. Values reach the program as files; what stands on
# this command line are names and paths.

# read_order FILE: sets what the file says.
read_order() {
  attempt='' timeout='' grace='' life=''
  while IFS=' ' read -r key value; do
    case $key in
      attempt) attempt=$value ;;
      timeout) timeout=$value ;;
      grace) grace=$value ;;
      life) life=$value ;;
      user) user=$value ;;
      uid) uid=$value ;;
      gid) gid=$value ;;
      home) home=$value ;;
      drop) drop=$value ;;
      path) path=$value ;;
      vault) vault=$value ;;
    esac
  done <"$1"
}

# enter FOLDER: never returns.
enter() {
  set -- "$1" "PATH=$path" "HOME=$home" "USER=$user" "LOGNAME=$user" LANG=C.UTF-8 ${attempt:+"CAPSTAN_ATTEMPT=$attempt"} \
    "CAPSTAN_PARAMS=$1/in/params.json" "CAPSTAN_INPUTS=$1/in/inputs" "CAPSTAN_OUTPUTS=$1/out" "CAPSTAN_SECRETS=$vault/params"
  if [ -n "${CAPSTAN_LAB_HOST:-}" ]; then
    for name in HOST_ROOT HOSTNAME TMPDIR $(env | sed -n 's/^\(CAPSTAN_LAB_[A-Z0-9_]*\)=.*/\1/p'); do
      eval "value=\${$name-}"
      if [ -n "$value" ]; then set -- "$@" "$name=$value"; fi
    done
  fi
  job=$1/in/job
  shift
  case $drop in
    none) exec env -i "$@" /bin/sh "$job" ;;
    lab) exec "$CAPSTAN_LAB_AS" "$user" env -i "$@" /bin/sh "$job" ;;
    setpriv) exec setpriv --reuid="$uid" --regid="$gid" --init-groups -- env -i "$@" /bin/sh "$job" ;;
    runuser) exec runuser -u "$user" -- env -i "$@" /bin/sh "$job" ;;
  esac
}

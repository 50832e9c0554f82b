# Becoming the job's user and its program, in an environment of its own. Values reach the program as files; what stands on
# this command line are names and paths.

# read_order FILE: sets what the file says.
read_order() {
  attempt='' timeout='' grace='' life='' vault=''
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

# enter FOLDER: the calling process becomes the program, in a session of its own with the same pid.
enter() {
  job=$1/in/job
  set -- "PATH=$path" "HOME=$home" "USER=$user" "LOGNAME=$user" LANG=C.UTF-8 ${attempt:+"CAPSTAN_ATTEMPT=$attempt"} \
    "CAPSTAN_PARAMS=$1/in/params.json" "CAPSTAN_INPUTS=$1/in/inputs" "CAPSTAN_OUTPUTS=$1/out" "CAPSTAN_SECRETS=${vault:-$1/in}/secrets"
  if [ -n "${CAPSTAN_LAB_HOST:-}" ]; then
    for name in HOST_ROOT HOSTNAME TMPDIR $(env | sed -n 's/^\(CAPSTAN_LAB_[A-Z0-9_]*\)=.*/\1/p'); do
      eval "value=\${$name-}"
      if [ -n "$value" ]; then set -- "$@" "$name=$value"; fi
    done
  fi
  set -- env -i "$@" /bin/sh "$job" "${job%/job}"
  case $drop in
    none) exec setsid "$@" ;;
    lab) exec setsid "$CAPSTAN_LAB_AS" "$user" "$@" ;;
    setpriv) exec setsid setpriv --reuid="$uid" --regid="$gid" --init-groups -- "$@" ;;
    runuser) exec setsid runuser -u "$user" -- "$@" ;;
  esac
}

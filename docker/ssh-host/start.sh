#!/bin/sh
# The host key is made at the first start and lies in a volume: a key in an image would be everybody's.
set -eu
key=/home/capstan/keys/ssh_host_ed25519_key
if ! [ -f "$key" ]; then ssh-keygen -q -t ed25519 -N '' -C '' -f "$key"; fi
exec /usr/sbin/sshd -D -e -f /etc/ssh/capstan_sshd_config

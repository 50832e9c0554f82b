#!/bin/sh
# What a person would look at first. It judges nothing: the checks of this job do.
set -u
export LC_ALL=C

echo "host:  $(uname -n), $(uname -s) $(uname -r), $(uname -m)"
echo "user:  $(id -un) (uid $(id -u))"
echo "clock: $(date -u '+%Y-%m-%dT%H:%M:%SZ')"
echo "apt:   $(apt-get --version 2>&1 | head -n 1)"
echo "disk:"
df -Pk /var

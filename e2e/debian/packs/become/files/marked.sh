#!/bin/sh
set -eu
cat "/var/tmp/become-$CAPSTAN_PARAM_NAME"

#!/bin/sh
set -eu
id -un
id -un >"/var/tmp/become-$CAPSTAN_PARAM_NAME"

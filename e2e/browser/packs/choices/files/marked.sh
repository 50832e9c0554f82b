#!/bin/sh
set -eu
test -e "$HOME/choice-made"

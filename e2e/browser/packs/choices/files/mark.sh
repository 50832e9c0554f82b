#!/bin/sh
set -eu
touch "$HOME/choice-made"

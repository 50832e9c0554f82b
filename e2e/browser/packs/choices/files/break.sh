#!/bin/sh
echo "the switch is off" >&2
exit 3

# The output of an attempt from an offset to its end, or as far as it is.
if [ ! -d "$run" ]; then
  classify
  say "$is"
  exit 0
fi
if ! read_end "$run"; then size=$(stat -c %s "$run/output"); fi
show=yes
while send_output "$size"; do :; done
say "read $size"

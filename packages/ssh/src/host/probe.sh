# What the host says of an attempt. The dead need no secrets.
classify
case $is in supervisor_died | host_restarted | cancelled) drop_secrets ;; esac
say_state

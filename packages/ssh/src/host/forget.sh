# Removes the folder of an attempt whose end is stored. What the node's record says of it stays: it never starts again.
if [ -d "$run" ]; then
  if supervised; then blocked host_busy "detail=the attempt still runs"; fi
  drop_secrets
  mv -T "$run" "$root/.stage.$nonce" && rm -rf "$root/.stage.$nonce"
fi
# What deliveries left that were killed half-way.
find "$root" -maxdepth 1 -name '.stage.*' -mmin +1440 -exec rm -rf {} + 2>/dev/null
find "$vaults" -mindepth 1 -maxdepth 1 -mmin +1440 2>/dev/null | while read -r vault; do
  id=${vault##*/}
  if [ ! -d "$root/${id%.*}" ]; then rm -rf "$vault"; fi
done
say forgotten

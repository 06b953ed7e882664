#!/bin/sh
# Shows the menus of a live app, performs what it is told to, and follows what changes: client.sh NAME [REF…]
name=$1
shift
shown=$(menuctl menu "@$name") || exit
printf '%s\n' "$shown"
for reference; do
  menuctl perform "@$name" "$reference" --json
done
while now=$(menuctl menu "@$name" 2>/dev/null); do
  [ "$now" = "$shown" ] || printf '%s\n' "$now"
  shown=$now
  sleep 1
done

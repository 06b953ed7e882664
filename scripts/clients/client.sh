#!/bin/sh
# Shows the menus of a live app, performs what it is told to, and follows what changes: client.sh NAME [REF…]
name=${1:?usage: client.sh NAME [REF…]}
shift
menuctl menu "@$name" --follow &
follower=$!
trap 'kill $follower 2>/dev/null' INT TERM
for reference; do
  menuctl perform "@$name" "$reference" --json
done
wait $follower

#!/usr/bin/env python3
"""Shows the menus of a live app, performs what it is told to, and follows what changes: client.py NAME [REF]"""
import json, os, socket, sys

if len(sys.argv) < 2: sys.exit("usage: client.py NAME [REF…]")
name, folder = sys.argv[1], os.environ.get("XDG_RUNTIME_DIR")
folder = f"{folder}/menuctl" if folder else f"{os.environ.get('TMPDIR', '/tmp')}/menuctl-{os.getuid()}"
app = socket.socket(socket.AF_UNIX)
app.settimeout(8)
try:
    app.connect(name if "/" in name else f"{folder}/{name}.sock")
except OSError as error:
    sys.exit(f"'{name}' lets nobody in: {error.strerror or error}")
app.settimeout(None)
lines = app.makefile("rw", encoding="utf-8")

def show(elements, depth=0):
    for element in elements:
        if "title" in element:
            print("  " * depth + element["title"], element.get("reason", ""), sep="  ", flush=True)
        show(element.get("children", []), depth + 1)

def ask(method, **parameters):
    lines.write(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": parameters}) + "\n")
    lines.flush()
    while "id" not in (message := json.loads(next(lines))): follow(message)
    return message["result"]

def follow(message):
    for change in message["params"].get("changes", []):
        print(change["change"], change["id"], change.get("element", {}).get("reason", ""), sep="  ", flush=True)

ask("subscribe", to=["menus"])
show(ask("menus")["menus"])
for reference in sys.argv[2:]:
    print(reference, ask("perform", ref=reference)["status"], sep=": ", flush=True)
for line in lines: follow(json.loads(line))

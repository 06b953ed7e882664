import LiveHost
import ScriptHost

let host = ScriptHost()
try host.load(text: "app.title = 'Clock' function app.on:tick() print('tick') end", name: "clock.lua")
host.onPrint = { print($0) }

let live = LiveHost(host)
try live.listen(name: "clock")
live.run()

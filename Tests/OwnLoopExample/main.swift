import Glibc
import LiveHost
import ScriptHost

let host = ScriptHost()
try host.load(text: "app.title = 'Clock' function app.on:tick() print('tick') end", name: "clock.lua")
host.onPrint = { print($0) }
var isOver = false
host.on("quit") { _ in isOver = true }

let live = LiveHost(host)
try live.listen(name: "clock")
while !isOver {
  var polled = live.descriptors.map { one in
    pollfd(fd: one.descriptor, events: Int16((one.reads ? POLLIN : 0) | (one.writes ? POLLOUT : 0)), revents: 0)
  }
  var milliseconds: Int32 = -1
  if let deadline = live.nextDeadline {
    milliseconds = Int32(clamping: Int64((deadline - host.now) / .milliseconds(1)) + 1)
  }
  poll(&polled, nfds_t(polled.count), max(milliseconds, 0) == 0 && milliseconds >= 0 ? 0 : milliseconds)
  live.turn()
}
live.stop()

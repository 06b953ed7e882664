import CSocket
import Glibc
import ScriptHost

@testable import LiveHost

/// A live host without a socket, and clients of it that are connected by pairs of sockets.
final class FuzzedSession {
  let host: ScriptHost
  let live: LiveHost

  init() throws {
    host = ScriptHost(
      limits: HostLimits(
        memory: 12 << 20, load: .milliseconds(2000, instructions: 300_000),
        perform: .milliseconds(1000, instructions: 60_000)), clock: TestClock())
    try host.load(text: Self.script, name: "app.lua")
    live = LiveHost(host)
    live.reloading = { [host] () throws(Failure) in
      do throws(LoadError) { try host.reload(text: Self.script, name: "app.lua") } catch { throw error.failure }
    }
  }

  deinit { live.stop() }

  static let script = """
    rows, ticked, chosen = { "a", "b" }, false, "none"
    menubar {
      menu "M" {
        section "rows" { items = function() return rows end, id = function(row) return row end, row = function(row) return item(row) { "use" } end },
        separator, label "end",
        item "Tick" { "tick", key = "g t", confirm = "Sure?" },
      },
      menu "N" { item "Nap" { "nap" }, item "Undo" { "undo" }, item "Redo" { "redo" }, item "Count" { "count" },
        item "Name" { "name", confirm = "Sure?" } },
    }
    panel { section "lines" { items = function() return rows end, id = function(row) return "line " .. row end,
      row = function(row) return item(row .. (row == chosen and "!" or "")) { "choose", args = { row = row } } end } }
    local list = responder "list" { count = 0 }
    function app.on:choose(ctx) chosen = ctx.row end
    function list.on:count(ctx) ctx:set(self, "count", self.count + 1, "Count") end
    function list.look:count() return { subtitle = tostring(list.count) } end
    list.takes.name = { number = { "integer", from = 0, to = 5 } }
    function list.on:name(ctx) self.name = ctx.number end
    focus(list)
    function app.on:set(ctx) rows = ctx.rows end
    function app.on:use(ctx) rows = { ctx.sender.id, table.unpack(rows) } end
    function app.on:tick() ticked = not ticked end
    function app.look:tick() return { state = ticked and "on" or "off", title = ticked and "Untick" or "Tick" } end
    function app.on:nap() sleep(5) end
    function list.on:only() end
    """

  /// Connects another client. Returns its end.
  ///
  /// - Parameter room: how many bytes may wait before notifications stop. Nil is the usual limit.
  func connect(room: Int? = nil) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    var connection = Connection(socket: ends[0])
    if let room {
      connection.room = room
      var size = Int32(room)
      setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    live.clients.append(Client(connection))
    return ends[1]
  }
}

/// The other end of a connection: takes bytes, returns whole lines.
struct FuzzedEnd {
  let descriptor: Int32
  private var bytes: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func write(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    _ = bytes.withUnsafeBytes { csocket_send(descriptor, $0.baseAddress, $0.count) }
  }

  /// The lines received so far.
  mutating func lines() -> [[UInt8]] {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    bytes = lines.removeLast()
    return lines
  }
}

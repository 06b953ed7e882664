import Glibc
@_spi(Measuring) import LiveHost
@_spi(Measuring) import ScriptHost

/// A *live soak* is the day of a live app: twenty look at it, ask, come and go, while it is loaded anew, waits, and plugins come and go.
struct LiveSoak {
  private static let count = 20
  private let host: ScriptHost
  private let live: LiveHost
  private let plugin: String
  /// Where its script lies.
  private let path: String
  private let socket: String
  private var clients: [SoakClient] = []
  private var random = SplitMix(state: 2704)
  private(set) var counts: [String: Int] = [:]

  init(plugin: String) throws {
    self.plugin = plugin
    path = "/tmp/menuctl-soak-app-\(getpid()).lua"
    socket = "/tmp/menuctl-soak-\(getpid()).sock"
    host = ScriptHost(clock: TestClock())
    guard let file = fopen(path, "w") else { throw Misuse(.notNow, "can't write \(path)") }
    fputs(Self.script, file)
    fclose(file)
    try host.load(path: path)
    live = LiveHost(host)
    live.path = path
    try live.listen(path: socket)
    try connectAll()
  }

  /// The same app as of the other soak, with a panel and a timer that does something.
  private static let script =
    SoakScript.app + """

      panel { section "lines" { items = function(ctx) return ctx.rows end, id = function(v) return "line " .. v end,
        row = function(v) return item("Line " .. v) { "open", args = { n = v } } end } }
      app.on.tick = function() return "ticked" end
      every(0.5, function() app:perform("tick") end)
      """

  func end() {
    live.stop()
    unlink(path)
  }

  private mutating func connectAll() throws {
    clients = []
    turn()
    for number in 0..<Self.count {
      clients.append(try SoakClient(at: socket))
      // Some hear of everything, some of nothing.
      ask(number, "subscribe", #"{"to": ["menus", "panel", "outcomes", "jobs", "log", "app"]}"#, number % 3 > 0)
    }
  }

  /// Has a client ask, and be answered.
  private func ask(_ number: Int, _ method: String, _ parameters: String = "{}", _ isToAsk: Bool = true) {
    guard isToAsk else { return turn() }
    let client = clients[number]
    let before = client.answers
    client.say(method, parameters)
    for _ in 0..<1000 where client.answers == before {
      live.turn()
      client.hear()
    }
    precondition(client.answers == before + 1, "\(method) is not answered")
  }

  private func turn() {
    for _ in 0..<4 { live.turn() }
    for client in clients { client.hear() }
  }

  mutating func work(_ operations: Int) throws {
    for number in 0..<operations {
      let name = try operate()
      counts[name, default: 0] += 1
      if number % 16 == 0 || host.jobs.count > 8 { try host.advance(by: .milliseconds(10)) }
      for client in clients { client.hear() }
    }
  }

  private mutating func operate() throws -> String {
    let who = Int(random.below(UInt64(Self.count)))
    switch random.below(1000) {
    case ..<500:
      let names = [
        "open(n: 1)", "open(n: 9)", "text(n: 1)", "nested", "breaks", "refuses", "makes", "nobody", "show(as: 2)",
      ]
      ask(who, "perform", "{\"ref\": \"\(random.one(of: names))\"}")
      _ = host.takeDiagnostics()
      return "performs"
    case ..<600:
      ask(
        who, "press", "{\"keys\": \"\(random.one(of: ["g g", "g", "esc", "ctrl+z", "ctrl+o"]))\", \"confirmed\": true}")
      return "presses"
    case ..<680:
      ask(who, "pick", "{\"id\": \"\(random.one(of: ["File/Open", "row 1", "line 1", "View/One", "nothing"]))\"}")
      return "picks"
    case ..<760:
      ask(who, random.one(of: ["menus", "panel", "keys", "check", "jobs", "app", "diagnostics", "undo_stack"]))
      return "questions"
    case ..<830:
      ask(who, "perform", "{\"ref\": \"nap\", \"owned\": \(random.below(2) == 0)}")
      return "jobs"
    case ..<870:
      ask(who, random.one(of: ["undo", "redo"]), #"{"changes": true}"#)
      return "undo and redo"
    case ..<910:
      ask(who, "focus", "{\"name\": \"\(random.one(of: ["grid", "main", "side"]))\"}")
      return "focus"
    case ..<950:
      ask(who, "evaluate", #"{"line": "app:find('grid').count"}"#)
      return "lines"
    case ..<988:
      clients[who] = try SoakClient(at: socket)
      ask(who, "subscribe", #"{"to": ["menus", "panel", "jobs"], "now": true}"#)
      return "clients that go and come"
    case ..<994:
      ask(who, "reload")
      return "reloads"
    default: return try plugins()
    }
  }

  private func plugins() throws -> String {
    defer { turn() }
    if host.plugins.isEmpty {
      try host.load(plugins: [plugin])
      return "plugin loads"
    }
    try host.unload(plugin: "extra")
    return "plugin unloads"
  }

  /// What it holds when nothing is under way: always at the same point of the same day.
  mutating func measure() throws -> Measured {
    for job in host.jobs { job.cancel() }
    if !host.plugins.isEmpty { try host.unload(plugin: "extra") }
    try host.reload(path: path)
    try host.find("grid").map { _ = try host.focus($0) }
    try connectAll()
    turn()
    _ = host.takeDiagnostics()
    return Measured(held: try host.held())
  }
}

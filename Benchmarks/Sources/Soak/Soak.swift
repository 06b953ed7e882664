import Glibc
@_spi(Measuring) import ScriptHost

/// A *soak* does to one host, over and over, what a day of work does: what must not become more with time is looked at in between.
struct Soak {
  private let host: ScriptHost
  private let plugin: String
  private var random = SplitMix(state: 4711)
  private(set) var counts: [String: Int] = [:]

  init(plugin: String) throws {
    self.plugin = plugin
    host = ScriptHost(clock: TestClock())
    try host.load(text: SoakScript.app, name: "soak.lua")
  }

  /// Does so many things, as chance has it.
  mutating func work(_ operations: Int) throws {
    for _ in 0..<operations {
      let name = try operate()
      counts[name, default: 0] += 1
      if host.jobs.count > 8 { try host.advance(by: .milliseconds(10)) }
    }
  }

  private mutating func operate() throws -> String {
    switch random.below(1000) {
    case ..<560: return perform()
    case ..<600: return press()
    case ..<700:
      _ = host.changes()
      return "snapshots"
    case ..<760:
      host.rebuild()
      _ = host.menus()
      return "rebuilds"
    case ..<820:
      try host.find(random.one(of: ["grid", "sheet", "main", "side", "before"])).map { _ = try host.focus($0) }
      return "focus"
    case ..<860:
      try modal()
      return "modal"
    case ..<920:
      _ = random.below(3) == 0 ? host.redo() : host.undo()
      return "undo and redo"
    case ..<970:
      host.perform("nap", wait: random.below(2) == 0)
      if random.below(4) == 0 { host.jobs.first?.cancel() }
      return "sleeps"
    case ..<990:
      try host.evaluate(random.one(of: ["app:find('grid').count", "value = app:menu()", "app:why('open(n: 1)').text"]))
      return "lines"
    case ..<994:
      try host.reload(text: SoakScript.app, name: "soak.lua")
      return "reloads"
    case ..<996:
      let wasRefused = (try? host.reload(text: SoakScript.app + "\nerror('no')", name: "soak.lua")) == nil
      precondition(wasRefused)
      return "failed reloads"
    default: return try plugins()
    }
  }

  private mutating func perform() -> String {
    let references = [
      "open(n: 1)", "open(n: 9)", "text(n: 1)", "nested", "forwarded", "breaks", "refuses", "makes", "opens", "closure",
      "late",
      "nobody", "show(as: 2)", "x.y.text(n: 2)", "extra(n: 2)", "malformed(",
    ]
    host.perform(random.one(of: references))
    _ = host.takeDiagnostics()
    return "performs"
  }

  private mutating func press() -> String {
    if random.below(2) == 0 {
      host.press(random.one(of: ["g g", "g", "esc", "ctrl+z", "ctrl+o", "ctrl+e"]), confirmed: true)
    } else {
      host.pick(random.one(of: ["File/Open", "row 1", "View/One", "Extra/Do", "nothing"]), confirmed: true)
    }
    return "keys and picks"
  }

  private mutating func modal() throws {
    guard let sheet = host.find("sheet") else { return }
    let session = try? host.modal(sheet, dismissable: random.below(2) == 0)
    host.perform("text(n: 5)")
    host.perform("ok")
    session?.close()
  }

  private mutating func plugins() throws -> String {
    guard host.plugins.isEmpty else {
      if random.below(2) == 0 {
        try host.reload(plugin: "extra")
        return "plugin reloads"
      }
      try host.unload(plugin: "extra")
      return "plugin unloads"
    }
    try host.load(plugins: [plugin])
    return "plugin loads"
  }

  /// What it holds when nothing is under way: always at the same point of the same day.
  mutating func measure() throws -> Measured {
    for session in host.modalSessions.reversed() { session.close() }
    try host.advance(by: .seconds(1))
    if !host.plugins.isEmpty { try host.unload(plugin: "extra") }
    try host.reload(text: SoakScript.app, name: "soak.lua")
    // The focus outlives a reload, and who has it supplies what menus are made of.
    try host.find("grid").map { _ = try host.focus($0) }
    _ = host.menus()
    _ = host.takeDiagnostics()
    return Measured(held: try host.held())
  }
}

/// Numbers that are the same in each run.
struct SplitMix {
  var state: UInt64

  mutating func below(_ bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) % bound
  }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[Int(below(UInt64(elements.count)))] }
}

import CLua

// The calls on `app` that act for a person: keys, phases, URLs.

extension ScriptEngine {
  static let drivingCalls: [(name: String, body: HostCalls.Body)] = [
    ("press", { try $0.press($1) }),
    ("enter", { try $0.enter($1) }),
    ("open_urls", { try $0.openURLs($1) }),
  ]

  private func press(_ call: LuaCall) throws -> LuaReturn {
    try act(call, "press", "pressing keys") { host in
      let keys = try call.text(1, "the keys")
      var answers = Answers()
      if let options = try call.table(2, "the options") {
        try lua.forEach(in: options) { key, value in
          guard case .text(let name) = key, try answers.add(name, value, self) else {
            throw LuaMisuse("pressing keys has the options 'confirmed' and 'args'")
          }
          return true
        }
      }
      return host.press(keys, confirmed: answers.isConfirmed, arguments: answers.arguments)
    }
  }

  private func enter(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "enter")
    try refusePlugins("entering a phase", owner)
    try refuseWhileAsking("entering a phase")
    try refuseWhileLoading("entering a phase")
    let name = try call.text(1, "the phase")
    guard let phase = Phase(rawValue: name) else {
      throw LuaMisuse("there is no phase '\(name)'\(meant(name, among: Phase.allCases.map(\.rawValue)))")
    }
    try allowing { try host.enter(phase) }
    return .nothing
  }

  private func openURLs(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "open_urls")
    try refuseWhileAsking("opening URLs")
    try refuseWhileLoading("opening URLs")
    guard let table = try call.table(1, "the URLs") else { throw LuaMisuse("open_urls takes a list of URLs") }
    var urls: [String] = []
    for position in 0..<(try lua.rawCount(of: table)) {
      let value = try lua.rawGet(.integer(position + 1), of: table)
      guard case .text(let url) = value else { throw LuaMisuse("a URL is a string, not \(value.described)") }
      urls.append(url)
    }
    let outcomes = host.openURLs(urls)
    speaking(to: owner) { push(.list(outcomes.map { .opaque(ScriptOutcome($0)) }), on: call.L) }
    return .pushed(1)
  }
}

/// The options `confirmed` and `args` of calls that pick and press: the answers to what a person would be asked.
struct Answers {
  private(set) var isConfirmed: Bool?
  private(set) var arguments = Arguments()

  /// Takes an option, and returns whether it is one of these.
  mutating func add(_ name: String, _ value: LuaValue, _ engine: ScriptEngine) throws -> Bool {
    switch name {
    case "confirmed": isConfirmed = value.isTrue
    case "args":
      guard case .table(let table) = value else { throw LuaMisuse("args must be a table, not \(value.described)") }
      arguments = try engine.arguments(table)
    default: return false
    }
    return true
  }
}

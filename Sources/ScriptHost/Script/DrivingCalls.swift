import CLua

// The calls on `app` by which a person's doings reach it: keys, phases, URLs.

extension ScriptEngine {
  static let drivingCalls: [(name: String, body: HostCalls.Body)] = [
    ("press", { try $0.press($1) }),
    ("enter", { try $0.enter($1) }),
    ("open_urls", { try $0.openURLs($1) }),
  ]

  private func press(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "press")
    try refuseWhileAsking("pressing keys")
    try refuseWhileLoading("pressing keys")
    let keys = try call.text(1, "the keys")
    var isConfirmed: Bool?
    if let options = try call.table(2, "the options") {
      try lua.forEach(in: options) { key, value in
        guard case .text("confirmed") = key else { throw LuaMisuse("pressing keys has one option, 'confirmed'") }
        isConfirmed = value.isTrue
        return true
      }
    }
    return try waitOrPush(host.press(keys, confirmed: isConfirmed), call, for: owner)
  }

  private func enter(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "enter")
    try refusePlugins("entering a phase", owner)
    try refuseWhileAsking("entering a phase")
    try refuseWhileLoading("entering a phase")
    let name = try call.text(1, "the phase")
    guard let phase = Phase(rawValue: name) else {
      let near = nearest(to: name, among: Phase.allCases.map(\.rawValue)).first.map { "; did you mean '\($0)'?" }
      throw LuaMisuse("there is no phase '\(name)'\(near ?? ": it is inactive, active or background")")
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

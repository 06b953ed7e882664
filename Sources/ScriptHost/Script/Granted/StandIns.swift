import CLua

// A test's stand-ins for what is outside of the host: functions that every script of its host finds in place of the
// real ones.

extension ScriptEngine {
  /// The names that a test may stand in for: what needs a grant, what tells the machine's time, and the seed of
  /// `math.random`.
  static let outerCalls = [
    "fs.read", "fs.list", "fs.stat", "fs.write", "fs.make", "fs.remove", "fs.rename", "exec", "open", "notify",
    "clipboard.get", "clipboard.set", "env", "os.time", "os.date", "os.clock", chance,
  ]

  /// Makes an owner's scripts find the stand-ins in place of what is granted.
  func standIn(for script: ScriptOwner) throws {
    for (name, function) in standIns {
      if name == Self.chance {
        try seed(script, with: function)
        continue
      }
      let parts = name.split(separator: ".").map(String.init)
      if parts.count == 1 {
        try lua.rawSet(.text(name), .function(function), of: script.language)
      } else if case .table(let library) = try scriptName(parts[0], of: script) {
        try lua.rawSet(.text(parts[1]), .function(function), of: library)
      }
    }
  }
}

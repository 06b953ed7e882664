import CLua

// What a test has instead of what is outside of the host: functions of its own, which every script of its host finds.

extension ScriptEngine {
  /// What of the language takes a grant, what tells the time of the machine, and what chance begins with.
  static let outerCalls = [
    "fs.read", "fs.list", "fs.stat", "fs.write", "fs.make", "fs.remove", "fs.rename", "exec", "open", "notify",
    "clipboard.get", "clipboard.set", "env", "os.time", "os.date", "os.clock", chance,
  ]

  /// Has an owner's scripts find what stands in for what is granted.
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

import CLua

// What a test has instead of what is outside of the host: functions of its own, which every script of its host finds.

extension ScriptEngine {
  /// What of the language takes a grant, and what tells the time of the machine.
  static let outerCalls = [
    "fs.read", "fs.list", "fs.stat", "fs.write", "fs.make", "fs.remove", "fs.rename", "exec", "open", "notify",
    "clipboard.get", "clipboard.set", "env", "os.time", "os.date", "os.clock",
  ]

  /// Has an owner's scripts find what stands in for what is granted.
  func standIn(for script: ScriptOwner) throws {
    for (name, function) in standIns {
      let parts = name.split(separator: ".").map(String.init)
      if parts.count == 1 {
        try lua.rawSet(.text(name), .function(function), of: script.language)
      } else if case .table(let library) = try scriptName(parts[0], of: script) {
        try lua.rawSet(.text(parts[1]), .function(function), of: library)
      }
    }
  }
}

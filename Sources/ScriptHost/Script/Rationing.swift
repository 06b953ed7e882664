import CLua

extension ScriptEngine {
  /// Writes a line of an owner's scripts, if its ration allows that; else reports once that lines are left out.
  func ration(_ line: String, of script: ScriptOwner, write: () -> Void) {
    let all = host.limits.output
    let dispatcher = dispatcher
    switch script.ration.take(
      line.utf8.count + 1, of: all, in: clua_turns(lua.L), goesOn: dispatcher.state.value.resumed != nil,
      at: dispatcher.scheduler.now)
    {
    case .given: write()
    case .refused(first: false): break
    case .refused(first: true):
      let name = script.owner.name
      report(
        Diagnostic(
          .warning, "output",
          "'\(name)' wrote \(all) bytes in one go: what it prints and logs from there on is left out until it is called again",
          place: place(lua.place(level: 1, on: lua.L))))
    }
  }
}

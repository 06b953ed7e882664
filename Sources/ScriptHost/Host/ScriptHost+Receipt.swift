extension ScriptHost {
  /// What an owner has in this host, by kind.
  func receipt(of owner: Owner) -> Receipt {
    let all = Array(chain.responders.values)
    var behaviours = all.flatMap { $0.layers.filter { $0.owner === owner } }
    behaviours += chain.classes.filter { $0.owner === owner }.map(\.behaviour)
    let waiting = dispatcher.scheduler.jobs.filter { $0.memory.value.subject.owner === owner }
    let own = all.filter { $0.owner === owner && $0 !== chain.app }
    return Receipt([
      "responders": own.count { $0.kind == .responder },
      "windows": own.count { $0.kind == .window },
      "classes": chain.classes.count { $0.owner === owner },
      "handlers": behaviours.reduce(0) { $0 + $1.handlerCount },
      "keys": behaviours.reduce(0) { $0 + $1.keys.count },
      "menus": menuTrees.declarations.filter { $0.owner === owner }.reduce(0) { $0 + $1.elements.count },
      "observers": dispatcher.observers.count { $0.owner === owner },
      "listeners": listeners.values.joined().count { $0.owner === owner },
      "sessions": chain.sessions.count { $0.owner === owner },
      "jobs": waiting.count { !($0 is Timing) },
      "timers": waiting.count { $0 is Timing },
      "undo": all.reduce(0) { $0 + ($1.undoStack?.count { $0.owner === owner } ?? 0) },
    ])
  }
}

extension Behaviour {
  /// How many functions and conditions it holds.
  fileprivate var handlerCount: Int {
    let hooks = [
      provide != nil, resolve != nil, unknown != nil, failed != nil, redirect != nil, claims != nil,
      acceptsFocus != nil, become != nil, resign != nil, start != nil,
    ]
    return on.count + can.count + look.count + needs.count + takes.count + confirm.count + about.count + build.count
      + hooks.count { $0 }
  }
}

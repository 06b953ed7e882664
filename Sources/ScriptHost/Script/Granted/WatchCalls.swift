import CLua
import CScript

// watch: calls a function after changes at or below a granted path.

extension ScriptEngine {
  static let watchNames: [ScriptName] = [ScriptName("watch") { try $0.watch($1, $2) }]

  /// The most watches of an owner. With too many folders, a refused watch takes some tenths of a second.
  private static let mostWatches = 16

  /// watch(path, fn)
  private func watch(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("'watch'")
    try owner.checkIsThere()
    let path = try call.text(0, "the path for watch")
    _ = try owner.wholePath(path)
    let function = try call.function(1, "the function of 'watch'")
    guard owner.watchCount < Self.mostWatches else {
      throw LuaMisuse("'\(owner.owner.name)' has \(Self.mostWatches) watches already, and that is the limit")
    }
    let handler = ScriptHandler(try withoutArguments(function), of: owner, engine: self)
    handler.isReentrant = true
    let place = place(call.place)
    let watching = Watching(dispatcher, handler, at: place) { [unowned self] in
      processes.contains { $0.status == nil }
    }
    // While a script loads, nothing is granted yet.
    if host.isLoading {
      watching.begin = { [unowned self, unowned owner] watching in
        do { try begin(watching, path, owner, at: call.place) } catch {
          watching.remove()
          report(Diagnostic(.error, "watch", "can't watch '\(path)': \(reason(error))", place: place))
        }
      }
      owner.newTimers.append(watching)
    } else {
      do { try begin(watching, path, owner, at: call.place) } catch let error as NotWatched {
        return .values([.nil, .text("\(path): \(error.reason)")])
      }
      watching.start()
    }
    owner.watchCount += 1
    let stop = watching.onRemove
    watching.onRemove = { [life = owner.life] in
      life.script?.watchCount -= 1
      stop?()
    }
    if clua_phase(lua.L) == CLUA_DOING.rawValue { dispatcher.undo.registerForFailure(TimingReversal(watching)) }
    return .values([try handle(Registration { [weak watching] in watching?.remove() })])
  }

  private func reason(_ error: any Error) -> String {
    switch error {
    case let error as NotWatched: error.reason
    case let error as Failure: error.message
    default: "\(error)"
    }
  }

  /// Watches a path, if the owner may read there. A replay watches nothing.
  private func begin(
    _ watching: Watching, _ path: String, _ owner: ScriptOwner, at place: LuaError.Place?
  ) throws {
    if case .given = host.outside { return }
    // The path is completed only now: only a script with a grant below `$PWD` learns which folder that is.
    let path = try owner.wholePath(path)
    guard let real = Grant.lead(path), owner.may(.readFiles, real) else {
      let wanted = "\(Capability.Kind.readFiles.rawValue)=\(path)"
      throw refusal(
        "watch is not granted to '\(owner.owner.name)' for '\(path)'", nil, wanted, at: place, owner: owner.owner.name)
    }
    let watched = try watches.add(real, of: owner.owner, for: watching)
    let other = watching.onRemove
    watching.onRemove = { [weak self] in
      other?()
      self?.endWatch(watched)
    }
    listenToChanges()
  }

  private func endWatch(_ watched: Watches.Watched) {
    watches.remove(watched)
    listenToChanges()
  }

  private func listenToChanges() {
    dispatcher.scheduler.changes = Scheduler.Changes(
      descriptor: watches.descriptor, isWanted: { [unowned self] in watches.isAnyUntold },
      { [unowned self] in watches.take() })
  }
}

import CLua

extension ScriptHost {
  /// Loads the app's script anew. All of it replaces the old script, or the old script goes on unchanged.
  ///
  /// Key, main and focused responders are restored by name, and `app.keep` is kept. Waiting actions are cancelled.
  public func reload(path: String) throws(LoadError) {
    try reload(bytes: try ScriptFile.read(path), name: path, folder: ScriptFile.folder(of: path))
  }

  /// Loads a new version of the app's script from text.
  public func reload(text: String, name: String) throws(LoadError) {
    try reload(bytes: Array(text.utf8), name: name)
  }

  /// Loads a new version of the app's script from unchecked bytes.
  public func reload(bytes: [UInt8], name: String, folder: String? = nil) throws(LoadError) {
    guard let old = scripts?.app else { return try load(bytes: bytes, name: name, folder: folder) }
    try replace(old) { [granted] engine, script in
      script.grant(granted, folder: folder)
      try engine.run(bytes, name: name, of: script, in: script.environment)
      try engine.checkWishes(of: script, path: name)
    }
  }

  /// Runs a body that loads the new version of a script. After a failure the old script goes on.
  func replace(_ old: ScriptOwner, _ body: (ScriptEngine, ScriptOwner) throws -> Void) throws(LoadError) {
    guard let engine = scripts else { return }
    try checkMayLoad()
    let owner = Owner(name: old.owner.name, number: old.owner.number)
    let focus = menuTrees.panes.kept
    let staging = Staging(self, replacing: old.owner, by: owner)
    isLoading = true
    let before = takeDiagnostics()
    // Messages that are reported once are repeated for a new version.
    let told = engine.told
    engine.told = []
    let script: ScriptOwner
    let inheritance: Inheritance
    do {
      script = try engine.addOwner(owner)
      inheritance = try Inheritance(engine, from: old, to: script)
      try body(engine, script)
    } catch {
      staging.giveUp()
      isLoading = false
      menuTrees.panes.restore(focus)
      remember(before)
      engine.told = told
      throw reloadFailed(loadError(error, owner))
    }
    let replaced: Replaced
    do {
      replaced = try staging.finish()
    } catch {
      isLoading = false
      menuTrees.panes.restore(focus)
      remember(before)
      engine.told = told
      throw reloadFailed(loadError(error, owner))
    }
    // Diagnostics about the old version's text don't apply to the new version.
    remember(before.filter { finding in finding.place.map { !old.sources.contains($0.file) } ?? true })
    engine.handOver(replaced, from: old)
    engine.letGoOfHistories(of: old)
    dispatcher.cancelStrays()
    inheritance.follow(in: script)
    isLoading = false
    finishLoading(of: owner)
    if !chain.focused.name.hasSameBytes(as: replaced.focused.name) {
      tell(.focus(new: chain.focused, old: replaced.focused))
    }
    menuTrees.panes.restore(focus)
    tell(.reload(ok: true))
    startLate(owner)
    engine.writeStores()
    endTurn()
  }

  private func reloadFailed(_ error: LoadError) -> LoadError {
    tell(.reload(ok: false))
    scripts?.writeStores()
    endTurn()
    return error
  }

  /// Throws while another script loads, and while the host asks.
  func checkMayLoad() throws(LoadError) {
    let misuse =
      isLoading
      ? Misuse(.notNow, "nothing can be loaded while another script loads")
      : dispatcher.whileAskingMisuse("a script can't be loaded")
    if let misuse { throw LoadError(kind: .failed, failure: Failure(.misuse, misuse.message)) }
  }
}

extension ScriptHost {
  /// The files that scripts loaded besides their own, or tried to load.
  package var scriptFiles: [String] { scripts?.files.sorted { $0.precedesByBytes($1) } ?? [] }

  /// Returns a line of a script as it was loaded, without its end.
  package func line(at place: Place) -> String? { scripts?.lua.sources[place.file]?.line(place.line) }

  /// Returns a file as the interpreter got it; nil if it was refused.
  package func text(ofFile file: String) -> [UInt8]? {
    guard let scripts, scripts.files.contains(file) else { return nil }
    return scripts.lua.sources[file]?.bytes
  }
}

extension ScriptEngine {
  /// The script of the app: the first that was loaded.
  var app: ScriptOwner? {
    owners.dropFirst().filter { $0.plugin == nil && !$0.isKeymap }.min { $0.owner.number < $1.owner.number }
  }

  /// Makes the tables of replaced responders in other owners' scripts refer to the new responders.
  func handOver(_ replaced: Replaced, from old: ScriptOwner) {
    for (gone, new) in replaced.pairs {
      guard let objects = gone.scriptObject as? ScriptObjects else { continue }
      self.objects(of: new).adopt(objects, except: old, for: new)
    }
  }
}

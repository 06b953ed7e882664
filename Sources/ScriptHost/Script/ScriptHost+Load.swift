import CLua
import Glibc

/// A script that could not be loaded.
public struct LoadError: Error, CustomStringConvertible {
  /// Whether it could be read at all.
  public enum Kind: Sendable, Equatable {
    /// There is no such file, or it can't be read.
    case unreadable(errno: Int32)
    case failed
  }

  /// Whether it could be read at all.
  public var kind: Kind
  /// What is wrong, and where.
  public var failure: Failure

  public var description: String { failure.description }
}

extension ScriptHost {
  /// Loads a script: all of it, or nothing.
  public func load(path: String) throws(LoadError) {
    try load(bytes: try ScriptFile.read(path), name: path)
  }

  /// Loads a script from text.
  public func load(text: String, name: String) throws(LoadError) {
    try load(bytes: Array(text.utf8), name: name)
  }

  /// Loads a script from bytes that nobody has looked at yet.
  public func load(bytes: [UInt8], name: String) throws(LoadError) {
    try load { engine, script in try engine.run(bytes, name: name, of: script, in: script.environment) }
  }

  /// Loads what a body runs for a new owner: all of it, or nothing.
  func load(_ body: (ScriptEngine, ScriptOwner) throws -> Void) throws(LoadError) {
    let owner = Owner(name: "app")
    let before = chain.arrangement
    var script: ScriptOwner?
    isLoading = true
    defer {
      isLoading = false
      endTurn()
    }
    do {
      let engine = try scriptEngine()
      let made = try engine.addOwner(owner)
      script = made
      try body(engine, made)
    } catch {
      removeAll(of: owner)
      chain.restore(before)
      script.map { scripts?.forget($0) }
      let failure = (error as? LuaError).map { scripts?.failure($0, owner: owner) ?? Failure(.script, $0.message) }
      throw LoadError(kind: .failed, failure: failure ?? Failure(.script, "\(error)"))
    }
    menuTrees.invalidate()
    for diagnostic in chain.strayRedirects(of: owner) + keyConflicts(of: owner) { report(diagnostic) }
  }

  /// The interpreter of this host.
  var scripts: ScriptEngine? { engine as? ScriptEngine }

  func scriptEngine() throws(LuaError) -> ScriptEngine {
    if let scripts { return scripts }
    let made = try ScriptEngine(host: self)
    engine = made
    dispatcher.engine = made
    dispatcher.makeContext = { [unowned made] in ScriptContext(engine: made) }
    return made
  }
}

extension ScriptEngine {
  /// Runs the chunk of a script, which declares; one may run within another of the same owner.
  func run(_ bytes: [UInt8], name: String, of script: ScriptOwner, in environment: LuaTable) throws {
    let before = script.isLoading
    script.isLoading = true
    defer { script.isLoading = before }
    let chunk = try lua.load(bytes: bytes, name: name, environment: environment)
    _ = try lua.within(host.limits.load) { try lua.call(chunk) }
  }
}

extension Chain {
  /// Redirections to names that nobody has: most likely one is misspelt.
  fileprivate func strayRedirects(of owner: Owner) -> [Diagnostic] {
    responders.values.sorted { $0.number < $1.number }.compactMap { responder in
      guard case .to(let name)? = responder.layers.first(where: { $0.owner === owner })?.redirect, find(name) == nil
      else { return nil }
      let near = nearest(to: name, among: responders.values.map(\.name)).first
      return Diagnostic(
        .warning, "stray-redirect", "'\(responder.name)' redirects to '\(name)', which is not there",
        place: responder.place, help: near.map { "did you mean '\($0)'?" })
    }
  }
}

/// Reads files of scripts.
enum ScriptFile {
  static func read(_ path: String) throws(LoadError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    // A script that is too long is refused later; its first bytes are enough to say so.
    while bytes.count <= 1 << 20 {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 { throw unreadable(path) }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  private static func unreadable(_ path: String) -> LoadError {
    let number = errno
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return LoadError(kind: .unreadable(errno: number), failure: Failure(.misuse, "can't read '\(path)': \(reason)"))
  }
}

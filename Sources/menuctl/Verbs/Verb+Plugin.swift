import ScriptHost

extension Verb {
  private enum Doing: String, CaseIterable {
    case list, info, check, forget
  }

  static let plugin: Verb = Verb(
    name: "plugin",
    operands: [
      Operand(name: "TASK", kind: .oneOf(Doing.allCases.map(\.rawValue))),
      Operand(name: "NAME", isOptional: true), Operand(name: "APP", isOptional: true, kind: .file),
    ],
    summary: "list plugins; info or check one, with the app that it is for; forget what it was granted",
    options: Option.loading
  ) { session in
    let operands = session.invocation.operands
    guard let doing = Doing(rawValue: operands[0]) else {
      let near = didYouMean(operands[0], among: Doing.allCases.map(\.rawValue))
      throw Problem(.usage, "'plugin' has no '\(operands[0])'\(near)", help: "usage: \(plugin.usage)")
    }
    if doing == .list {
      if operands.count > 1 { throw Problem(.usage, "'plugin list' lists all: '\(operands[1])' is too much") }
      try session.prepare(quietly: false)
      let unnamed = session.host.unnamedPlugins().map {
        Answer.Plugin(path: $0, manifest: nil, problem: "its name is not UTF-8")
      }
      let plugins = session.host.installedPlugins().map(session.plugin) + unnamed
      return Reply(answer: .plugins(plugins), status: plugins.allSatisfy { $0.problem == nil } ? .done : .no)
    }
    guard operands.count > 1 else { throw Problem(.usage, "NAME is missing", help: "usage: \(plugin.usage)") }
    if doing == .forget { return try forget(operands[1]) }
    try session.load(app: operands.count > 2 ? operands[2] : nil, plugin: operands[1])
    guard let loaded = session.host.plugins.last else { return Reply(status: .unloadable) }
    var answer = session.plugin(loaded.path)
    answer.holds = loaded.holds
    if doing == .info { return Reply(answer: .plugins([answer])) }
    if session.invocation.has(.json) { return Reply(answer: .plugins([answer])) }
    return Reply(answer: .text("\(loaded.manifest.name.visible) \(loaded.manifest.version) loads"))
  }

  private static func forget(_ name: String) throws -> Reply {
    guard try Consent.forget(name) else { throw Problem(.no, "nothing was granted to a plugin '\(name)'") }
    return Reply(answer: .text("what '\(name.visible)' was granted is forgotten"))
  }
}

extension Session {
  /// The plugins that are loaded, with what they have registered.
  var loadedPlugins: [Answer.Plugin] {
    host.plugins.map { loaded in
      Answer.Plugin(
        path: loaded.path, manifest: loaded.manifest, problem: loaded.trouble, isGranted: true, holds: loaded.holds)
    }
  }

  /// What there is to say of a plugin without running it.
  fileprivate func plugin(_ path: String) -> Answer.Plugin {
    do {
      let manifest = try host.manifest(path: path)
      let request = try host.consentRequest(path: path)
      let settings = (try? Settings.read()) ?? Settings()
      return Answer.Plugin(
        path: path, manifest: manifest, problem: nil,
        isGranted: request.capabilities.isEmpty || Consent.covers(settings, request))
    } catch {
      return Answer.Plugin(path: path, manifest: nil, problem: error.failure.description)
    }
  }

  /// Loads a plugin, after the app that it is for, if one is named, and with those that `--plugin` names.
  fileprivate func load(app: String?, plugin: String) throws {
    guard let app else {
      try prepare(quietly: false)
      do throws(Problem) {
        return try loadPlugins(invocation.values(.plugin) + [plugin])
      } catch {
        guard let manifest = try? host.manifest(path: plugin), manifest.isForAnApp else { throw error }
        let call = ["menuctl", "plugin", invocation.operands[0], plugin, "APP"].map(\.shellWord)
        throw error.helped("name its app: \(call.joined(separator: " "))")
      }
    }
    try load(app)
    try loadPlugins([plugin])
  }
}

extension Manifest {
  /// Whether it requires something beside the tool, which may be an app.
  fileprivate var isForAnApp: Bool { requires.contains { $0.name != "menuctl" } }
}

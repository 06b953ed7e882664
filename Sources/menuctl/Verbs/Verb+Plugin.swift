import LiveHost
import ScriptHost

private enum Doing: String, CaseIterable {
  case list, info, check, forget
}

extension Verb {
  static let plugin: Verb = Verb(
    name: "plugin",
    operands: [
      Operand(name: "TASK", kind: .oneOf(Doing.allCases.map(\.rawValue))),
      Operand(name: "NAME", isOptional: true, kind: .file), Operand(name: "APP", isOptional: true, kind: .file),
    ],
    summary: "list plugins; info or check one, with its app; forget its grants",
    options: Option.loading
  )
}

extension VerbBody {
  private static func forget(_ name: String) throws -> Reply {
    if try Consent.forget(name).isEmpty { throw Problem(.no, "no plugin and no app '\(name)' has grants") }
    return Reply(answer: .text("the grants of '\(name.visible)' are forgotten"))
  }

  static let plugin = VerbBody(.plugin) { session in
    let operands = session.invocation.operands
    guard let doing = Doing(rawValue: operands[0]) else {
      let near = meant(operands[0], among: Doing.allCases.map(\.rawValue))
      throw Problem(.usage, "'plugin' has no '\(operands[0])'\(near)", help: "usage: \(Verb.plugin.usage)")
    }
    if doing == .list {
      if operands.count > 1 {
        throw Problem(.usage, "'plugin list' lists all: '\(operands[1])' is one argument too many")
      }
      try session.prepare(quietly: false)
      let unnamed = session.host.unnamedPlugins().map {
        Shown.Plugin(path: $0, manifest: nil, problem: "its name is not UTF-8")
      }
      let plugins = session.host.installedPlugins().map(session.plugin) + unnamed
      let apps = Consent.remembered(in: try Settings.read(), .apps).map {
        Shown.GrantedApp(name: $0.name, path: $0.key, grants: $0.grants)
      }
      return Reply(
        answer: .plugins(plugins, apps: apps), status: plugins.allSatisfy { $0.problem == nil } ? .done : .no)
    }
    guard operands.count > 1 else { throw Problem(.usage, "NAME is missing", help: "usage: \(Verb.plugin.usage)") }
    if doing == .forget { return try forget(operands[1]) }
    let app = operands.count > 2 ? operands[2] : nil
    if doing == .info { return Reply(answer: .plugins([try session.look(at: operands[1], for: app)])) }
    try session.load(app: app, plugin: operands[1])
    guard let loaded = session.host.plugins.last else { return Reply(status: .unloadable) }
    if session.invocation.has(.json) { return Reply(answer: .plugins([session.plugin(loaded.path, holding: loaded)])) }
    return Reply(answer: .text("\(loaded.manifest.name.visible) \(loaded.manifest.version) loads"))
  }
}

extension Session {
  /// The loaded plugins, with their registrations.
  var loadedPlugins: [Shown.Plugin] {
    host.plugins.map { loaded in
      Shown.Plugin(path: loaded.path, manifest: loaded.manifest, problem: loaded.trouble, holds: loaded.holds)
    }
  }

  /// Returns the facts about a plugin, without running it.
  fileprivate func plugin(_ path: String) -> Shown.Plugin {
    do {
      return plugin(try host.consentRequest(path: path))
    } catch {
      return Shown.Plugin(path: path, manifest: nil, problem: error.failure.description)
    }
  }

  private func plugin(_ request: ConsentRequest) -> Shown.Plugin {
    let manifest: Manifest? = if case .plugin(let manifest) = request.asker { manifest } else { nil }
    let isRemembered = Consent.isRemembered(request)
    return Shown.Plugin(
      path: request.path, manifest: manifest, problem: nil,
      wishes: request.wishes.map { ($0, $0.isGranted || isRemembered) })
  }

  /// Returns the facts about a loaded plugin.
  fileprivate func plugin(_ path: String, holding loaded: PluginInfo) -> Shown.Plugin {
    var answer = plugin(path)
    answer.holds = loaded.holds
    return answer
  }

  /// Inspects a plugin without trusting it: reads its manifest, and loads it only if its requests are granted already.
  fileprivate func look(at name: String, for app: String?) throws -> Shown.Plugin {
    asksForConsent = false
    var answer: Shown.Plugin
    do throws(LoadError) {
      answer = plugin(try host.consentRequest(path: name))
    } catch {
      throw Problem(plugin: error)
    }
    answer.isWhole = true
    if !answer.isGranted {
      answer.unloaded = "its capabilities aren't granted yet"
    } else if app == nil, answer.manifest?.isForAnApp ?? false {
      answer.unloaded = "it needs its app: \(call(of: name))"
    } else {
      try load(app: app, plugin: name)
      answer.holds = host.plugins.last?.holds
    }
    return answer
  }

  /// Returns the command line that names a plugin together with its app, for help messages.
  private func call(of plugin: String) -> String {
    ["menuctl", "plugin", invocation.operands[0], plugin, "APP"].map(\.shellWord).joined(separator: " ")
  }

  /// Loads a plugin after its app, if any, and with the plugins of `--plugin`.
  fileprivate func load(app: String?, plugin: String) throws {
    guard let app else {
      try prepare(quietly: false)
      do throws(Problem) {
        return try loadPlugins(invocation.values(.plugin) + [plugin])
      } catch {
        guard let manifest = try? host.manifest(path: plugin), manifest.isForAnApp else { throw error }
        throw error.helped("name its app: \(call(of: plugin))")
      }
    }
    try load(app)
    try loadPlugins([plugin])
  }
}

extension Manifest {
  /// Whether it requires more than menuctl, such as an app.
  fileprivate var isForAnApp: Bool { requires.contains { $0.name != "menuctl" } }
}

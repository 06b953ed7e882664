import CLua
import Glibc

// The calls on `app` that load and unload plugins. Plugins get an error if they call them.

extension ScriptEngine {
  static let pluginCalls: [(name: String, body: HostCalls.Body)] = [
    ("plugins", { try $0.plugins($1) }),
    ("load_plugin", { try $0.loadPlugin($1) }),
    ("unload_plugin", { try $0.unloadPlugin($1) }),
    ("reload_plugin", { try $0.reloadPlugin($1) }),
  ]

  private func plugins(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "plugins")
    push(.list(host.plugins.map(\.value)), on: call.L)
    return .pushed(1)
  }

  /// Throws for plugins: only the app's script, and tests, may load and unload.
  func refusePlugins(_ what: String, _ owner: ScriptOwner) throws {
    guard let plugin = owner.plugin else { return }
    throw LuaMisuse("\(what) is only for the app, and '\(plugin.manifest.name)' is a plugin")
  }

  private func loadPlugin(_ call: LuaCall) throws -> LuaReturn {
    let owner = try changing(call, "load_plugin", "loading a plugin")
    let wanted = try call.text(1, "the path or the name of a plugin")
    let path = try pluginPath(wanted, for: owner, calledFrom: call.place?.source)
    do throws(LoadError) {
      try host.load(plugins: [path])
      return .values([true])
    } catch {
      return refusal(error, on: call.L)
    }
  }

  private func unloadPlugin(_ call: LuaCall) throws -> LuaReturn {
    _ = try changing(call, "unload_plugin", "unloading a plugin")
    let name = try call.text(1, "the name of a plugin")
    do throws(Misuse) {
      push(try host.unload(plugin: name).value, on: call.L)
      return .pushed(1)
    } catch {
      return .values([.nil, .text(error.message)])
    }
  }

  private func reloadPlugin(_ call: LuaCall) throws -> LuaReturn {
    _ = try changing(call, "reload_plugin", "reloading a plugin")
    let name = try call.text(1, "the name of a plugin")
    do throws(LoadError) {
      try host.reload(plugin: name)
      return .values([true])
    } catch {
      return refusal(error, on: call.L)
    }
  }

  private func changing(_ call: LuaCall, _ name: String, _ what: String) throws -> ScriptOwner {
    let (_, owner) = try receiver(call, name)
    try refusePlugins(what, owner)
    try refuseWhileAsking(what)
    try refuseWhileLoading(what)
    return owner
  }

  /// Returns false, and the errors as a list of tables in the form of errors.
  private func refusal(_ error: LoadError, on L: OpaquePointer) -> LuaReturn {
    clua_pushBool(L, false)
    clua_newTable(L, 1, 0)
    push(error.failure, on: L)
    clua_rawSetAt(L, -2, 1)
    return .pushed(2)
  }

  /// Returns the path of a plugin: relative to the script's file, or by its name in the plugin folders.
  private func pluginPath(_ wanted: String, for owner: ScriptOwner, calledFrom file: String?) throws -> String {
    if !wanted.utf8.contains(UInt8(ascii: "/")), !wanted.hasSuffix(".lua") {
      if let found = host.pluginPath(named: wanted) { return found }
      if host.pluginFolders.isEmpty {
        throw LuaMisuse("can't find the plugin '\(wanted)': no plugin folders are set; name one with --plugins DIR")
      }
      throw LuaMisuse("there is no plugin '\(wanted)' in \(host.pluginFolders.joined(separator: ", "))")
    }
    guard let folder = owner.folder else {
      throw LuaMisuse("can't find '\(wanted)': this script was not read from a file, so it has no folder")
    }
    let base = file.map(ScriptFile.folder) ?? folder
    let path = wanted.utf8.first == UInt8(ascii: "/") ? wanted : "\(base)/\(wanted)"
    guard let real = Grant.real(path) else { throw LuaMisuse("can't read '\(path)': \(systemMessage(errno))") }
    let folders = [folder] + host.pluginFolders
    guard folders.contains(where: { Grant(.init(.readFiles, $0), folder: nil, relativeTo: nil).covers(real) }) else {
      throw LuaMisuse("'\(wanted)' is outside of the app's folder and of the plugin folders")
    }
    return path
  }
}

extension Receipt {
  /// The receipt as a value for scripts.
  var value: Value { .object(counts.map { ($0.kind, .integer($0.count)) }) }
}

extension PluginInfo {
  /// The facts about a plugin for scripts.
  var value: Value {
    var members: [(key: String, value: Value)] = [
      ("name", .text(manifest.name)), ("version", .text("\(manifest.version)")), ("path", .text(path)),
      ("requires", .object(manifest.requires.map { ($0.name, .text($0.versions.description)) })),
      ("allow", .list(manifest.allow.map { .text("\($0)") })), ("holds", holds.value),
    ]
    if let summary = manifest.summary { members.append(("summary", .text(summary))) }
    if let trouble { members.append(("trouble", .text(trouble))) }
    return .object(members)
  }
}

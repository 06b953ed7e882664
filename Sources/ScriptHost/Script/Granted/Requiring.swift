import CLua
import Glibc

// require "x.y": runs a Lua file below the script's folder once. A test's subject has modules in its own folder.

extension ScriptEngine {
  func require(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("requiring a module")
    try script.checkIsThere()
    let name = try call.text(0, "the name of a module")
    let folder = moduleFolder(call, script)
    let key = if let folder, folder != script.folder { "\(folder)/\(name)" } else { name }
    if let known = script.modules[key] {
      clua_pushReference(call.L, known.id)
      return .pushed(1)
    }
    if let start = script.loadingModules.firstIndex(where: { $0.hasSameBytes(as: key) }) {
      let circle = (script.loadingModules[start...] + [key]).joined(separator: " → ")
      throw LuaMisuse("modules require each other in a circle: \(circle)")
    }
    guard script.loadingModules.count < 50 else { throw LuaMisuse("modules are nested more than 50 deep") }
    script.loadingModules.append(key)
    defer { script.loadingModules.removeLast() }
    let module = try readModule(name, in: folder, of: script)
    script.sources.insert(module.path)
    if let folder, folder != script.folder { script.moduleFolders[module.path] = folder }
    let chunk = try lua.load(
      bytes: module.bytes, name: module.path, environment: script.environment, owner: script.code)
    let value = try lua.call(chunk, .text(name)).first ?? .nil
    if case .nil = value { try lua.push(LuaValue.bool(true), on: call.L) } else { try lua.push(value, on: call.L) }
    script.modules[key] = lua.reference(copying: -1, on: call.L)
    return .pushed(1)
  }

  /// Returns the folder for modules of the calling file; nil for a script that was not read from a file.
  private func moduleFolder(_ call: LuaCall, _ script: ScriptOwner) -> String? {
    if script.moduleFolders.isEmpty { return script.folder }
    let caller = lua.place(level: 1, on: call.L, withText: false)?.source
    return caller.flatMap { script.moduleFolders[$0] } ?? script.folder
  }

  private func readModule(
    _ name: String, in folder: String?, of script: ScriptOwner
  ) throws -> (path: String, bytes: [UInt8]) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte == 45
        }
    }
    guard isName, name.utf8.count <= 256 else {
      throw LuaMisuse(
        "'\(name.cut(toBytes: 80))' can't be a module's name: use letters, digits, '_' and '-' between dots, as in "
          + "\"shapes.round\"")
    }
    guard let folder else {
      throw LuaMisuse("can't find '\(name)': this script was not read from a file, so it has no folder")
    }
    if let plugin = script.plugin, !plugin.hasFolder, !plugin.manifest.allow.isEmpty {
      throw LuaMisuse(
        "this plugin asks for capabilities and requires modules: make it a folder with plugin.lua")
    }
    let inside = "\(parts.joined(separator: "/")).lua"
    let path = folder == "." ? inside : "\(folder)/\(inside)"
    files.insert(path)
    guard let bytes = try ScriptFile.read(path, below: folder) else {
      throw LuaMisuse("there is no module '\(name)': can't read '\(path)': \(systemMessage(errno))")
    }
    if let known = script.plugin?.modules, known[inside] != Digest.of(bytes) {
      throw LuaMisuse("'\(path)' has changed since the plugin's capabilities were granted: reload the plugin")
    }
    return (path, bytes)
  }
}

extension ScriptFile {
  /// Returns the content of a file below a folder, links followed; nil if it can't be read.
  static func read(_ path: String, below folder: String) throws -> [UInt8]? {
    guard let root = Grant.real(folder) else { return nil }
    // The error doesn't reveal whether a file exists outside of the folder.
    guard let place = Grant.lead(path), place.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
      throw LuaMisuse("'\(path)' leads out of the script's own folder")
    }
    return OpenedFile(place).map { $0.read() ?? [] }
  }
}

import CLua
import Glibc

// The words that register tests: test, describe, before_each, skip, subject.

extension TestRun {
  /// Returns the words of tests, each with its function.
  func words() throws -> [String: LuaFunction] {
    let expect = try makeExpect()
    return [
      "test": function { run, call in try run.declareTest(call) },
      "describe": function { run, call in try run.describe(call) },
      "before_each": function { run, call in try run.beforeEach(call) },
      "skip": function { run, call in try run.skip(call) },
      "subject": function { run, call in try run.loadSubject(call) },
      "expect": expect,
    ]
  }

  /// Throws unless the file is being loaded.
  func refuseUnlessLoading(_ word: String) throws {
    if stage != .loading {
      throw LuaMisuse("call '\(word)' outside of tests: the host must know all tests before it runs one")
    }
  }

  private func name(_ call: LuaCall, of what: String) throws -> String {
    if case .function = try call[0] {
      let usage = what == "test" ? "test(\"…\", function(app) … end)" : "describe(\"…\", function() … end)"
      throw LuaMisuse("the name of a \(what) must be a string, not a function; write it first: \(usage)")
    }
    let name = try call.text(0, "the name of a \(what)")
    try engine.allowing { try Chain.checkName(name, of: what) }
    return name
  }

  private func place(of call: LuaCall) -> Place {
    engine.place(lua.place(level: 1, on: call.L, withText: false)) ?? Place(file: file, line: 1)
  }

  // MARK: Registering

  private func declareTest(_ call: LuaCall) throws -> LuaReturn {
    try refuseUnlessLoading("test")
    if isOther, clua_type(call.L, 1) == CLUA_TSTRING.rawValue, clua_type(call.L, 2) == CLUA_TFUNCTION.rawValue {
      count += 1
      return .nothing
    }
    let name = try name(call, of: "test")
    if call.count < 2 {
      throw LuaMisuse(
        "put the test's function into the same parentheses as its name: test(name, function(app) … end)")
    }
    try register(name, try call.function(1, "the function of a test"), at: place(of: call))
    return .nothing
  }

  private func describe(_ call: LuaCall) throws -> LuaReturn {
    try refuseUnlessLoading("describe")
    let name = try name(call, of: "group")
    let function = try call.function(1, "the function of 'describe'")
    guard scopes.count <= 16 else { throw LuaMisuse("groups are nested 16 deep at most") }
    scopes.append(Scope(ScriptTestGroup(name: name, lines: lines(of: function, calledAt: place(of: call)))))
    defer { scopes.removeLast() }
    try lua.call(function)
    return .nothing
  }

  private func beforeEach(_ call: LuaCall) throws -> LuaReturn {
    try refuseUnlessLoading("before_each")
    scopes[scopes.count - 1].beforeEach.append(try call.function(0, "the function of 'before_each'"))
    return .nothing
  }

  /// In a test, ends it. Outside, skips all later tests of its group or the file.
  private func skip(_ call: LuaCall) throws -> LuaReturn {
    let reason = try call.text(0, "the reason of 'skip'")
    if stage == .running { throw skip(reason) }
    if scopes[scopes.count - 1].skipReason == nil { scopes[scopes.count - 1].skipReason = reason }
    return .nothing
  }

  // MARK: The subject

  /// subject(path [, { plugins = {…}, stand_ins = {…} }])
  private func loadSubject(_ call: LuaCall) throws -> LuaReturn {
    try refuseUnlessLoading("subject")
    if scopes.count > 1 { throw LuaMisuse("call 'subject' outside of groups: it is for the whole file") }
    if let subject { throw LuaMisuse("there is a subject already (the other is at \(subject))") }
    let path = try call.text(0, "the path of a subject")
    if let options = try call.table(1, "the options of a subject") { try read(options) }
    subject = place(of: call)
    do {
      let found = try SubjectPath(path, beside: file, below: root)
      let bytes = try ScriptFile.read(found.path)
      // The subject requires its modules as it does without tests. The test file still requires its own.
      let folder = ScriptFile.folder(of: found.name)
      if folder != script.folder { script.moduleFolders[found.name] = folder }
      try engine.run(bytes, name: found.name, of: script, in: script.environment)
      measure(found.name)
    } catch {
      let reason: any Error = (error as? LoadError).map { LuaMisuse($0.failure.message) } ?? error
      subjectError = reason
      throw reason
    }
    return .nothing
  }

  private static let subjectFields = ["plugins", "stand_ins"]

  private func read(_ options: LuaTable) throws {
    try lua.forEach(in: options) { key, value in
      switch key {
      case .text("plugins"): try readPlugins(value)
      case .text("stand_ins"): try readStandIns(value)
      default:
        let named = if case .text(let name) = key { name } else { key.described }
        let near = nearest(to: named, among: Self.subjectFields).first.map { "; did you mean '\($0)'?" } ?? ""
        throw LuaMisuse("subject has no option '\(named)'\(near)")
      }
      return true
    }
  }

  private func readPlugins(_ value: LuaValue) throws {
    guard case .table(let plugins) = value else {
      throw LuaMisuse("plugins must be a list of paths, not \(value.described)")
    }
    var paths: [String] = []
    try lua.forEach(in: plugins) { _, value in
      guard case .text(let path) = value else { throw LuaMisuse("a plugin is a path, not \(value.described)") }
      paths.append(path)
      return true
    }
    try loadPlugins(paths)
  }

  private func readStandIns(_ value: LuaValue) throws {
    guard case .table(let functions) = value else {
      throw LuaMisuse("stand_ins must be a table of functions by the names that they replace, not \(value.described)")
    }
    try lua.forEach(in: functions) { key, value in
      let named = if case .text(let name) = key { name } else { key.described }
      guard ScriptEngine.outerCalls.contains(named) else {
        let near = nearest(to: named, among: ScriptEngine.outerCalls).first.map { "; did you mean '\($0)'?" } ?? ""
        throw LuaMisuse("'\(named)' is no granted function, so a stand-in can't replace it\(near)")
      }
      guard case .function(let function) = value else {
        throw LuaMisuse("the stand-in for '\(named)' must be a function, not \(value.described)")
      }
      engine.standIns[named] = function
      return true
    }
    engine.host.asksForGrants = false
    try engine.standIn(for: script)
  }

  /// Notes plugins that are loaded after the file, because a plugin builds on its app's declarations.
  private func loadPlugins(_ paths: [String]) throws {
    plugins = try paths.map {
      try SubjectPath($0, beside: file, below: root, calledIn: "plugin.lua", as: "a plugin").name
    }
  }
}

/// The subject of a test file, or a plugin for it: beside the file, in a folder there, or a script below the folder
/// where the tests run.
struct SubjectPath {
  /// The path for reading it.
  let path: String
  /// Its name in messages.
  let name: String

  /// Finds the script of a path. Links are followed, and their targets count.
  init(
    _ wanted: String, beside file: String, below root: String?, calledIn folder: String = "app.lua",
    as kind: String = "a subject"
  ) throws {
    let parts = wanted.split(separator: "/", omittingEmptySubsequences: false)
    let leadsUp = parts.contains("..")
    guard !wanted.isEmpty, !wanted.utf8.contains(0), parts[0] != "", root != nil || !leadsUp else {
      throw LuaMisuse("\(kind) must be beside its test file, as in \"photos.lua\", not at '\(wanted)'")
    }
    let around = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let prefix = file.contains("/") ? around + "/" : ""
    let base = prefix.isEmpty ? "." : prefix
    guard let home = Self.resolved(base) else { throw LuaMisuse("can't read '\(base)'") }
    var found = prefix + wanted
    if Self.isFolder(found) { found += wanted.utf8.last == UInt8(ascii: "/") ? folder : "/\(folder)" }
    let real = Self.resolved(found)
    let reason = errno
    if let real, Self.rest(of: real, below: home) != nil, !leadsUp {
      path = real
      name = found
      return
    }
    // A test file is a script. It may see only scripts below the folder where the person runs the tests.
    if let root, let real, real.hasSuffix(".lua"), let top = Self.resolved(root),
      let rest = Self.rest(of: real, below: top)
    {
      path = real
      name = root == "." ? rest : "\(root)/\(rest)"
      return
    }
    if leadsUp { throw LuaMisuse("'\(wanted)' leads out of the folder in which the tests run") }
    if real == nil { throw LuaMisuse(Self.missing(wanted, found, reason, in: base)) }
    throw LuaMisuse("\(kind) must be beside its test file, but '\(wanted)' leads out of its folder")
  }

  /// Returns the rest of a path below a folder; nil if it isn't below the folder.
  private static func rest(of path: String, below folder: String) -> String? {
    let start = folder == "/" ? folder : folder + "/"
    return path.utf8.starts(with: start.utf8)
      ? String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self) : nil
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func missing(_ wanted: String, _ path: String, _ number: Int32, in folder: String) -> String {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    let near = nearest(to: wanted, among: scripts(in: folder)).first.map { "; did you mean '\($0)'?" } ?? ""
    return "can't read '\(path)': \(reason)\(near)"
  }

  private static func scripts(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < 1000, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".lua") { names.append(name) }
    }
    return names
  }
}

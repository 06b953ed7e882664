import CLua
import CScript
import Glibc

// exec, env, clipboard, open, notify. The action sleeps until the program has ended, as in `sleep`.

extension ScriptEngine {
  func pushExec(of script: ScriptOwner) throws {
    try pushWaiting("exec", script) { [unowned self] in
      try startGranted($0, $1)
    } end: { [unowned self] in
      try executed($0)
    }
  }

  func pushOpen(of script: ScriptOwner) throws {
    try pushWaiting("open", script) { [unowned self] in
      try startOpening($0, $1)
    } end: { process in
      process.status == 0 ? .values([true]) : .values([.nil, .text("the system didn't open it: \(process.complaint)")])
    }
  }

  func pushNotify(of script: ScriptOwner) throws {
    try pushWaiting("notify", script) { [unowned self] in
      try startNotifying($0, $1)
    } end: { process in
      process.status == 0 ? .values([true]) : .values([.nil, .text("the system didn't show it: \(process.complaint)")])
    }
  }

  func pushClipboard(of script: ScriptOwner) throws {
    clua_newTable(lua.L, 0, 2)
    try pushWaiting("clipboard.get", script) { [unowned self] in
      try startClipboard($0, $1, sets: false)
    } end: { process in
      process.status == 0 ? .values([.of(process.out)]) : .values([.nil, .text(process.complaint)])
    }
    lua.setField("get", on: lua.L)
    try pushWaiting("clipboard.set", script) { [unowned self] in
      try startClipboard($0, $1, sets: true)
    } end: { process in
      process.status == 0 ? .values([true]) : .values([.nil, .text(process.complaint)])
    }
    lua.setField("set", on: lua.L)
  }

  /// Ends programs that nobody waits for any more. The waiting call retained the program, and is garbage now, so a
  /// collection ends it.
  func endPrograms() { if !started.isEmpty { lua.collect() } }

  func readVariable(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    let name = try call.text(0, "the name of a variable")
    try checkGranted(.env, name, "env", call.place, script)
    guard !name.utf8.contains(0), let value = getenv(name) else { return .values([.nil]) }
    return .values([.of(Array(UnsafeRawBufferPointer(start: value, count: strlen(value))))])
  }

  private func checkGranted(
    _ kind: Capability.Kind, _ subject: String?, _ name: String, _ place: LuaError.Place?, _ script: ScriptOwner
  ) throws {
    let isGranted = script.grants.contains { grant in
      grant.capability.kind == kind && (grant.capability.subject ?? "").hasSameBytes(as: subject ?? "")
    }
    if !isGranted { throw notGranted(name, subject, Capability(kind, subject), place, script) }
  }

  private func notGranted(
    _ name: String, _ subject: String?, _ capability: Capability, _ place: LuaError.Place?, _ script: ScriptOwner
  ) -> Failure {
    let what = subject.map { " for '\($0)'" } ?? ""
    return refusal(
      "\(name) is not granted to '\(script.owner.name)'\(what)", nil, capability.description, at: place,
      owner: script.owner.name)
  }

  // MARK: Waiting for a program

  /// Pushes a Lua function that starts a program, sleeps until it has ended, and returns the result of `end`.
  private func pushWaiting(
    _ name: String, _ script: ScriptOwner, start: @escaping (LuaCall, ScriptOwner) throws -> RunningProgram?,
    end: @escaping (RunningProgram) throws -> LuaReturn
  ) throws {
    if case .given(let give) = host.outside { return try pushGiven(name, give) }
    let begin = script.function(lua) { [unowned self] call, script in
      let returned = isReturned(call, level: Self.callerLevel) ? caller(call) : nil
      let noted = try noted(name, call)
      let process: RunningProgram
      do {
        guard let started = try start(call, script) else { throw NotStarted(reason: systemMessage(errno)) }
        process = started
      } catch let error as NotStarted {
        try noted?.end([.nil, .text(error.reason)])
        if let returned { warn(name, error.reason, returnedAt: returned) }
        return .values([.nil, .text(error.reason)])
      } catch {
        noted?.end(error)
        throw error
      }
      process.returned = returned
      process.noted = noted
      started.removeAll { $0.program == nil }
      started.append(StartedProgram(program: process))
      return .values([.object(process), process.tellsLines ? try lineTeller(call) : .nil])
    }
    let look = lua.function { [unowned self] call in
      guard case .object(let object) = try call[0], let process = object as? RunningProgram else { return .nothing }
      // A clock that doesn't advance by itself advances by the running time of the program.
      let waited = dispatcher.scheduler.clock is SystemClock ? nil : process.wait()
      guard process.look() else {
        if waited == nil, clua_phase(call.L) != CLUA_DRIVING.rawValue { awaitedProgram = process }
        return .values([false, .number(Double(waited ?? process.patience) / 1e9)])
      }
      started.removeAll { $0.program == nil || $0.program === process }
      switch try end(process) {
      case .values(let values):
        try process.endNoting(values)
        if let returned = process.returned, values.count > 1, case .nil = values[0], case .text(let why) = values[1] {
          warn(name, why, returnedAt: returned)
        }
        return .values([true] + values)
      case let other: return other
      }
    }
    // The line's function can't wait, because a Swift function is between it and the coroutine.
    let tell = lua.function { [unowned self] call in
      guard case .object(let object) = try call[0], let process = object as? RunningProgram,
        case .function(let line) = try call[1]
      else { return .nothing }
      let before = clua_tellLine(lua.L, true)
      defer { _ = clua_tellLine(lua.L, before) }
      do {
        while let next = process.nextLine() {
          try process.noted?.take(next)
          _ = try lua.call(line, .bytes(next.text), .bool(next.isError), .bool(next.replaces))
        }
      } catch {
        process.kill()
        throw error
      }
      return .nothing
    }
    let maker = try programWaiter ?? lua.load(own: Self.waiter, name: "program")
    programWaiter = maker
    pushSleep()
    let sleep = LuaFunction(reference: lua.takeReference())
    let made = try lua.call(maker, .function(begin), .function(look), .function(sleep), .function(tell))
    try lua.push(made.first ?? .nil, on: lua.L)
    clua_newWaiting(lua.L)
  }

  /// Returns true if the function `level` calls up is an action's function and returns the result of this call.
  func isReturned(_ call: LuaCall, level: Int32) -> Bool {
    clua_isAction(call.L, level) && lua.isCall(.returned, level: level, on: call.L)
  }

  /// Warns about an action that returns nil and a reason: it counts as handled, with no result.
  func warn(_ name: String, _ message: String, returnedAt place: LuaError.Place) {
    report(
      Diagnostic(
        .warning, "returned-failure", "an action ignores a failure and counts as handled: \(message)",
        place: self.place(place),
        help: "let the action fail with this reason: return assert(\(name)(…))"))
  }

  private static let waiter = """
    local begin, look, sleep, tell = ...
    local function answer(process, line, ended, ...)
      if line then tell(process, line) end
      if ended then return ... end
      sleep((...))
      return answer(process, line, look(process))
    end
    return function(...)
      local process, other = begin(...)
      if process == nil then return nil, other end
      return answer(process, other, look(process))
    end
    """

  /// The level of the script's function, seen from a Swift function inside a waiting function. The two levels between
  /// are the waiting function and its caller.
  private static let callerLevel: Int32 = 3

  /// Returns the place of the script's call of a waiting function.
  func caller(_ call: LuaCall) -> LuaError.Place? { lua.place(level: Self.callerLevel, on: call.L) }

  /// Throws if the caller can't wait for a program. The check comes before the start.
  private func checkWaiting(_ name: String, _ call: LuaCall) throws {
    if clua_phase(call.L) == CLUA_DRIVING.rawValue { return }
    if let reason = clua_whyNoWait(call.L).map({ String(cString: $0) }) {
      throw Failure(.misuse, "\(name) waits, and \(reason)", place: place(caller(call)))
    }
  }

  private func misuse(_ message: String, _ call: LuaCall) -> Failure {
    Failure(.misuse, message, place: place(caller(call)))
  }

  // MARK: Starting

  /// exec(program, { arguments } [, { env =, input =, folder =, line =, terminal = }])
  private func startGranted(_ call: LuaCall, _ script: ScriptOwner) throws -> RunningProgram? {
    guard case .text(let program) = try call[0] else {
      throw misuse("exec takes a program's name first, not \(try call[0].described)", call)
    }
    let granted = try grantedProgram(program, call, script)
    try checkWaiting("exec", call)
    var arguments = granted.arguments
    switch try call[1] {
    case .nil: break
    case .table(let table):
      for index in 0..<(try lua.rawCount(of: table)) {
        switch try lua.rawGet(.integer(index + 1), of: table) {
        case .text(let text) where !text.utf8.contains(0): arguments.append(text)
        case .integer(let number): arguments.append("\(number)")
        case .number(let number): arguments.append("\(number)")
        case let value:
          let what = "argument \(index + 1) of '\(program)'"
          throw misuse("\(what) must be a number or UTF-8 without NUL, not \(value.described)", call)
        }
      }
    case let value:
      let example = "exec(\"\(program.cut(toBytes: 40).visible)\", { … })"
      throw misuse("exec takes a list of arguments second, not \(value.described): \(example)", call)
    }
    let options = try programOptions(of: program, call, script)
    if let folder = options.folder, !ScriptFile.isFolder(folder) {
      throw NotStarted(reason: "'\(folder)' is no folder")
    }
    try checkWhole(granted, program, in: options.folder, call, script)
    let lease = options.hasTerminal ? TerminalLease(host.terminal) : nil
    if options.hasTerminal, lease == nil {
      throw NotStarted(reason: "'\(program)' needs a terminal, and there is none")
    }
    return RunningProgram(
      granted.path, arguments, options, lease: lease, for: script, within: outputLimit)
  }

  /// The most bytes that a program may write to each of its outputs.
  var mostWritten: Int { 8 * lua.limits.block }

  private var outputLimit: OutputLimit {
    OutputLimit(
      whole: mostWritten, end: lua.limits.block / 2, kept: dispatcher.kept, together: lua.limits.memory)
  }

  private static let programFields = ["env", "input", "folder", "line", "terminal"]

  /// Returns the options of a call of `exec`.
  private func programOptions(
    of program: String, _ call: LuaCall, _ script: ScriptOwner
  ) throws -> ProgramOptions {
    var options = ProgramOptions()
    let fields: LuaTable
    switch try call[2] {
    case .nil: return options
    case .table(let table): fields = table
    case let value: throw misuse("the options of exec must be a table, not \(value.described)", call)
    }
    try lua.forEach(in: fields) { key, value in
      func wrong(_ wanted: String) -> Failure {
        misuse("'\(key.fieldName)' of exec must be \(wanted), not \(value.described)", call)
      }
      switch (key, value) {
      case (.text("input"), .text(let text)): options.input = Array(text.utf8)
      case (.text("input"), .bytes(let bytes)): options.input = bytes
      case (.text("input"), _): throw wrong("a text")
      case (.text("env"), .table(let variables)): options.environment = try self.variables(variables, of: program, call)
      case (.text("env"), _): throw wrong("a table of variables")
      case (.text("folder"), .text(let path)):
        do { options.folder = try script.wholePath(path) } catch let error as LuaMisuse {
          throw misuse(error.message, call)
        }
      case (.text("folder"), _): throw wrong("a path")
      case (.text("line"), .function): options.tellsLines = true
      case (.text("line"), _): throw wrong("a function")
      case (.text("terminal"), .bool(let isWanted)): options.hasTerminal = isWanted
      case (.text("terminal"), _): throw wrong("true or false")
      default:
        let name = key.fieldName
        let meant = ForeignNames.programOptions[name] ?? nearest(to: name, among: Self.programFields).first
        throw misuse("exec has no option '\(name)'\(meant.map { "; did you mean '\($0)'?" } ?? "")", call)
      }
      return true
    }
    if options.hasTerminal, options.tellsLines || !options.input.isEmpty {
      throw misuse(
        "'terminal' can't be combined with 'input' or 'line': the program reads and writes the terminal itself", call)
    }
    return options
  }

  /// Returns the variables of `env`, in the order of their names.
  private func variables(
    _ table: LuaTable, of program: String, _ call: LuaCall
  ) throws -> [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = []
    var size = 0
    try lua.forEach(in: table) { key, value in
      guard case .text(let name) = key, ProgramVariable.isName(name) else {
        throw misuse(
          "'\(key.fieldName)' can't be a variable's name: use letters, digits and '_', and no digit first",
          call)
      }
      if ProgramVariable.choosesCode(name, for: program) {
        throw misuse(
          "'\(name)' can't be set for a program: the variable would run other code than the granted program", call)
      }
      let text: String
      switch value {
      case .text(let given) where !given.utf8.contains(0): text = given
      case .integer(let number): text = "\(number)"
      case .number(let number): text = "\(number)"
      default:
        throw misuse(
          "the variable '\(name)' must be a number or UTF-8 without NUL, not \(value.described)", call)
      }
      size += name.utf8.count + text.utf8.count
      guard variables.count < ProgramVariable.most, size <= ProgramVariable.mostBytes else {
        throw misuse(
          "'env' can have \(ProgramVariable.most) variables with \(ProgramVariable.mostBytes) bytes together", call)
      }
      variables.append((name, text))
      return true
    }
    return variables.sorted { $0.name < $1.name }
  }

  /// Returns the function that gets each line; nil if there is none.
  private func lineTeller(_ call: LuaCall) throws -> LuaValue {
    guard case .table(let options) = try call[2] else { return .nil }
    return try lua.rawGet("line", of: options)
  }

  /// A program that a script may run.
  private struct GrantedProgram {
    /// The path, with all links followed, or the name. The program runs under this path. Some programs depend on the
    /// name of the link that starts them. A relative path would depend on the working folder.
    let path: String
    /// The arguments before the script's.
    var arguments: [String] = []
    let grants: [Grant]
  }

  private func grantedProgram(_ program: String, _ call: LuaCall, _ script: ScriptOwner) throws -> GrantedProgram {
    let named = script.grants.filter { $0.capability == Capability(.exec, program) }
    if Capability(.exec, program).programVariable != nil { return try variableProgram(program, named, call, script) }
    guard program.utf8.contains(UInt8(ascii: "/")) else {
      if let blank = program.firstIndex(of: " "),
        !script.grants.contains(where: { $0.capability == Capability(.exec, program) })
      {
        let first = program[program.index(after: blank)...].prefix { $0 != " " }
        throw misuse(
          "exec takes the program and a list of arguments: exec(\"\(program[..<blank])\", { \"\(first)\" })", call)
      }
      try checkGranted(.exec, program, "exec", caller(call), script)
      return GrantedProgram(path: program, grants: named)
    }
    let path: String
    do { path = try script.wholePath(program) } catch let error as LuaMisuse { throw misuse(error.message, call) }
    guard let place = Grant.lead(path), script.may(.exec, place) else {
      throw notGranted("exec", program, Capability(.exec, path), caller(call), script)
    }
    return GrantedProgram(
      path: place, grants: script.grants.filter { $0.capability.kind == .exec && $0.covers(place) })
  }

  /// Returns the program that a variable names now: `exec("$EDITOR", …)`.
  private func variableProgram(
    _ variable: String, _ grants: [Grant], _ call: LuaCall, _ script: ScriptOwner
  ) throws -> GrantedProgram {
    try checkGranted(.exec, variable, "exec", caller(call), script)
    let words = ProgramVariable.words(of: variable)
    guard let first = words.first else { throw NotStarted(reason: "the variable \(variable.dropFirst()) is not set") }
    let rest = Array(words.dropFirst())
    guard first.utf8.contains(UInt8(ascii: "/")) else {
      return GrantedProgram(path: first, arguments: rest, grants: grants)
    }
    // With a relative path, another working folder would run another program.
    guard first.utf8.first == UInt8(ascii: "/"), let place = Grant.lead(first) else {
      throw NotStarted(reason: "'\(first)', from \(variable), is not an absolute path")
    }
    return GrantedProgram(path: place, arguments: rest, grants: grants)
  }

  /// Refuses a program that has changed since a person consented to it.
  private func checkWhole(
    _ granted: GrantedProgram, _ program: String, in folder: String?, _ call: LuaCall, _ script: ScriptOwner
  ) throws {
    if granted.grants.contains(where: { $0.isWhole(workingIn: folder) }) { return }
    throw Failure(
      .capability,
      "'\(program)' has changed since it was allowed, or another program starts it; reload the app to be asked again",
      place: place(caller(call)), owner: script.owner.name)
  }

  private func executed(_ process: RunningProgram) throws -> LuaReturn {
    defer { process.letGo() }
    if let excess = process.excess { return .values([.nil, .text(excess)]) }
    try lua.checkRoom(for: process.out.count + process.err.count)
    let table = lua.newTable()
    try lua.rawSet("status", .integer(process.status ?? 0), of: table)
    try lua.rawSet("out", .of(process.out), of: table)
    try lua.rawSet("err", .of(process.err), of: table)
    return .values([.table(table)])
  }

  /// open(url)
  private func startOpening(_ call: LuaCall, _ script: ScriptOwner) throws -> RunningProgram? {
    guard case .text(let url) = try call[0] else {
      throw misuse("open takes an address such as \"https://…\", not \(try call[0].described)", call)
    }
    try checkGranted(.open, nil, "open", caller(call), script)
    try checkWaiting("open", call)
    let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
    let isAddress =
      scheme.count < url.utf8.count && scheme.first.map { (97...122).contains($0 | 32) } ?? false
      && !url.utf8.contains { $0 < 0x21 || $0 == 0x7F }
    guard isAddress else {
      throw misuse("open takes an address with its scheme, as in \"https://…\", not '\(url)'", call)
    }
    return try start([["xdg-open", url]], for: script)
  }

  /// notify(title, text): through a program of the system.
  private func startNotifying(_ call: LuaCall, _ script: ScriptOwner) throws -> RunningProgram? {
    try checkGranted(.notify, nil, "notify", caller(call), script)
    try checkWaiting("notify", call)
    var texts: [String] = []
    for (index, what) in ["title", "text"].enumerated() {
      switch try call[index] {
      case .text(let text): texts.append(text.cut(toBytes: Self.longestNote))
      case .nil where index == 1: texts.append("")
      case let value: throw misuse("the \(what) of a notification must be a string, not \(value.described)", call)
      }
    }
    if texts[0].isEmpty { throw misuse("a notification needs a title: notify(\"Saved\")", call) }
    let app = host.text(ofAppField: "title") ?? host.text(ofAppField: "name") ?? "menuctl"
    let words = notification(texts[0], texts[1], from: app)
    return try start([["notify-send"] + words], for: script)
  }

  /// Returns the arguments for notify-send, which reads the text as markup, and before that as escapes.
  func notification(_ title: String, _ text: String, from sender: String) -> [String] {
    let words = [sender, title, text].map { $0.withoutControls(hasLines: true) }
    let plain = words[2].flatMap { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\\": "\\\\"
      default: String(character)
      }
    }
    return ["--app-name=\(words[0])", "--", words[1], String(plain)]
  }

  /// The most bytes of a title or a text: nobody reads more.
  private static let longestNote = 4096

  /// clipboard.get(), clipboard.set(text): through a program of the system.
  private func startClipboard(_ call: LuaCall, _ script: ScriptOwner, sets: Bool) throws -> RunningProgram? {
    let name = sets ? "clipboard.set" : "clipboard.get"
    try checkGranted(.clipboard, nil, name, caller(call), script)
    try checkWaiting(name, call)
    var input: [UInt8] = []
    if sets {
      guard clua_type(call.L, 1) == CLUA_TSTRING.rawValue else {
        throw misuse("clipboard.set takes a text, not \(try call[0].described)", call)
      }
      input = lua.bytes(at: 1, on: call.L)
    }
    let commands =
      getenv("WAYLAND_DISPLAY") != nil
      ? [sets ? ["wl-copy"] : ["wl-paste", "--no-newline"]]
      : sets
        ? [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
        : [["xclip", "-selection", "clipboard", "-o"], ["xsel", "--clipboard", "--output"]]
    return try start(commands, input: input, for: script)
  }

  /// Starts the first of several commands whose program exists. If none does, the error names all of them, since the
  /// script names none.
  private func start(_ commands: [[String]], input: [UInt8] = [], for script: ScriptOwner) throws -> RunningProgram {
    var reason: String?
    for command in commands {
      let process = RunningProgram(
        command[0], Array(command.dropFirst()), ProgramOptions(input: input), for: script, within: outputLimit)
      if let process { return process }
      if errno != ENOENT { reason = "'\(command[0])': \(systemMessage(errno))" }
    }
    if let reason { throw NotStarted(reason: reason) }
    let names = commands.map { "'\($0[0])'" }.joined(separator: " and ")
    throw NotStarted(reason: "no program can do it: looked for \(names)")
  }
}

extension RunningProgram {
  /// The program's own words about why it failed.
  fileprivate var complaint: String {
    let text = String(decoding: err, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    return text.isEmpty ? "it ended with status \(status ?? 0)" : text
  }
}

/// The reason not to start a program, if the system has no error for it.
private struct NotStarted: Error {
  let reason: String
}

extension LuaValue {
  /// The name of a field, for messages.
  fileprivate var fieldName: String { if case .text(let name) = self { name } else { described } }

  /// Returns the string of some bytes.
  static func of(_ bytes: [UInt8]) -> LuaValue {
    String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .bytes(bytes)
  }
}

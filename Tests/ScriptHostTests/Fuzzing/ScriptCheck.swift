import CLua
import Glibc

@testable import ScriptHost

/// Checks a host under any scripts; the tests and the fuzzer both use it.
///
/// The bytes give an app and a plugin, and the steps of a run. A second plugin works beside them.
/// When all is done and both are gone, it must be unchanged, and the host as if they had never been there.
struct ScriptCheck {
  /// Makes an action of the program remove a handler of the other plugin: the check must find this.
  var isPlanted = false

  /// Returns the fault for these bytes, or nil if there is none.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    do {
      let trial = try ScriptTrial(Choices(bytes), isPlanted: isPlanted)
      do {
        return try trial.fault().map { "\($0)\n\(trial.story)" }
      } catch {
        return "what must succeed failed: \(error)\n\(trial.story)"
      }
    } catch {
      return "what must succeed failed: \(error)"
    }
  }
}

/// An object of the program.
private final class Note {
  let text = "note"
  var count = 0
  /// The value that a script gave the program.
  var kept = Value.null
}

/// One run of a check.
final class ScriptTrial {
  let host: ScriptHost
  private var writer: ScriptWriter
  private var drawn = MenuElement(nothingOf: "root")
  private var jobs: [Job] = []
  /// The steps so far, to explain a fault.
  private(set) var story = ""
  private let before: Holdings
  /// The object that the program gives scripts.
  private let note = Note()
  /// How many of the host's objects the interpreter kept.
  private let objectsBefore: Int32
  /// The folder of the plugins.
  private let folder: String
  /// The most steps of a run.
  private static let steps = 24

  /// The state that must be the same again in the end.
  private struct Holdings: Equatable {
    let responders: [String]
    let classes: Int
    let observers: Int
    let listeners: Int
    let sessions: Int
    let jobs: Int
    let ofOther: Receipt
    let ofProgram: Receipt
    let hostDepth: Int32
    let top: Int32

    init(_ host: ScriptHost) throws {
      guard let lua = host.scripts?.lua, let other = host.find("canary") else { throw Misuse(.notNow, "no canary") }
      responders = host.responders.map(\.name).sorted()
      classes = host.chain.classes.count
      observers = host.dispatcher.observers.count
      listeners = host.listenerCount
      sessions = host.modalSessions.count
      jobs = host.jobs.count
      ofOther = host.receipt(of: other.owner)
      ofProgram = host.receipt(of: host.program)
      // The host holds the last menus until the next drawing, for the rows that a section may have to keep.
      _ = host.menus()
      // A removed object may have been the last to hold another, and so on.
      for _ in 0..<6 { lua.collect() }
      let counters = clua_counters(lua.L)
      hostDepth = counters.hostDepth
      top = clua_top(lua.L)
    }
  }

  init(_ choices: Choices, isPlanted: Bool) throws {
    writer = ScriptWriter(choices)
    folder = "/tmp/menuctl-fuzz-\(getpid())-\(UInt32.random(in: .min ... .max))"
    host = ScriptHost(
      limits: HostLimits(
        memory: 12 << 20, load: .milliseconds(2000, instructions: 300_000),
        perform: .milliseconds(1000, instructions: 60_000), test: .milliseconds(2000, instructions: 300_000)),
      clock: TestClock())
    mkdir(folder, 0o700)
    Self.write(Self.canary, to: "\(folder)/canary.lua")
    host.pluginFolders = [folder]
    Self.addProgram(to: host, note)
    try host.load(plugins: ["\(folder)/canary.lua"])
    try Self.makeFirsts(in: host)
    if let fault = try Self.faultOfFreshScript(in: host) { throw Misuse(.notNow, fault) }
    before = try Holdings(host)
    objectsBefore = host.scripts.map { clua_counters($0.lua.L).objects } ?? 0
    guard isPlanted, let canary = host.find("canary") else { return }
    host.on("c") { [unowned host] command in
      guard case .integer(3)? = command.arguments["k"] else { return }
      _ = host.chain.set(.on, "sing", nil, in: canary.layer(of: canary.owner), of: canary)
    }
  }

  /// Gives scripts functions and a type of the program, by the name `prog`.
  private static func addProgram(to host: ScriptHost, _ note: Note) {
    host.type(Note.self, name: "Note") { note in
      note.property("text", \.text)
      note.property("count", \.count, in: 0...9)
      note.method("twice", "number", reads: true) { (_: Note, number: Int) in number &* 2 }
    }
    host.function("prog.add", "one", "other", reads: true) { (one: Int, other: Double?) in Double(one) + (other ?? 1) }
    host.function("prog.words", "text", "times", reads: true) { (text: String, times: UInt8?) in
      [String](repeating: text, count: Int(times ?? 2))
    }
    host.function("prog.fail", "why") { (why: String) throws -> Int in throw Misuse(.notNow, "no: \(why)") }
    host.function("prog.keep", "value") { (value: Value) in note.kept = value }
    host.function("prog.kept", reads: true) { note.kept }
    host.function("prog.new", reads: true) { Note() }
    host.function("prog.note", reads: true) { note }
    host.function("prog.close", "note") { [unowned host] (note: Note) in host.close(note) }
    host.function("prog.do", "ref") { [unowned host] (reference: String) in "\(host.perform(reference).status)" }
    host.function("prog.later", "number") { (number: Int) async throws -> Int in number }
    host.function("prog.hold", needs: "prog.hold") { 7 }
  }

  /// Makes the interpreter create the values that it creates on first use, and keeps.
  private static func makeFirsts(in host: ScriptHost) throws {
    let engine = try host.scriptEngine()
    let kinds: [ObjectMetatables.Kind] =
      [.responder, .classes, .job, .failure] + ObjectTable.allCases.map { .table($0) }
    for kind in kinds { _ = engine.metatable(kind) }
    for calls in [engine.responderCalls, engine.appCalls, engine.windowCalls, engine.jobCalls] {
      for name in calls.names { _ = calls.function(name, of: engine) }
    }
    let calls = ScriptEngine.builderCalls.map { "m.\($0.name)" }.joined(separator: ", ")
    let text = """
      menubar { menu 'First' {} }
      function app.build:main(m) return \(calls) end
      for _, call in pairs(prog) do tostring(call) end
      return prog.new().twice
      """
    try host.load(text: text, name: "app.lua")
    _ = host.menus()
  }

  func fault() throws -> String? {
    begin()
    for _ in 0..<Self.steps {
      if let fault = step() ?? faultOfMenus() { return fault }
      if writer.choices.isOver { break }
    }
    return try faultOfEnd()
  }

  deinit {
    for name in ["canary", "fuzzed", "part"] { unlink("\(folder)/\(name).lua") }
    rmdir(folder)
  }

  private func begin() {
    writePlugin()
    _ = load { try host.reload(bytes: Array(script().utf8), name: "app.lua", folder: folder) }
  }

  private func script() -> String {
    let text = writer.script()
    story += "-- the app\n\(text)"
    return text
  }

  private func writePlugin() {
    let text = writer.script(plugin: "fuzzed")
    story += "-- the plugin\n\(text)"
    Self.write(text, to: "\(folder)/fuzzed.lua")
    let part = writer.module()
    story += "-- its part\n\(part)"
    Self.write(part, to: "\(folder)/part.lua")
  }

  private func reference() -> String {
    let text = writer.reference()
    story += "-- \(text)\n"
    return text
  }

  // MARK: Steps

  private func step() -> String? {
    let kind = writer.choices.below(22)
    story += "-- step \(kind)\n"
    switch kind {
    case 0...3: return fault(of: host.perform(reference(), options(), wait: writer.choices.isLikely(128)))
    case 4: return fault(of: host.press(writer.choices.one(of: ScriptWriter.strokes), confirmed: true))
    case 5:
      return fault(
        of: host.pick(
          writer.choices.one(of: ScriptWriter.ids), modifiers: writer.choices.isLikely(40) ? ["alt"] : [],
          confirmed: true))
    case 6: return fault(of: host.validate(reference(), options()))
    case 7: return fault(of: host.contextMenu(writer.choices.one(of: ["url", "k"]), subject: .text("s")))
    case 8: return explain()
    case 9: return load { try host.reload(bytes: Array(script().utf8), name: "app.lua", folder: folder) }
    case 10: return load { try host.load(plugins: ["\(folder)/fuzzed.lua"]) }
    case 11:
      writePlugin()
      return load { try host.reload(plugin: "fuzzed") }
    case 12: return refused { _ = try host.unload(plugin: "fuzzed") }
    case 13:
      let line = writer.line()
      story += "-- line: \(line)\n"
      do { try host.evaluate(line) } catch {
        return error.failure.message.isEmpty ? "a line fails without a word" : nil
      }
      return nil
    case 14: return refused { try host.advance(by: .milliseconds(400)) }
    case 15:
      return refused { try host.find(writer.choices.one(of: ScriptWriter.responders)).map { _ = try host.focus($0) } }
    case 16:
      try? host.enter(writer.choices.one(of: [.active, .background, .inactive]))
      return nil
    case 17: return host.openURLs(["u"]).lazy.compactMap(fault).first
    case 19: return fault(of: host.choose(writer.choices.one(of: ScriptWriter.ids)))
    case 20:
      return refused {
        for action in try host.actions() where !action.isEnabled && action.reason?.isEmpty ?? true {
          throw Misuse(.notNow, "")
        }
      }
    case 18: return refused { try host.openMenu(writer.choices.one(of: ScriptWriter.ids)).close() }
    default: return fault(of: writer.choices.isLikely(128) ? host.undo() : host.redo())
    }
  }

  private func options() -> PerformOptions {
    var options = PerformOptions()
    switch writer.choices.below(10) {
    case 0: options.to = host.find(writer.choices.one(of: ScriptWriter.responders))
    case 1: options.from = host.find(writer.choices.one(of: ScriptWriter.responders))
    case 2: options.skipValidation = true
    case 3: options.asks = true
    default: break
    }
    return options
  }

  private func explain() -> String? {
    let reference = reference()
    _ = try? host.why(reference)
    _ = try? host.chain(reference)
    _ = try? host.context(reference)
    _ = host.why(item: writer.choices.one(of: ScriptWriter.ids))
    _ = host.keys()
    _ = host.check()
    return nil
  }

  private func load(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      guard let error = error as? LoadError else { return "a load ends with \(error)" }
      return error.failure.message.isEmpty ? "a load fails without a word" : nil
    }
  }

  private func refused(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? Misuse)?.message.isEmpty ?? true ? "'\(error)' says nothing" : nil
    }
  }

  private func fault(of outcome: Outcome) -> String? {
    if let job = outcome.job, jobs.count < 20 { jobs.append(job) }
    switch outcome.status {
    case .disabled, .blocked: return outcome.reason?.isEmpty ?? true ? "\(outcome.status) without a reason" : nil
    case .failed: return outcome.error?.message.isEmpty ?? true ? "failed without an error" : nil
    default: return nil
    }
  }

  private func fault(of validation: Validation) -> String? {
    validation.isEnabled || validation.reason?.isEmpty == false ? nil : "disabled without a reason"
  }

  private func fault(of menu: MenuElement) -> String? { menu.faultOfIDs ?? menu.faultOfDrawing }

  private func faultOfMenus() -> String? {
    guard writer.choices.isLikely(128) else { return nil }
    let told = host.changes()
    guard let new = host.drawn else { return "nothing is drawn" }
    let said = drawn.applying(told)
    guard said == new else {
      return "what is told is not what changed (\(told.map(\.id))): \(said.difference(from: new))"
    }
    drawn = new
    return fault(of: new)
  }

  // MARK: Afterwards

  private func faultOfEnd() throws -> String? {
    for job in jobs { job.cancel() }
    jobs = []
    note.kept = .null
    try unloadPlugin()
    // The app's cleanup may load it again.
    try host.evaluate("app.keep = nil")
    try host.reload(text: "", name: "app.lua")
    try unloadPlugin()
    if let fault = try Self.faultOfFreshScript(in: host) { return fault }
    let after = try Holdings(host)
    guard after == before else { return "what is left is not what was:\n\(before)\n\(after)" }
    let more = (host.scripts.map { clua_counters($0.lua.L).objects } ?? 0) - objectsBefore
    return more <= 0 ? nil : "\(more) objects more are kept"
  }

  private func unloadPlugin() throws {
    if host.plugins.contains(where: { $0.manifest.name == "fuzzed" }) { try host.unload(plugin: "fuzzed") }
  }

  /// The fault of loading a script in place of the old one; afterwards it is gone.
  private static func faultOfFreshScript(in host: ScriptHost) throws -> String? {
    // A value that can't be kept prevents a reload.
    try host.evaluate("app.keep = nil")
    try host.reload(text: "function app.on:fresh(ctx) return ctx.k + 1 end", name: "app.lua")
    let fresh = host.perform("fresh(k: 1)")
    guard fresh.status == .handled, case .integer(2) = fresh.result else {
      return "a fresh script doesn't work: \(fresh)"
    }
    try host.reload(text: "", name: "app.lua")
    _ = host.takeDiagnostics()
    return faultOfSinging(in: host)
  }

  private static func faultOfSinging(in host: ScriptHost) -> String? {
    var options = PerformOptions()
    options.to = host.find("canary")
    let outcome = host.perform("sing", options)
    if outcome.status == .handled, case .text("tweet") = outcome.result { return nil }
    return "the canary is not itself: \(outcome)"
  }

  // MARK: Files

  private static func write(_ plugin: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(plugin, file)
    fclose(file)
  }

  private static let canary = """
    plugin { name = "canary", version = "1.0" }
    local me = responder "canary" { song = "tweet", works_when_modal = true }
    secret = { "mine" }
    local counted = 0
    me.keys = { ["ctrl+f12"] = "sing" }
    function me.on:sing(ctx)
      assert(self == me and self.song == "tweet", "its fields are others")
      assert(secret[1] == "mine" and #secret == 1 and counted == 0, "its globals are others")
      assert(string.rep("a", 3) == "aaa" and ("x"):upper() == "X" and math.type(1) == "integer" and #table.pack(1, 2) == 2, "the library is another")
      local looked = setmetatable({}, { __index = function(_, k) return k .. "!" end })
      assert(looked.a == "a!" and getmetatable("") == false or looked.a == "a!", "metatables are others")
      assert(not pcall(error, "x") and select("#", pcall(function() return 1, 2 end)) == 3, "errors are others")
      assert(coroutine.wrap(function(a) return a + coroutine.yield(1) end)(2) == 1, "coroutines are others")
      assert(rawget(_G or {}, "kept") == nil and app.on.sing == nil, "something leaked")
      return self.song
    end
    """
}

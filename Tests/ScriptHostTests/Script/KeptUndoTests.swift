import Expectations
import Testing

@testable import ScriptHost

@Suite("Kept histories")
struct KeptUndoTests {
  /// A storage in memory, which several hosts may share.
  private final class Shelf {
    var files: [HostStorage.Place: [UInt8]] = [:]
    var writes = 0
    var isBroken = false
    var isBusy = false
    var isLocked = false

    var storage: HostStorage {
      HostStorage(
        read: { [unowned self] in files[$0] },
        write: { [unowned self] place, bytes in
          if isBroken { throw LuaMisuse("the disk is full") }
          expect(isLocked)
          writes += 1
          files[place] = bytes
        },
        lock: { [unowned self] place in
          expect(place.plugin == nil && place.history == nil && !isLocked)
          if isBusy { return nil }
          isLocked = true
          return { [unowned self] in isLocked = false }
        })
    }

    var histories: [String] { files.keys.compactMap(\.history).sorted() }

    var text: String { files.first { $0.key.history != nil }.map { String(decoding: $0.value, as: UTF8.self) } ?? "" }

    /// Replaces the stored text of the only history.
    func put(_ text: String) { for place in files.keys { files[place] = Array(text.utf8) } }
  }

  private let shelf = Shelf()

  private static let script = """
    app.name = "notes"
    local main = window "main"
    notes = responder "notes" { next = main, undo = { levels = 10, keep = true } }
    focus(notes)
    app.keep.list = app.keep.list or {}
    local list = app.keep.list
    function notes.on:add(ctx)
      table.insert(list, ctx.word)
      ctx:undo("Add " .. ctx.word, "drop", { word = ctx.word })
    end
    function notes.on:drop(ctx)
      table.remove(list)
      ctx:undo("Drop", "add", { word = ctx.word })
    end
    function notes.on:fn(ctx) ctx:undo("Function", function() end) end
    function notes.on:set(ctx) ctx:set(list, "field", 1, "Field") end
    function notes.on:both(ctx) ctx:undo("Both", "drop", { word = "b" }) ctx:set(list, "field", 2) end
    function notes.on:near(ctx) app:perform("add(word: near)", nil, { to = "page" }) end
    function app.on:list() return table.concat(list, ",") end
    """

  private func host(_ script: String = Self.script, on storage: HostStorage? = nil) throws -> ScriptHost {
    let host = ScriptHost(clock: TestClock())
    host.storage = storage ?? shelf.storage
    try host.load(text: script, name: "app.lua")
    return host
  }

  private func history(_ host: ScriptHost) -> String {
    let history = host.undoHistory
    return "\(history.owner): \(history.undo.joined(separator: ",")) | \(history.redo.joined(separator: ","))"
  }

  private func told(_ host: ScriptHost) -> [String] { host.takeDiagnostics().map(\.message) }

  @Test("U13: A kept history returns when the app next runs, with its redo entries, and continues")
  func restart() throws {
    let one = try host()
    for word in ["a", "b", "c"] { one.perform("add(word: \(word))") }
    one.undo()
    expect(history(one), is: "notes: Add b,Add a | Add c")
    expect(shelf.histories, is: ["notes"])
    let two = try host()
    expect(history(two), is: "notes: Add b,Add a | Add c")
    expect(two.validate("undo").look.title, is: "Undo Add b")
    expect(two.redo().status, is: .handled)
    expect(two.perform("list").result.shownText, is: "c")
    expect(two.undo().status, is: .handled)
    expect(two.perform("list").result.shownText, is: "")
    two.perform("add(word: d)")
    expect(history(try host()), is: "notes: Add d,Add b,Add a | ")
  }

  @Test(
    "U13, A9: A recorded session reads and writes a kept history; a replay gets the recorded history and writes none")
  func recorded() throws {
    try self.host().perform("add(word: a)")
    var given: [Given] = []
    func host(_ outside: Outside) throws -> ScriptHost {
      let host = ScriptHost(clock: TestClock())
      host.outside = outside
      host.storage = shelf.storage
      try host.load(text: Self.script, name: "app.lua")
      return host
    }
    let recording = try host(.noted { given.append($0) })
    expect(history(recording), is: "notes: Add a | ")
    recording.perform("add(word: b)")
    expect(shelf.text.contains("Add b"))
    let text = shelf.text
    let replay = try host(.given { call, _ in given.first { $0.call == call } })
    expect(history(replay), is: "notes: Add a | ")
    replay.perform("add(word: c)")
    expect(shelf.text, is: text)
    expect(history(try host(.given { _, _ in nil })), is: "notes:  | ", "an older recording has none")
  }

  @Test("U13, E3: A kept history survives a reload too, without a storage; functions and older entries go")
  func reload() throws {
    let host = try host(on: HostStorage(read: { _ in nil }, write: { _, _ in }))
    host.storage = nil
    host.perform("add(word: a)")
    host.perform("fn")
    for word in ["b", "c"] { host.perform("add(word: \(word))") }
    expect(history(host), is: "notes: Add c,Add b,Function,Add a | ")
    for _ in 1...2 {
      try host.reload(text: Self.script, name: "app.lua")
      expect(history(host), is: "notes: Add c,Add b | ")
    }
    expect(host.undo().status, is: .handled)
    expect(host.perform("list").result.shownText, is: "a,b")
    #expect(throws: LoadError.self) { try host.reload(text: "error('no')", name: "app.lua") }
    expect(history(host), is: "notes: Add b | Add c")
  }

  @Test("U13, E3: The app's own history can be kept; a history that isn't kept is gone after a reload")
  func ofApp() throws {
    for (setting, after) in [("{ keep = true }", "app: Do | "), ("true", "app:  | ")] {
      let script = """
        app.name = "notes"
        app.undo = \(setting)
        function app.on:doit(ctx) ctx:undo("Do", "undoit") end
        function app.on:undoit(ctx) ctx:undo("Do", "doit") end
        """
      let host = try host(script)
      host.perform("doit")
      try host.reload(text: script, name: "app.lua")
      expect(history(host), is: after)
    }
  }

  @Test("U13: The newest entries are kept, down to the first entry that isn't an action")
  func functions() throws {
    for other in ["fn", "set", "both"] {
      let one = try host()
      for action in ["add(word: a)", other, "add(word: b)"] { one.perform(action) }
      expect(history(try host()), is: "notes: Add b | ")
      one.perform(other)
      expect(history(try host()), is: "notes:  | ")
    }
  }

  @Test("U13, A7: An entry with a secret is not kept, nor are older entries")
  func secrets() throws {
    let script =
      Self.script + """

        notes.takes.login = { password = { "string", secret = true }, by = { "string", optional = true } }
        function notes.on:login(ctx) ctx:undo("Login", "forget", { by = ctx.by, word = ctx.by and "x" .. ctx.password }) end
        notes.takes.relogin = { password = { "string", secret = true } }
        function notes.on:relogin(ctx) end
        function notes.on:kept(ctx) ctx:undo("Kept", "relogin", { password = "p" }) end
        function notes.on:titled(ctx) ctx:undo("Hello hunter2", "list") end
        """
    for secret in ["login(password: hunter2, by: me)", "kept", "titled"] {
      shelf.files = [:]
      let one = try host(script)
      one.perform("login(password: hunter2)")
      for action in ["add(word: a)", secret, "add(word: b)"] { one.perform(action) }
      expect(one.undoHistory.undo.count, is: 4, "\(secret)")
      expect(!shelf.text.contains("hunter2") && shelf.text.contains("Add b"), "\(shelf.text)")
      expect(history(try host(script)), is: "notes: Add b | ", "\(secret)")
    }
  }

  @Test("U13: A kept history has 256 KiB at most: the oldest entries are dropped, and levels hold too")
  func size() throws {
    let one = try host(Self.script.replacing("levels = 10", with: "levels = 100"))
    let word = String(repeating: "x", count: 20_000)
    for number in 1...20 { one.perform("add(word: \(number)\(word))") }
    expect(shelf.text.utf8.count <= 256 << 10)
    let two = try host(Self.script.replacing("levels = 10", with: "levels = 100"))
    expect((3...13).contains(two.undoHistory.undo.count), "\(two.undoHistory.undo.count)")
    expect(two.undoHistory.undo.first?.hasPrefix("Add 20x") ?? false)
    let three = try host(Self.script.replacing("levels = 10", with: "levels = 2"))
    expect(three.undoHistory.undo.count, is: 2)
  }

  @Test("U13, U9: An entry whose responder is missing is disabled, and stays until a responder of that name exists")
  func missing() throws {
    let script =
      Self.script + """

        function app.on:make()
          local page = responder "page" { next = notes }
          function page.on:write(ctx) ctx:undo("Write", "unwrite") end
          function page.on:unwrite(ctx) ctx:undo("Write", "write") end
        end
        function app.on:take() app:find("page"):remove() end
        function app.on:again()
          notes:remove()
          notes = responder "notes" { next = app:find("main"), undo = { keep = true } }
          focus(notes)
        end
        """
    let one = try host(script)
    one.perform("make")
    var options = PerformOptions()
    options.to = one.find("page")
    expect(one.perform("write", options).status, is: .handled)
    let reason = "'page' is missing, and only it handles 'unwrite'"
    for host in [one, try host(script)] {
      if host === one { host.perform("take") }
      expect(history(host), is: "notes: Write | ")
      expect(host.validate("undo").reason, is: reason)
      expect(host.undo().reason, is: reason)
      host.perform("make")
      expect(host.undo().status, is: .handled)
      expect(host.redo().status, is: .handled)
    }
    one.perform("again")
    expect(history(one), is: "notes: Write | ", "its history waits for a responder of that name")
  }

  @Test("U13: The entries of an owner that leaves stay in a kept history, disabled until its responder is back")
  func ownerGone() throws {
    let one = try host()
    let stage = try PluginStage([
      "pl.lua": """
      plugin { name = "pl", version = "1.0.0", requires = { notes = "*" } }
      local page = responder "page" { before = "notes" }
      function page.on:write(ctx) ctx:undo("Write", "unwrite") end
      function page.on:unwrite() end
      """
    ])
    try one.load(plugins: ["\(stage.path)/pl.lua"])
    one.perform("write")
    expect(history(one), is: "notes: Write | ")
    try one.unload(plugin: "pl")
    expect(history(one), is: "notes: Write | ")
    expect(one.undo().reason, is: "'page' is missing, and only it handles 'unwrite'")
    try one.load(plugins: ["\(stage.path)/pl.lua"])
    expect(one.undo().status, is: .handled)
  }

  @Test("U13: An entry with an object of a client is not kept: another client may use the object's number")
  func clientObject() throws {
    let script =
      Self.script + """

        function notes.on:hold(ctx) ctx:undo("Hold", "drop", { list = { { ["$"] = "object", id = 5 } } }) end
        function notes.on:drop() end
        """
    let one = try host(script)
    one.perform("add(word: a)")
    one.perform("hold")
    one.perform("add(word: b)")
    expect(history(one), is: "notes: Add b,Hold,Add a | ")
    expect(history(try host(script)), is: "notes: Add b | ")
  }

  @Test("U13: A kept history is written once, at the end of an action that changed it, under the lock of the stores")
  func writes() throws {
    let one = try host()
    expect(shelf.writes, is: 0)
    one.perform("add(word: a)")
    expect(shelf.writes, is: 1)
    one.perform("list")
    one.perform("fn")
    expect(shelf.writes, is: 2, "nothing can be kept any more")
    one.perform("fn")
    expect(shelf.writes, is: 2, "nothing has changed of what is kept")
    try expect(one.forgetUndo(), is: "Function")
    one.undo()
    one.undo()
    expect(history(try host()), is: "notes:  | Add a")
  }

  @Test("U13: A failure to write is reported once, also if another process holds the storage")
  func unwritten() throws {
    let one = try host()
    shelf.isBroken = true
    for word in ["a", "b"] { one.perform("add(word: \(word))") }
    expect(told(one), is: ["the undo history of 'notes' is not written: the disk is full"])
    (shelf.isBroken, shelf.isBusy) = (false, true)
    one.perform("add(word: c)")
    expect(
      told(one),
      is: [
        "the undo history of 'notes' is not written: another process uses the stored data of 'notes': end that process or try again"
      ])
    shelf.isBusy = false
    one.perform("add(word: d)")
    expect(told(one), is: [])
    expect(history(try host()), is: "notes: Add d,Add c,Add b,Add a | ")
  }

  @Test(
    "U13: A stored text that isn't a readable history is refused with a reason, and not overwritten",
    arguments: [
      ("{", "this is no JSON: the text ends too early, at column 2"), ("[]", "the file is no history of menuctl"),
      (#"{"a": 1}"#, "the file is no history of menuctl"),
      (#"{"menuctl_history": 2}"#, "another version of menuctl wrote it"),
      (#"{"menuctl_history": 1, "of": "other", "undo": [], "redo": []}"#, "it is the history of another responder"),
      (#"{"menuctl_history": 1, "of": "notes", "undo": []}"#, "a list of entries is missing"),
      (
        #"{"menuctl_history": 1, "of": "notes", "undo": [{"title": "a", "actions": []}], "redo": []}"#,
        "an entry has no title or no actions"
      ),
      (
        #"{"menuctl_history": 1, "of": "notes", "undo": [{"title": "a", "actions": [{"at": "x", "ref": "(", "args": {}}]}], "redo": []}"#,
        "an action of it can't be read"
      ),
    ])
  func unreadable(text: String, reason: String) throws {
    try host().perform("add(word: a)")
    shelf.put(text)
    let two = try host()
    let messages = told(two)
    expect(messages.count == 1 && messages[0].hasPrefix("the undo history of 'notes' can't be read: "))
    if text != "{" { expect(messages, is: ["the undo history of 'notes' can't be read: \(reason)"]) }
    two.perform("add(word: b)")
    expect(
      told(two),
      is: [
        "the undo history of 'notes' is not written: the stored file can't be read, so the host doesn't overwrite it"
      ])
    expect(shelf.text, is: text)
    expect(history(two), is: "notes: Add b | ", "the app goes on")
  }

  @Test("U13: Without an app name a history survives a reload only; 'keep' reads back, and a wrong value is an error")
  func settings() throws {
    let nameless = Self.script.replacing("app.name = \"notes\"", with: "")
    let one = try host(nameless)
    one.perform("add(word: a)")
    try one.reload(text: nameless, name: "app.lua")
    expect(history(one), is: "notes: Add a | ")
    expect(shelf.files.isEmpty)
    expect(history(try host(nameless)), is: "notes:  | ")
    let stage = try ScriptStage(
      """
      local r = responder "r" { undo = { keep = true } }
      print(r.undo.levels, r.undo.keep)
      r.undo = true
      print(r.undo)
      print(pcall(function() r.undo = { keep = 1 } end))
      print(pcall(function() r.undo = { kep = true } end))
      """)
    let lines = stage.takePrinted()
    expect(lines.prefix(2), is: ["100\ttrue", "true"])
    expect(lines[2].contains("'keep' must be a boolean, not a number"))
    expect(lines[3].contains("'undo' has no field 'kep'; did you mean 'keep'?"))
  }
}

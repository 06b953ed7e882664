import Glibc
import LiveHost
import ScriptHost

@testable import menuctl

/// Checks any bytes read as a recording. The tests and the fuzzer use it.
///
/// Bytes that begin with `{` are a recording, as JSON does. All others are choices for making one.
struct RecordingCheck {
  /// Writes a recording. A test replaces it with a wrong way, to see that the check finds a fault.
  var write: (Record, Arguments) throws -> String = { try RecordingText.text($0, of: nil, settings: $1) }

  /// Returns the fault that these bytes show, or nil.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var bytes = Array(bytes)
    if bytes.first != UInt8(ascii: "{") {
      var writer = RecordingWriter(bytes)
      bytes = Array(writer.text().utf8)
    }
    let file = Source(name: "session.jsonl", bytes: bytes)
    do throws(Problem) {
      return fault(of: try Recording(file))
    } catch {
      return fault(of: error, in: file)
    }
  }

  /// An unreadable recording must have a message, and a line that exists.
  private func fault(of problem: Problem, in file: Source) -> String? {
    guard case .script(let diagnostic) = problem.content, let place = diagnostic.place else {
      return "'\(problem.sentence)' has no place"
    }
    let lines = max(1, file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count)
    guard place.file == file.name, (1...lines).contains(place.line) else { return "the place \(place) is not there" }
    return diagnostic.message.isEmpty ? "an error says nothing" : nil
  }

  /// A recording made during a replay must replay equal, and record the same again.
  private func fault(of recording: Recording) -> String? {
    do {
      let first = try replay(recording)
      if !first.end.hasCome { return "the host is kept when its session is gone" }
      if recording.givesSecretsAsSuch, first.text.contains("xyzzy") {
        return "what is secret is recorded:\n\(first.text)"
      }
      if !recording.isRepeatable || first.text.contains("\"limit\"") { return nil }
      let again = try Recording(Source(name: "again.jsonl", bytes: Array(first.text.utf8)))
      let second = try replay(again)
      if let difference = second.replay.difference {
        return "step \(difference.number), '\(difference.deed.text)', differs: \(difference.differences)\n\(first.text)"
      }
      return second.text == first.text ? nil : "recorded:\n\(first.text)and then:\n\(second.text)"
    } catch let problem as Problem {
      return problem.sentence
    } catch {
      return "\(error)"
    }
  }

  /// Replays a recording on an app with some of everything. Returns the outcomes, and the new recording.
  private func replay(_ recording: Recording) throws -> (replay: Replay, text: String, end: End) {
    let session = try Session(
      Invocation(["replay", "session.jsonl", "--budget", "200000", "--memory", "16"]), output: Output(),
      interrupts: Self.interrupts)
    try session.useTestClock(settings: recording.settings)
    try session.prepare(quietly: true)
    // The function for sources would hold the host, which holds the output.
    session.output.textOfFile = { _ in nil }
    session.host.onPrint = nil
    session.host.onLog = nil
    let givens = session.give(from: recording)
    try session.host.load(text: Self.app, name: "app.lua")
    session.record.loaded()
    _ = session.host.start(wait: true)
    session.record.started()
    let replay = session.replay(recording, with: givens, file: "session.jsonl")
    let end = End()
    session.host.onDiagnostic = { [told = Told(end)] _ in _ = told }
    return (replay, try write(session.record, recording.settings), end)
  }

  /// Returns true if the host of a replay is released. A weak reference would look like a leak to the sanitizer.
  private final class End {
    fileprivate(set) var hasCome = false
  }

  /// An object that only a host holds.
  private final class Told {
    private let end: End

    init(_ end: End) { self.end = end }

    deinit { end.hasCome = true }
  }

  /// Made once, without blocking signals of the process that runs this.
  static let interrupts: Interrupts = {
    var mask = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    // Ignores the signal that wakes the watchdog.
    signal(Watchdog.signal) { _ in }
    return Interrupts()
  }()

  /// The app that recordings are made of and replayed on.
  static let app = """
    app.title, app.name = "Notes", "notes"
    local notes = { { text = "one", done = false }, { text = "two", done = true } }
    menubar {
      menu "File" { item "Add" { "add(text: new)", key = "ctrl+n" }, item "Close" { "close" }, separator,
        section "notes" { header = "Notes", items = function() return notes end, id = function(n) return "note " .. n.text end,
          row = function(n) return item(n.text) { "open", args = { text = n.text } } end, empty = "Nothing" } },
      menu "Edit" { item "Undo" { "undo", key = "ctrl+z" }, item "Redo" { "redo" },
        item "Clear" { "clear", confirm = "Sure?", key = "g c", alternates = { alt = item "Clear All" { "clear(all: true)" } } } },
      menu "View" { single = true, item "Short" { "show(as: short)", key = "1" }, item "Long" { "show(as: long)", key = "2" } },
    }
    local main = window "main"
    local list = responder "list" { next = main, undo = { levels = 3 } }
    local side = responder "side" { next = main, as = "short" }
    list.keys = { ["g g"] = "open(text: one)", ["ctrl+k"] = "nap(for: 2)", ["ctrl+l"] = { "begun", "rate", "close" } }
    function list:provide(ctx) ctx.note = self.open ctx:append("names", "list") end
    function list.on:add(ctx) ctx:set(notes, #notes + 1, { text = ctx.text, done = false }, "Add", { coalesce = "add" }) return #notes end
    function list.can:add(ctx) return #notes < 6, "there are enough" end
    function list.on:open(ctx)
      for _, note in ipairs(notes) do if note.text == ctx.text then self.open = note return note.text end end
      ctx:refuse("there is no such note, but " .. #notes)
    end
    list.needs.clear = { note = "open a note first" }
    function list.on:clear(ctx)
      local was, open = notes, self.open
      notes, self.open = {}, nil
      ctx:undo("Clear", function() notes, self.open = was, open end)
      return { ctx.all, #was }
    end
    function list.on:nap(ctx) progress(0.5, "half") sleep(tonumber(ctx["for"]) or 1) return app.phase end
    function list.on:ask(ctx)
      local date, why = exec("date", { ctx.how or "+%s" }, { line = function(line) self.heard = line end })
      return { date and date.out or why, self.heard, env("HOME"), os.time(), #(fs.list(".") or {}), self.ticks }
    end
    every(1.5, function() list.ticks = (list.ticks or 0) + 1 list.at = os.date("%H") end)
    list.takes.log_in = {
      user = { one_of = function(self, ctx) return { "ada", { "bob", "Bob" } } end, default = function() return "ada" end },
      pw = { "string", secret = true, from = 2 },
    }
    function list.confirm:log_in(ctx) return ctx.user == "bob" and "As Bob, with " .. ctx.pw .. "?" or nil end
    function list.on:log_in(ctx)
      ctx:set(self, "last", ctx.pw, "Log in with " .. ctx.pw)
      if ctx.user == "bob" then error("no " .. ctx.pw) end
      return { "in with " .. ctx.pw, #ctx.pw }
    end
    list.takes.rate = { n = { "integer", from = 0, to = 5 }, note = { "string", optional = true, matches = "^%a" } }
    function list.on:rate(ctx) ctx:set(self, "rating", ctx.n) return ctx.note end
    list.about.rate = { title = "Rate it", help = "From 0 to 5." }
    function list.on:preview(ctx) self.at = ctx.text return ctx.sender.id end
    list.takes.preview = { text = "string" }
    panel {
      label "Notes",
      section "rows" { current = "preview", items = function() return notes end, id = function(n) return "row " .. n.text end,
        row = function(n) return item(n.text) { "open", args = { text = n.text } } end },
      item "Log In" { "log_in(user: ada, pw: xyzzy)", current = "rate", state = false },
      item "Bob" { "log_in", args = { user = "bob", pw = "xyzzy" }, current = "log_in(user: bob, pw: xyzzy)", key = "p" },
    }
    function app:start() list.ticks = 0 sleep(0.5) list.on.begun = function() return os.time() end end
    function list.on:breaks(ctx) error("broken " .. type(ctx.why)) end
    function side:provide(ctx) ctx.shown = self.as end
    function side.on:show(ctx) self.as = ctx.as end
    function side.look:show(ctx) return { state = ctx.shown == ctx.as, subtitle = ctx.names and #ctx.names .. "" } end
    function main:redirect(action) if action == "show" then return side end end
    function main.on:close() return modal(side, { dismissable = true }) and "closing" end
    function app:unknown(ctx) return ctx.action .. "!" .. ctx.prefix end
    app.claims = { "anything" }
    focus(list)
    """
}

extension Recording {
  /// Returns true if secrets are given only where they are declared.
  fileprivate var givesSecretsAsSuch: Bool {
    func isClean(_ value: JSON) -> Bool { !JSONText.text(value).contains("xyzzy") }
    func isClean(_ arguments: Arguments) -> Bool {
      arguments.members.allSatisfy { $0.key == "pw" || isClean(JSON($0.value)) }
    }
    guard isClean(.list(given)), settings.members.allSatisfy({ isClean(JSON($0.value)) }) else { return false }
    return steps.allSatisfy { step in
      guard isClean(.list(step.given)), isClean(step.answered.arguments) else { return false }
      switch step.deed {
      case .perform(let text, let performing):
        guard let reference = try? Reference.parse(text), reference.name == "log_in" else {
          return isClean(step.deed.json(step.answered))
        }
        return isClean(Arguments(reference.arguments)) && isClean(performing.arguments)
      // Removing a responder removes its declarations.
      case .evaluate(let line, _): return RecordingWriter.lines.contains(line) && !line.contains("remove")
      default: return isClean(step.deed.json())
      }
    }
  }

  /// Returns true if no line of Lua may depend on values that differ in each run: time, addresses, Lua's order.
  fileprivate var isRepeatable: Bool {
    steps.allSatisfy { step in
      // A replay asks for the secret, and nobody answers.
      if case .perform(let text, _) = step.deed, text.contains("log_in") { return false }
      if step.answered.arguments.has("pw") { return false }
      guard case .evaluate(let line, _) = step.deed else { return true }
      return !["os", "string", "next", "pairs", "random", "collect", "format", "load", "print", "error"].contains {
        line.contains($0)
      }
    }
  }
}

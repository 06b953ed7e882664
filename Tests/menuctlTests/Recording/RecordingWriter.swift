/// Writes recordings from choices: valid lines, and some malformed ones.
struct RecordingWriter {
  private var choices: Choices

  init(_ bytes: some Sequence<UInt8>) { choices = Choices(bytes) }

  mutating func text() -> String {
    var text =
      "{\"menuctl\": 1, \"recording\": 1, \"settings\": {\(choices.one(of: ["", "\"n\": 2", "\"n\": [1, null]"]))}}\n"
    for _ in 0..<24 where !choices.isOver { text += line() + "\n" }
    return text
  }

  private mutating func line() -> String {
    let answered = choices.one(of: [
      "", "", ", \"confirmed\": \(choices.isLikely(128))", ", \"args\": {\"text\": \"given\"}",
      ", \"args\": {\"n\": \(choices.below(7)), \"pw\": \"xyzzy\"}", ", \"args\": {\"n\": 3}, \"confirmed\": true",
    ])
    let broken = choices.isLikely(6) ? choices.one(of: [", \"x\"", "}", ", \"status\": 1", ""]) : ""
    return "{\"do\": {\(deed())\(answered)}\(time())\(given())\(broken)}"
  }

  /// The time of a step. Sometimes it is before the step before.
  private mutating func time() -> String { choices.isLikely(60) ? ", \"at\": \(choices.below(40)).5" : "" }

  /// Recorded results: some that scripts ask for, some that they don't, and malformed ones.
  private mutating func given() -> String {
    guard choices.isLikely(90) else { return "" }
    let calls = (0...choices.below(4)).map { _ in
      let call = choices.one(of: [
        "\"exec\", \"args\": [\"date\", [\"+%s\"], {\"line\": {\"$\": \"function\"}}]", "\"exec\"",
        "\"env\", \"args\": [\"HOME\"]", "\"os.time\"", "\"os.date\", \"args\": [\"%H\"]",
        "\"fs.list\", \"args\": [\".\"]", "\"nothing\"",
      ])
      let gave = choices.one(of: [
        "\"gave\": [\"given\"]", "\"gave\": [{\"status\": 0, \"out\": {\"$\": \"ff00\"}, \"err\": \"\"}]",
        "\"gave\": []", "\"gave\": [null, \"no\"]", "\"gave\": [[\"a\", \"b\"]]", "\"gave\": [{\"$\": \"secret\"}]",
        "\"gave\": [\(choices.below(99))]", "\"raised\": {\"message\": \"not now\", \"code\": \"script\"}",
        "\"raised\": {\"message\": \"not granted\", \"code\": \"capability\"}", "\"took\": 1",
      ])
      let more = choices.one(of: [
        "", "", ", \"took\": \(choices.below(5))", ", \"took\": 0.25",
        ", \"lines\": [[\"one\", false], [\"two\", true]]",
        ", \"lines\": [1]",
      ])
      return "{\"call\": \(call), \(gave)\(more)}"
    }
    return ", \"given\": [\(calls.joined(separator: ", "))]"
  }

  private mutating func deed() -> String {
    switch choices.below(14) {
    case 12, 13: return "\"choose\": \"\(choices.one(of: Self.ids))\""
    case 0...4: return "\"perform\": \(reference())\(options())"
    case 5, 6: return "\"press\": \"\(choices.one(of: Self.keys))\""
    case 7, 8: return "\"pick\": \"\(choices.one(of: Self.ids))\""
    case 9: return "\"focus\": \"\(choices.one(of: Self.responders))\""
    default: return "\"eval\": \"\(choices.one(of: Self.lines))\""
    }
  }

  private mutating func reference() -> String {
    let name = choices.one(of: [
      "add", "ask", "open", "clear", "nap", "breaks", "show", "close", "undo", "redo", "anything", "x.open", "nobody",
      "undone", "log_in", "rate", "preview", "begun", "x.log_in",
    ])
    if name.hasSuffix("log_in") {
      let given = choices.one(of: ["", "(user: bob, pw: xyzzy)", "(pw: xyzzy)", "(user: eve, pw: xyzzy)", "(pw: x)"])
      return "\"\(name)\(given)\""
    }
    let arguments = choices.one(of: [
      "", "(text: one)", "(text: \(choices.below(9)))", "(as: long)", "(for: \(choices.below(4)))",
      "(all: true, text: [1, null])",
      "(skip_validation: true, text: two)", "(why: {a: 1.5})", "(n: \(choices.below(7)))", "(n: 3.0, note: x)",
    ])
    return "\"\(name)\(arguments)\""
  }

  private mutating func options() -> String {
    switch choices.below(8) {
    case 0: return ", \"from\": \"\(choices.one(of: Self.responders))\""
    case 1: return ", \"to\": \"\(choices.one(of: Self.responders))\""
    case 2:
      return ", \"args\": {\"text\": \(choices.one(of: ["\"two\"", "1", "null", "[{}]", "1e300", "\"\\u001b\""]))}"
    case 3: return ", \"skip_validation\": \(choices.one(of: ["true", "false"]))"
    default: return ""
    }
  }

  private static let responders = ["list", "side", "main", "app", "nobody"]
  private static let keys = [
    "ctrl+n", "ctrl+z", "g", "g g", "g c", "1", "2", "esc", "ctrl+k", "x", "alt+g alt+c", "p", "ctrl+l",
  ]
  private static let ids = [
    "File/Add", "File/Close", "Edit/Undo", "Edit/Redo", "Edit/Clear", "Edit/Clear All", "View/Short", "View/Long",
    "note one",
    "note 3", "nothing", "File", "row one", "row two", "Log In", "Bob", "Notes", "panel",
  ]
  static let lines = [
    "app:find('list').open", "app:undo()", "app:perform('add(text: lua)').status", "value = (value or 0) + 1",
    "value, _", "1 / 0, 0 / 0",
    "app:pick('Edit/Clear', nil)", "app:find('list').open = nil", "app:item('Edit/Clear').reason", "nothing()",
    "local x <const> = 1 return x",
    "sleep(1) return app.phase", "app:enter('active')", "modal(app:find('side'))", "app:find('list'):remove()",
    "function app.on:nobody() return 'now' end",
    "app:perform('nap(for: 3)', nil, { wait = false }).status", "#app:jobs()", "app.title = app.title .. '!'",
    "app:find('list').on.add = nil", "while true do end", "app:perform('log_in', { pw = 'xyzzy' }).result[1]",
    "app:find('list').last", "app:perform('rate').asks.arguments[1].key", "app:choose('Bob').status",
    "app:context('log_in(pw: xyzzy)').pw", "app:validate('log_in(user: eve, pw: xyzzy)').reason", "#app:actions()",
    "app:panel().children[1].title",
  ]
}

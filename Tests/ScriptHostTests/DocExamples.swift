import Expectations
import ScriptHost
import Testing

// The examples of doc comments, as they stand there; another test compares the two. Each prints what its comments say.

private final class Photo {
  var rating = 0
}

private func host(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  host.on("quit") { command in print("goodbye") }
  let canvas = try host.responder("canvas")
  canvas.on("zoom") { command in .number(try command.context["factor", as: Double.self] ?? 1) }
  try host.focus(canvas)
  print(host.perform("zoom(factor: 2)").result)  // number(2.0)
  print(host.perform("quit").status)  // goodbye, handled
}

private func editor(print: (Any) -> Void) throws {
  let host = ScriptHost()
  let selection: Photo? = nil
  let grid = try host.responder("grid")
  grid.provide { context in
    if let selection { context["photo"] = .opaque(selection) }
  }
  grid.can("rate") { command in command.context.has("photo") ? .yes : .no("select a photo first") }
  grid.on("rate") { command in
    try command.context["photo", as: Photo.self]?.rating = 5
  }
  try host.focus(grid)
  print(host.validate("rate").reason ?? "")  // select a photo first
}

private func context(print: (Any) -> Void) throws {
  let host = ScriptHost()
  let page = try host.responder("page")
  page.provide { context in context["zoom"] = 1.5 }
  page.on("show") { command in
    let zoom = try command.context["zoom", as: Double.self] ?? 1
    let names = command.context.each("names").count
    return .text("\(names) at \(zoom)")
  }
  try host.focus(page)
  print(host.perform("show(names: [a, b])").result)  // text("2 at 1.5")
}

private func undo(print: (Any...) -> Void) throws {
  var zoom = 1.0
  func setZoom(_ factor: Double, in context: Context) throws {
    let old = zoom
    zoom = factor
    try context.undo("Zoom") { context in try setZoom(old, in: context) }
  }
  let host = ScriptHost()
  host.on("zoom") { command in
    try setZoom(try command.context["factor", as: Double.self] ?? 1, in: command.context)
  }
  host.perform("zoom(factor: 2)")
  print(zoom, host.undoHistory.undo)  // 2.0 ["Zoom"]
  host.undo()
  print(zoom, host.undoHistory.redo)  // 1.0 ["Zoom"]
  host.redo()
  print(zoom)  // 2.0
}

private func job(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost(clock: TestClock())
  try host.load(text: "function app.on:nap() sleep(2) return 'rested' end", name: "nap.lua")
  let outcome = host.perform("nap")
  print(outcome.status)  // running
  outcome.job?.onEnd { print($0.result) }
  try host.advance(by: .seconds(2))  // text("rested")
}

private func functions(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  host.function("words.repeated", "word", "times", reads: true) { (word: String, times: Int?) in
    String(repeating: word, count: times ?? 2)
  }
  host.onPrint = { print($0) }
  try host.load(text: "print(words.repeated('ha'), words.repeated { word = 'ho', times = 3 })", name: "laugh.lua")
}

private func types() {
  let host = ScriptHost()
  host.type(Photo.self, name: "Photo") { photo in
    photo.property("rating", \.rating, in: 0...5)
    photo.method("reset") { $0.rating = 0 }
  }
}

private func reference(print: (Any) -> Void) throws {
  let reference = try Reference.parse("image.export(format: jpeg)")
  print(reference.name)  // export
  print(reference.prefix)  // image
  print(reference.arguments?["format"] == .text("jpeg"))  // true
}

private func referenceError(print: (Any) -> Void) {
  do {
    _ = try Reference.parse("a(")
  } catch {
    print(error.message)  // expected a key or ')' but the reference ends
    print(error.column)  // 3
  }
}

private func literal(print: (Any) -> Void) throws {
  let reference = try Reference.parse("export(format: jpeg, sizes: [640, 0.5])")
  print(reference.arguments?["format"] == .text("jpeg"))  // true
  print(reference.arguments?["sizes"] == .list([.integer(640), .number(0.5)]))  // true
}

private func keys(print: (Any) -> Void) throws {
  let keys = try KeySequence.parse("Shift+CTRL+K Escape")
  print(keys.text)  // ctrl+shift+k esc
  print(keys.strokes.count)  // 2
}

private func keyError(print: (Any) -> Void) {
  do {
    _ = try KeySequence.parse("g control+k")
  } catch {
    print(error.message)  // there is no modifier 'control'; did you mean 'ctrl'?
    print(error.column)  // 3
  }
}

private func modal(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  host.on("quit") { command in print("goodbye") }
  let panel = try host.responder("panel")
  panel.on("ok") { _ in print("ok") }
  let session = try host.modal(panel.responder)
  print(host.perform("quit").status)  // blocked
  print(host.perform("ok").status)  // ok, handled
  session.close()
}

private func bind(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  let grid = try host.responder("grid")
  grid.on("top") { _ in print("at the top") }
  try grid.bind("g g", to: "top")
  try host.focus(grid)
  print(host.press("g").status)  // pending
  print(host.press("g").status)  // at the top, handled
}

private func keymap(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: "function app.on:top() return 'at the top' end", name: "app.lua")
  try host.loadKeymap(text: #"return { app = { ["g g"] = "top" } }"#, name: "keys.lua")
  print(host.press("g g").result)  // text("at the top")
}

private func menus(print: (Any...) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: #"menubar { menu "File" { item "Quit" { "quit" } } }"#, name: "app.lua")
  for item in host.menus().children[0].children {
    print(item.title, item.isEnabled ? "" : item.reason ?? "")  // Quit there is no terminal UI and no session to end
  }
}

private func picking(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: #"menubar { menu "File" { item "Delete" { "delete", confirm = "Sure?" } } }"#, name: "app.lua")
  host.on("delete") { command in print("deleted") }
  let outcome = host.pick("File/Delete")
  print(outcome.asks?.confirm ?? "")  // Sure?
  print(host.pick("File/Delete", confirmed: true).status)  // deleted, handled
}

private func declaring(print: (Any) -> Void) throws {
  let host = ScriptHost()
  let grid = try host.responder("grid")
  grid.takes("rate", .integer("rating", in: 0...5, title: "Stars"))
  grid.takes("export", .oneOf("format", ["jpeg", "png"]).preset("jpeg"), .folder("to").optional())
  grid.on("rate") { command in .integer(try command.context["rating", as: Int.self] ?? 0) }
  grid.on("export") { command in command.arguments["format"] ?? .null }
  try host.focus(grid)
  print(host.perform("rate(rating: 9)").reason ?? "")  // 'rating' must be an integer from 0 to 5, not 9
  print(host.perform("rate").asks?.arguments.map(\.key) ?? [])  // ["rating"]
  print(host.perform("export").result)  // text("jpeg")
}

private func listing(print: (Any...) -> Void) throws {
  let host = ScriptHost()
  let grid = try host.responder("grid")
  grid.takes("rate", .integer("rating", in: 0...5))
  grid.about("rate", "Rate the photo")
  grid.on("rate") { command in command.arguments["rating"] ?? .null }
  try host.focus(grid)
  for action in try host.actions("rate") {
    print(action.title, action.takes.map(\.expected))  // Rate the photo ["an integer from 0 to 5"]
  }
}

private func form(print: (Any) -> Void) throws {
  let host = ScriptHost()
  let cities: [String: [AskedArgument.Choice]] = ["CH": [.init("Bern")], "FR": [.init("Lyon"), .init("Nice")]]
  let city = DeclaredArgument.oneOf("city") { cities[try $0.context["country", as: String.self] ?? ""] ?? [] }
  let trip = try host.responder("trip")
  trip.takes("book", .oneOf("country", ["CH", "FR"]).order(1), city.order(2))
  trip.on("book") { command in command.arguments["city"] ?? .null }
  try host.focus(trip)
  print(host.form("book").fields[1].expected)  // one of nothing: there are no choices now
  print(host.form("book", answers: ["country": "FR"]).fields[1].expected)  // one of 'Lyon', 'Nice'
  print(host.form("book", answers: ["country": "FR", "city": "Bern"]).validation.misfit?.argument ?? "")  // city
}

private func panel(print: (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: #"panel { item "Pier" { "open(n: 1)", current = "show" } }"#, name: "app.lua")
  host.on("show") { command in command.arguments["n"] ?? .null }
  print(host.panel()?.children.map(\.title) ?? [])  // ["Pier"]
  print(host.choose("Pier").result)  // integer(1)
}

private func claiming(print: (Any) -> Void) throws {
  let host = ScriptHost()
  let shell = try host.responder("shell")
  shell.unknown { command in .text("ran \(command.action)") }
  shell.claims { action -> Claim in action == "run" ? .disabled("nothing is open") : .no }
  try host.focus(shell)
  print(host.validate("run").reason ?? "")  // nothing is open
}

private func starting(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost(clock: TestClock())
  host.onPrint = { print($0) }
  try host.load(text: "function app:start(ctx) sleep(1) print('ready') end", name: "app.lua")
  print(host.start().map(\.status))  // [ScriptHost.Outcome.Status.running]
  try host.advance(by: .seconds(1))  // ready
}

private func lines(print: (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: "count = 1; function app.on:add() count = count + 1 end", name: "count.lua")
  try host.evaluate("app:perform('add')")
  print(try host.evaluate("count, count * 10"))  // [ScriptHost.Value.integer(2), ScriptHost.Value.integer(20)]
}

private func waitingLines(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost(clock: TestClock())
  try host.load(text: "function app.on:nap() sleep(2) return 'rested' end", name: "nap.lua")
  let line = try host.begin(line: "app:perform('nap').result")
  line.onEnd { _ in print((try? line.result?.get()) ?? []) }
  try host.advance(by: .seconds(2))  // [ScriptHost.Value.text("rested")]
}

private func asking(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: "function app.on:bye() return ask { confirm = 'Leave?' } end", name: "bye.lua")
  host.onQuestion = { question in
    print(question.confirm ?? "")  // Leave?
    return (try? question.answer()) ?? false
  }
  print(host.perform("bye", wait: true).result)  // bool(true)
}

private func tracing(print: @escaping (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: "function app.on:add(ctx) return ctx.a + ctx.b end", name: "add.lua")
  host.onTrace = { trace in print(trace.text) }
  host.perform("add(a: 1, b: 2)")
  // app: perform add(a: 1, b: 2) → handled by app
  //   app: on add → takes it (add.lua:1)
  //   app: do add → done (add.lua:1)
}

private func check(print: (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(
    text: #"menubar { menu "Edit" { item "Copy" { "cpy" } } } function app.on:copy() end"#, name: "app.lua")
  for finding in host.check() {
    print(finding.code)  // unanswered-action, unnamed-handler
  }
}

private func limits(print: (Any) -> Void) throws {
  let host = ScriptHost(limits: HostLimits(memory: 16 << 20, perform: .milliseconds(200)))
  try host.load(text: "function app.on:spin() while true do end end", name: "spin.lua")
  print(host.perform("spin").error?.limit == .time)  // true
}

private func written(print: (Any) -> Void) throws {
  let host = ScriptHost()
  try host.load(text: #"menubar { menu "File" { item "Quit" { "quit", key = "ctrl+q" } } }"#, name: "app.lua")
  print(host.menus().json.contains(#""action": "quit", "args": {}, "key": "ctrl+q""#))  // true
}

private func scriptedTests(print: (Any) -> Void) throws {
  let script = "test('it doubles', function(app) expect(2 * 4):is(9) end)"
  let file = try ScriptTestFile(text: script, name: "double_test.lua")
  let result = file.run(file.tests[0])
  print(result.failures[0].failure)  // double_test.lua:1:48: expected 9, found 8
}

@Test("The examples of doc comments print what they say")
func docExamples() throws {
  var printed: [String] = []
  let print = { (value: Any) in printed.append("\(value)") }
  try host(print: print)
  try editor(print: print)
  try context(print: print)
  try undo { (values: Any...) in printed.append(values.map { "\($0)" }.joined(separator: " ")) }
  try job(print: print)
  try functions(print: print)
  types()
  try reference(print: print)
  referenceError(print: print)
  try literal(print: print)
  try keys(print: print)
  keyError(print: print)
  try modal(print: print)
  try bind(print: print)
  try keymap(print: print)
  try written(print: print)
  try menus { (values: Any...) in print(values.map { "\($0)" }.joined(separator: " ")) }
  try picking(print: print)
  try declaring(print: print)
  try listing { (values: Any...) in printed.append(values.map { "\($0)" }.joined(separator: " ")) }
  try panel(print: print)
  try form(print: print)
  try claiming(print: print)
  try starting(print: print)
  try lines(print: print)
  try waitingLines(print: print)
  try asking(print: print)
  try tracing(print: print)
  try check(print: print)
  try limits(print: print)
  colours { (values: Any...) in printed.append(values.map { "\($0)" }.joined(separator: " ")) }
  try scriptedTests(print: print)
  expect(
    printed,
    is: [
      "number(2.0)", "goodbye", "handled", "select a photo first", "text(\"2 at 1.5\")",
      "2.0 [\"Zoom\"]", "1.0 [\"Zoom\"]", "2.0", "running", "text(\"rested\")", "haha\thohoho", "export", "image",
      "true",
      "expected a key or ')' but the reference ends", "3", "true", "true", "ctrl+shift+k esc",
      "2", "there is no modifier 'control'; did you mean 'ctrl'?", "3", "blocked", "ok", "handled",
      "pending", "at the top", "handled", "text(\"at the top\")",
      "true",
      "Quit there is no terminal UI and no session to end", "Sure?", "deleted", "handled",
      "'rating' must be an integer from 0 to 5, not 9", "[\"rating\"]", "text(\"jpeg\")",
      "Rate the photo [\"an integer from 0 to 5\"]", "[\"Pier\"]", "integer(1)",
      "one of nothing: there are no choices now", "one of 'Lyon', 'Nice'", "city", "nothing is open",
      "[ScriptHost.Outcome.Status.running]", "ready",
      "[ScriptHost.Value.integer(2), ScriptHost.Value.integer(20)]",
      "[ScriptHost.Value.text(\"rested\")]",
      "Leave?", "bool(true)",
      "app: perform add(a: 1, b: 2) → handled by app\n  app: on add → takes it (add.lua:1)\n"
        + "  app: do add → done (add.lua:1)",
      "unanswered-action", "unnamed-handler",
      "true",
      "+ added bold green", "gone, kept",
      "double_test.lua:1:48: expected 9, found 8",
    ])
}

private func colours(print: (Any...) -> Void) {
  var reader = ANSIReader()
  let line = reader.read("\u{1B}[1;32m+ added\u{1B}[0m")
  print(line.text, line.spans[0].style.words)  // + added bold green
  print(StyledText(ansi: "\u{1B}[31mgone\u{1B}[m, \u{1B}]0;title\u{7}kept").text)  // gone, kept
}

import Expectations
import Testing

@testable import ScriptHost

@Suite("Lifetimes: removed objects are freed, and nothing uses a freed object")
struct LifetimeTests {
  /// Counts the closures that are alive, by an object that each of them holds.
  private final class Counter {
    var alive = 0
    func token() -> Token { Token(self) }
  }

  private final class Token {
    private let counter: Counter
    init(_ counter: Counter) {
      self.counter = counter
      counter.alive += 1
    }
    deinit { counter.alive -= 1 }
  }

  private let counter = Counter()

  /// Gives a responder every kind of handler, each holding a token.
  private func fill(_ editor: ResponderEditor) {
    let token = counter.token()
    func hold<Result>(_ result: Result) -> Result { withExtendedLifetime(token) { result } }
    editor.on("a") { _ -> Value in hold("done") }
    editor.can("a") { _ in hold(.yes) }
    editor.look("a") { _ in hold(Look()) }
    editor.provide { $0["k"] = hold("v") }
    editor.unknown { _ in hold(.null) }
    editor.resolve { _ in hold(false) }
    editor.redirect { _ in hold(nil) }
    editor.claims { _ in hold(false) }
    editor.failed { hold($0) }
  }

  @Test(
    "A host is freed with its scripts and all their declarations",
    arguments: ["scripts/files/app.lua", "scripts/editor/app.lua", "scripts/photos/app.lua", "scripts/tour.lua", ""])
  func scriptsGo(_ path: String) throws {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    weak var host: ScriptHost?
    weak var engine: ScriptEngine?
    do {
      let made = ScriptHost()
      made.granted = [try Capability.parse("fs.read"), try Capability.parse("fs.write")]
      if path.isEmpty {
        try made.load(
          text: """
            app.takes.x = {
              word = { "string", matches = "^a+$", proposal = function() return "aa" end },
              one = { one_of = function() return { "a" } end, when = function() return true end },
              n = { "integer", default = function() return 1 end },
            }
            function app.on:x(ctx) return ctx.word end
            app.keys.x = { "x", when = function() return true end }
            panel { pane "p" { filter = true, look = function() return {} end, item "I" { "x", can = function() return true end } },
              text "t" { of = "p", lines = function(ctx, add) add("a") sleep(1) end } }
            every(1, function() end)
            observe("*", function() end)
            listen("menu", function() end)
            """, name: "app.lua")
      } else {
        try made.load(path: "\(folder)/\(path)")
      }
      _ = made.snapshot()
      _ = made.perform("x(word: aa, one: a)")
      _ = made.perform("x(word: b, one: a)")
      _ = made.check()
      (host, engine) = (made, made.scripts)
    }
    expect(host == nil && engine == nil)
  }

  @Test("A host that goes frees everything: responders, handlers, walks, resolutions")
  func hostGoes() throws {
    weak var chain: Chain?
    weak var dispatcher: Dispatcher?
    weak var walk: Walk?
    do {
      let host = ScriptHost()
      (chain, dispatcher) = (host.chain, host.dispatcher)
      var next: Responder?
      for name in ["window", "grid", "cell"] {
        let editor = try name == "window" ? host.window(name) : host.responder(name, next: next)
        fill(editor)
        next = editor.responder
        try host.focus(editor)
        for reference in ["a", "b", "x.a(k: 1)"] {
          host.perform(reference)
          _ = host.validate(reference)
        }
      }
      host.observe { [counter] _ in _ = counter }
      walk = host.dispatcher.defaultWalk()
      expect(counter.alive, is: 3)
      expect(walk != nil)
    }
    expect(counter.alive, is: 0)
    expect(chain == nil && dispatcher == nil && walk == nil)
  }

  @Test("Responders, editors and registrations that outlive their host find nobody and do no harm")
  func outlive() throws {
    var host: ScriptHost? = ScriptHost()
    let window = try require(try host?.window("window"))
    let grid = try require(try host?.responder("grid", next: window.responder))
    let registrations = try [
      grid.on("a") { _ in }, grid.needs("a", []), require(host?.on("a") { _ in }), require(host?.observe { _ in }),
      require(host?.listen(.focus) { _ in }),
    ]
    host = nil
    expect(grid.responder.next == nil)
    expect(window.responder.delegate == nil)
    for registration in registrations { registration.remove() }
  }

  @Test("A removed window has no next, no first responder and no delegate")
  func removedWindow() throws {
    let host = ScriptHost()
    let window = try host.window("window").responder
    do {
      let cell = try host.responder("cell", next: window)
      try host.setDelegate(try host.responder("delegate").responder, of: window)
      try host.focus(cell)
      try host.remove(window)
      for name in ["cell", "delegate"] { try host.remove(try require(host.find(name))) }
    }
    expect(window.first == nil && window.next == nil && window.delegate == nil)
    let misuse = #expect(throws: Misuse.self) { try host.makeMain(window) }
    expect(misuse?.message, is: "'window' was removed: it can't be the main window")
    #expect(throws: Misuse.self) { try host.makeKey(window) }
  }

  @Test("Every call refuses a responder of another host")
  func anotherHost() throws {
    let host = ScriptHost()
    let mine = try host.window("mine").responder
    let other = ScriptHost()
    let theirs = try other.window("theirs").responder
    for change in [
      { try host.setNext(theirs, of: mine) }, { try host.setNext(mine, of: theirs) },
      { try host.setDelegate(theirs, of: mine) }, { try host.focus(theirs) }, { try host.remove(theirs) },
      { try host.makeKey(theirs) }, { try host.makeMain(theirs) }, { _ = try host.responder("new", next: theirs) },
    ] {
      let misuse = #expect(throws: Misuse.self) { try change() }
      expect(misuse?.message.hasPrefix("'theirs' is another host's: "), is: true)
    }
    expect(host.find("new") == nil, "what could not be made whole is not made")
    var options = PerformOptions()
    options.from = theirs
    expect(host.perform("a", options).error?.message, is: "'theirs' is another host's: it can't be asked")
  }

  @Test("Only a window can be key or main")
  func noWindow() throws {
    let host = ScriptHost()
    let grid = try host.responder("grid").responder
    #expect(throws: Misuse.self) { try host.makeKey(grid) }
    #expect(throws: Misuse.self) { try host.makeMain(host.app) }
  }

  @Test("100,000 performs that make and remove responders leave memory and the registry unchanged")
  func churn() throws {
    let host = ScriptHost()
    let window = try host.window("window")
    fill(window)
    let names = {
      (host.names.count, host.chain.responders.count, host.windows.count)
    }
    var before: (Int, Int, Int)?
    var peak = 0
    for round in 0..<10_000 {
      let editor = try host.responder("made \(round)", next: window.responder)
      fill(editor)
      try host.focus(editor)
      for _ in 0..<10 { expect(host.perform("a").status, is: .handled) }
      peak = max(peak, counter.alive)
      try host.remove(editor.responder)
      if before == nil { before = names() }
    }
    host.perform("a")
    expect(counter.alive, is: 1)
    expect(peak <= 3, "at most one that was removed is held, until the next walk is made")
    try expect(require(before) == names())
  }

  @Test("Each declared action adds a name to the host; an action that is only performed adds none")
  func names() throws {
    let host = ScriptHost()
    let grid = try host.responder("grid")
    grid.resolve { _ in false }
    try host.focus(grid)
    let own = host.names.count
    for number in 0..<10_000 { host.perform("asked\(number)") }
    expect(host.names.count, is: own)
    expect(grid.responder.resolved.count <= 4096)
    for number in 0..<10_000 { grid.on("declared\(number)") { _ in }.remove() }
    expect(host.names.count, is: own + 10_000)
    expect(grid.responder.layer(of: host.program).on.isEmpty)
  }

  @Test("In a chain of 10,000 responders the far end performs, and you can remove members")
  func longChain() throws {
    let host = ScriptHost()
    var next: Responder?
    for number in 0..<10_000 { next = try host.responder("r\(number)", next: next).responder }
    let near = try require(next)
    try host.focus(near)
    expect(host.chainNames.count, is: 10_001)
    let far = try require(host.find("r0"))
    host.edit(far).on("a") { _ in "far" }
    expect(host.perform("a").by, is: "r0")
    expect(host.validate("a").by, is: "r0")
    #expect(throws: Misuse.self) { try host.setNext(near, of: far) }
    for number in stride(from: 9_999, to: 1, by: -10) { try host.remove(try require(host.find("r\(number)"))) }
    expect(host.chainNames.count, is: 9_001)
    expect(host.perform("a").by, is: "r0")
  }

  @Test("10,000 redirections in a line lead to their end, and in a circle to a failure")
  func longRedirection() throws {
    let host = ScriptHost()
    let first = try host.responder("r0")
    first.on("a") { _ in "far" }
    var last = first
    for number in 1..<10_000 {
      let editor = try host.responder("r\(number)")
      editor.redirect(to: last.responder)
      last = editor
    }
    try host.focus(last)
    expect(host.perform("a").by, is: "r0")
    first.redirect(to: last.responder)
    expect(host.perform("b").error?.code, is: .circle)
  }

  @Test("Freeing a line of 100,000 classes doesn't recurse")
  func longClassLine() {
    let owner = Owner(name: "test")
    var last: ClassDefinition?
    for number in 0..<100_000 {
      last = ClassDefinition(name: "c\(number)", owner: owner, place: nil, ancestor: last)
    }
    expect(last?.name, is: "c99999")
    last = nil
  }
}

import Floor
import ScriptHost

// What a user would pick instead, doing the like of what the host does. Each has a program of ours in Benchmarks/Peers, which
// does a task so often and prints the nanoseconds of the processor that it took, then the sum of what was answered.

func peerRows(_ folder: String) -> [Row] {
  glibRows(folder) + neovimRows(folder) + emacsRows(folder) + processRows() + [findRow()]
}

// MARK: GLib

private func glibRows(_ folder: String) -> [Row] {
  let build = GActionBuild(folder)
  func run(_ task: String) throws -> (Int) throws -> String {
    let program = try build.program.get()
    return { count in try withExtendedLifetime(build) { try program.run([task, "\(count)"]) } }
  }
  return [
    peerRow("gaction", .glib, 100_000, answer: { $0 }, ours: { try native() }, theirs: { try run("activate") }),
    peerRow("gaction-text", .glib, 100_000, answer: { $0 }, ours: { try native() }, theirs: { try run("text") }),
    peerRow(
      "gaction-menu", .glib, 50, answer: { $0 * (items + 2) }, ours: { try nativeMenu() },
      theirs: { try run("query") }),
  ]
}

/// The program that uses GLib, compiled when it is first asked for.
private final class GActionBuild {
  private let source: String
  private var folder: TemporaryFolder?
  private(set) lazy var program = Swift.Result { try build() }

  init(_ folder: String) { source = "\(folder)/gaction.c" }

  private func build() throws -> Program {
    let folder = try TemporaryFolder("gaction")
    self.folder = folder
    let flags = try Peer.glib.program().run(["--cflags", "--libs", "gio-2.0"]).split(whereSeparator: \.isWhitespace)
    let file = folder.file("gaction")
    guard let compiler = Program("cc") ?? Program("clang") else { throw BenchError("there is no C compiler") }
    try compiler.run(["-O2", "-o", file, source] + flags.map(String.init))
    return Program(at: file)
  }
}

/// An action of the embedding program's, performed by the text of its reference.
private func native() throws -> Body {
  let host = ScriptHost()
  host.on("act") { command -> Value in command.arguments["n"] ?? .null }
  return { count in
    var sum = 0
    for _ in 0..<count {
      guard case .integer(let one) = host.perform("act(n: 1)").result else { return -1 }
      sum += one
    }
    return sum
  }
}

private let items = 1000

/// A menu whose items the embedding program is asked about: enabled, and one of them chosen.
private func nativeMenu() throws -> Body {
  let host = try patientHost(
    """
    local list = {}
    for n = 1, \(items) do list[n] = item("item " .. n) { "act(n: " .. n .. ")" } end
    menubar { menu "All" (list) }
    """)
  host.on("act") { _ in }
  host.can("act") { _ in .yes }
  host.look("act") { command in
    var look = Look()
    if case .integer(7)? = command.arguments["n"] { look.state = .on }
    return look
  }
  return menu(of: host)
}

/// Validates a menu to a snapshot; the sum of enabled + 2 × on.
private func menu(of host: ScriptHost) -> Body {
  { count in
    var sum = 0
    for _ in 0..<count { sum += host.menus().children[0].children.withUnsafeBufferPointer(sumOfStates) }
    return sum
  }
}

/// What items say of how they stand, read where they lie.
private func sumOfStates(_ items: UnsafeBufferPointer<MenuElement>) -> Int {
  var sum = 0
  for index in items.indices { sum += (items[index].isEnabled ? 1 : 0) + (items[index].state == .on ? 2 : 0) }
  return sum
}

// MARK: Neovim and Emacs

/// A menu whose items the embedding program is asked about, against GLib's, wherever that is installed.
func nativePassRows(_ folder: String) -> [Row] {
  let build = GActionBuild(folder)
  var row = peerRow(
    "native-pass", .glib, 50, answer: { $0 * (items + 2) }, ours: { try nativeMenu() },
    theirs: {
      let program = try build.program.get()
      return { count in try withExtendedLifetime(build) { try program.run(["query", "\(count)"]) } }
    })
  row.bound = 1
  return [row]
}

private func neovimRows(_ folder: String) -> [Row] {
  func run(_ task: String) throws -> (Int) throws -> String {
    let program = try Peer.neovim.program()
    return { count in
      try program.run([
        "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "let [g:task, g:count] = ['\(task)', \(count)]", "-c",
        "luafile \(folder)/neovim.lua",
      ])
    }
  }
  return [
    peerRow("nvim", .neovim, 20_000, answer: { 2 * $0 }, ours: { try scripted() }, theirs: { try run("command") }),
    peerRow(
      "nvim-menu", .neovim, 20, answer: { items * $0 }, ours: { try scriptedList() }, theirs: { try run("menu") }),
  ]
}

private func emacsRows(_ folder: String) -> [Row] {
  func run(_ task: String) throws -> (Int) throws -> String {
    let program = try Peer.emacs.program()
    return { count in try program.run(["-Q", "--batch", "-l", "\(folder)/emacs.el", task, "\(count)"]) }
  }
  return [
    peerRow("emacs", .emacs, 50_000, answer: { 2 * $0 }, ours: { try scripted() }, theirs: { try run("command") }),
    peerRow(
      "emacs-menu", .emacs, 20, answer: { (items * 3 / 4 + items) * $0 }, ours: { try scriptedMenu() },
      theirs: { try run("validate") }),
  ]
}

/// An action of a script's, with a provider, a `can` and an `on`, performed by the text of its reference.
private func scripted() throws -> Body {
  let script = PerformScript(providers: 1)
  let host = try patientHost(script.host("taker.can.act = \(script.can)\ntaker.on.act = \(script.on)"))
  return { count in
    var sum = 0
    for _ in 0..<count {
      guard case .integer(let result) = host.perform("act(n: 1)").result else { return -1 }
      sum += result
    }
    return sum
  }
}

/// A menu about whose items a script is asked: every fourth disabled, every second on, each with a title of its `look`.
private func scriptedMenu() throws -> Body { menu(of: try patientHost(PassScript.host(items))) }

/// The same; how many items there are.
private func scriptedList() throws -> Body {
  let host = try patientHost(PassScript.host(items))
  return { count in
    var sum = 0
    for _ in 0..<count { sum += host.menus().children[0].children.count }
    return sum
  }
}

// MARK: Measuring

/// A row against a peer, which tells its own time.
private func peerRow(
  _ name: String, _ peer: Peer, _ iterations: Int, answer: @escaping (Int) -> Int, ours: @escaping () throws -> Body,
  theirs: @escaping () throws -> (Int) throws -> String
) -> Row {
  Row(
    name: name, opponent: .program(peer.name), rounds: 11, iterations: iterations, answer: answer,
    missing: { peer.missing }
  ) {
    let theirs = try theirs()
    var told = 0
    return Sides(
      ours: try ours(),
      floor: { count in
        let numbers = try theirs(count).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 2 else { throw BenchError("\(peer.name) printed no two numbers") }
        told += numbers[0]
        return numbers[1]
      },
      clocks: (threadTime, { told }))
  }
}

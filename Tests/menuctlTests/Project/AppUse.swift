import Expectations
import Glibc
import Testing

/// Uses an app like a newcomer: loads it, checks it, and does everything that it offers at a terminal.
struct AppUse {
  /// The app, as a path that is valid in `folder`.
  let app: String
  let folder: String
  var words: [String] = []
  /// The code of a finding that a page shows on purpose.
  var meant: String?
  /// The message of an action that fails on purpose.
  var mayFail: String?

  func check() throws {
    try require(Terminal.isPossible)
    let found = try call(["check", app]).out.matches(of: /\[([a-z-]+)\]\n/).map { String($0.output.1) }
    expect(Set(found), is: Set(meant.map { [$0] } ?? []), "\(app): check")
    try use()
  }

  private func call(_ words: [String]) throws -> Run {
    try Program.menuctl(words + self.words, folder: folder)
  }

  /// Performs each action by the palette, and again those that were disabled at first.
  private func use() throws {
    let answer = try StrictJSON(try call(["actions", app, "--json"]).out)
    guard case .list(let actions)? = answer["actions"] else { throw CodeBlock.Missing(language: "actions", path: app) }
    let names = actions.compactMap { action in
      if case .text(let name)? = action["name"] { name } else { nil }
    }
    expect(!names.isEmpty, "\(app): there is nothing to do in it")
    let terminal = try Terminal(
      ["ui", app, "--alone"] + words, columns: 100, rows: 40, folder: folder)
    expect(terminal.waits { $0.lines.first?.hasSuffix("≡") ?? false }, "\(app): \(terminal.screen.text)")
    var done: Set<String> = []
    // 'quit' is skipped: nothing could be done after it.
    for name in names + names where !done.contains(name) && name != "quit" {
      let outcome = perform(name, at: terminal)
      // A refusal begins with another sign than an error.
      let isError = outcome.hasPrefix(" !") && !(mayFail.map { outcome.contains($0) } ?? false)
      expect(!isError, "\(app): \(name):\(outcome)")
      if outcome.contains("✓ ") { done.insert(name) }
    }
    expect(!done.isEmpty || mayFail != nil, "\(app): \(terminal.screen.text)")
    kill(terminal.id, SIGTERM)
    expect(terminal.finish(), is: 0)
  }

  /// Picks an action in the palette and answers its questions. Returns the line with the outcome.
  private func perform(_ name: String, at terminal: Terminal) -> String {
    terminal.type("\u{10}")
    expect(terminal.waits { $0.text.contains("│ › ") }, "\(name): \(terminal.screen.text)")
    terminal.type("\(name)\r")
    for _ in 0..<5 {
      settle(terminal)
      let status = Self.status(terminal.screen)
      if status.contains("esc is no") {
        terminal.type("\u{1B}[C\r")
      } else if status.contains("esc closes") {
        terminal.type("2\r")
      } else {
        if terminal.screen.text.contains("│ › ") { close(terminal) }
        return status
      }
    }
    close(terminal)
    return Self.status(terminal.screen)
  }

  /// Closes the palette, which stays open after a refusal, or a form whose answers are refused.
  private func close(_ terminal: Terminal) {
    for _ in 0..<5 where terminal.screen.text.contains("│ › ") || Self.status(terminal.screen).contains("   esc ") {
      terminal.type("\u{1B}")
      settle(terminal)
    }
  }

  private static func status(_ screen: TerminalScreen) -> String { screen.lines.last ?? "" }

  /// Waits until the screen is the same for a moment.
  private func settle(_ terminal: Terminal) {
    var (before, same) = ("", 0)
    _ = terminal.waits { screen in
      same = screen.text == before ? same + 1 : 0
      before = screen.text
      return same == 3
    }
  }
}

import Expectations
import Glibc
import Testing

/// Goes through a document as a reader does: writes each file that it shows, makes each call, and compares what it shows with what comes
/// of it. Each app that a folder has at its end is checked, and used at a terminal.
///
/// A line `<!-- in an empty folder -->` begins in a new folder: there each block of Lua names the file that it is, or goes on with.
/// Elsewhere, and behind `<!-- in the project -->`, calls are made in the project, and a block of Lua is one of its scripts.
final class DocumentRun {
  private let path: String
  private var folder: ScriptFolder?
  private(set) var calls = 0
  private(set) var files = 0
  private var apps: [String] = []

  init(_ path: String) throws {
    self.path = path
    for part in Self.parts(of: try Project.text(path)) {
      switch part {
      case .folder(let isEmpty): try begin(inEmptyFolder: isEmpty)
      case .block(let block): try check(block)
      }
    }
    try leave()
  }

  /// What `check` finds in an app on purpose, because the page is about it.
  private static let meant = [
    "asking.lua": "script", "catchall.lua": "unanswered-action", "validation.lua": "unanswered-action",
  ]

  /// The languages of the blocks that are looked at here; of a diagram there is nothing to run.
  static let languages = ["console", "lua", "sh", "diagram"]

  private enum Part {
    case block(CodeBlock)
    case folder(isEmpty: Bool)
  }

  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = ""
    func flush() {
      parts += CodeBlock.all(in: rest).map(Part.block)
      rest = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch line {
      case "<!-- in an empty folder -->", "<!-- in the project -->":
        flush()
        parts.append(.folder(isEmpty: line.contains("empty")))
      default: rest += line + "\n"
      }
    }
    flush()
    return parts
  }

  private func begin(inEmptyFolder isEmpty: Bool) throws {
    try leave()
    folder = isEmpty ? try ScriptFolder([:]) : nil
  }

  private func leave() throws {
    guard let folder else { return }
    defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)'/* '\(folder.path)'/.[!.]*") }
    self.folder = nil
    for app in apps {
      let use = AppUse(
        app: app, folder: folder.path, words: app == "tasks/app.lua" ? ["--allow", "exec=sh"] : [],
        meant: Self.meant[app], mayFail: app == "asking.lua" ? "must not change anything" : nil)
      try use.check()
    }
    apps = []
  }

  private func check(_ block: CodeBlock) throws {
    switch block.language {
    case "console": try call(block)
    case "lua": if let folder { try write(block, to: folder.path) } else { try look(for: block) }
    case "sh": try lookForTargets(block)
    default: break
    }
  }

  private func call(_ console: CodeBlock) throws {
    calls += try Self.check(console, in: folder?.path ?? Project.folder, of: path)
  }

  /// Makes the calls of a console's text, "$ …", and compares what follows each with what it says; gives how many there are.
  @discardableResult
  static func check(_ console: CodeBlock, in folder: String, of path: String) throws -> Int {
    let parts = "\n\(console.text)".split(separator: "\n$ ")
    for part in parts {
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let shown = lines.count > 1 ? String(lines[1]) : ""
      // What goes on in the background says nothing here, and is there for the next call.
      let runs = lines[0].hasSuffix("&")
      let line =
        runs
        ? "\(lines[0].dropLast()) >/dev/null 2>&1 & until menuctl sessions | grep -q @; do sleep 0.05; done"
        : "\(lines[0])"
      let run = try Program.shell("sh", "cd '\(folder)' && export PATH=\"\(Program.folder):$PATH\" || exit\n\(line)")
      let out = run.out.replacing(/\ \ \([0-9.]+ s\)\n/, with: "\n")
        .replacing(/"seconds": [0-9.e-]+/, with: #""seconds": 0.001"#)
      expect(out + run.err, is: (shown.isEmpty || shown.hasSuffix("\n") ? shown : shown + "\n"), "\(path): \(lines[0])")
    }
    return parts.count
  }

  private func write(_ block: CodeBlock, to folder: String) throws {
    let first = try require(
      block.text.firstMatch(of: /^-- ([\w\/]+\.lua)(, further down)?\n/), "\(path): \(block.text)")
    let file = "\(folder)/\(first.output.1)"
    if let part = first.output.1.split(separator: "/").dropLast().first { mkdir("\(folder)/\(part)", 0o755) }
    let before = first.output.2 == nil ? "" : String(decoding: try Project.bytes(file), as: UTF8.self) + "\n"
    try Project.write(before + block.text, to: file)
    files += 1
    let isApp = !file.hasSuffix("_test.lua") && !(before + block.text).contains("\nplugin {")
    if isApp, !apps.contains(String(first.output.1)) { apps.append(String(first.output.1)) }
  }

  /// It is one of the project's scripts as it stands there.
  private func look(for block: CodeBlock) throws {
    let scripts = Project.files(below: "scripts", ending: ".lua")
    try expect(scripts.contains { try Project.text($0) == block.text }, "\(path): \(block.text)")
  }

  /// What is built with make is one of its targets.
  private func lookForTargets(_ block: CodeBlock) throws {
    let makefile = try Project.text("Makefile")
    for line in block.text.split(separator: "\n") {
      let target = try require(line.firstMatch(of: /^make ([\w-]+)/), "\(path): \(line)").output.1
      expect(makefile.contains("\n\(target):"), "\(path): \(line)")
      calls += 1
    }
  }
}

import Expectations
import Glibc
import Testing

@testable import menuctl

/// Each case once hung, or showed a line of another user's file.
@Suite("Opening files")
struct OpeningTests {
  private static let passwd = "root:x:0:0:root:/root:/bin/sh"

  @Test(
    "Files that aren't regular are refused without waiting, for every verb",
    arguments: [
      ["load", "pipe"], ["replay", "pipe"], ["replay", "piped.jsonl"], ["load", "folder"],
      ["load", "app.lua", "--plugin", "pipe"],
      ["test", "pipe"], ["stubs", "pipe.lua"], ["check", "link.lua"], ["plugin", "info", "pipe.lua"],
    ])
  func pipes(_ words: [String]) throws {
    let folder = try ScriptFolder([
      "pipe": "|", "pipe.lua": "|", "folder/app.lua": "|", "app.lua": "", "link.lua": "→pipe",
      "piped.jsonl": #"{"recording": 1, "source": "pipe.lua"}"# + "\n",
    ])
    let call = "cd \(folder.path) && timeout 20 \(Program.folder)/menuctl \(words.joined(separator: " "))"
    let run = try Program.shell("sh", call)
    expect([65, 66].contains(run.status), "\(run)")
    expect(run.err.contains("can't read '") || run.err.contains("it is no file"), "\(run)")
  }

  @Test("A replay reads scripts only: it shows no line of another file that the recording names")
  func recorded() throws {
    let folder = try ScriptFolder([
      "passwd": Self.passwd, "r.jsonl": #"{"recording": 1, "source": "passwd"}"# + "\n",
    ])
    let run = try Program.menuctl(["replay", "r.jsonl"], folder: folder.path)
    expect(
      run,
      is: Run(
        status: 65, out: "",
        err: """
          menuctl: error: 'r.jsonl' names 'passwd' as its app, which is no folder and doesn't end in '.lua'
          name the app: menuctl replay r.jsonl APP

          """))
  }

  @Test("Settings that are a pipe are refused without waiting")
  func settings() throws {
    let folder = try ScriptFolder(["config/menuctl/settings.json": "|"])
    let run = try Program.shell(
      "sh", "XDG_CONFIG_HOME=\(folder.path)/config timeout 20 \(Program.folder)/menuctl plugin forget x")
    let path = "\(folder.path)/config/menuctl/settings.json"
    expect(run, is: Run(status: 66, out: "", err: "menuctl: error: can't read '\(path)': it is no file\n"))
  }

  @Test("A pipe from the shell is read")
  func handedOver() throws {
    let run = try Program.shell(
      "bash", "\(Program.folder)/menuctl perform <(echo 'function app.on:hi() return 1 end') hi")
    expect(run, is: Run(status: 0, out: "handled by app → 1\n", err: ""))
  }

  @Test("A recording is written to a pipe with a reader, and refused for one without")
  func written() throws {
    let folder = try ScriptFolder(["app.lua": "", "pipe": "|"])
    let record = "cd \(folder.path) && timeout 20 \(Program.folder)/menuctl record app.lua --output pipe </dev/null"
    let unread = try Program.shell("sh", record)
    expect(
      unread,
      is: Run(
        status: 66, out: "", err: "menuctl: error: can't write '\(folder.path)/pipe': No such device or address\n"))
    let read = try Program.shell("sh", "(cat \(folder.path)/pipe & sleep 0.3; \(record); wait)")
    expect(read.status == 0 && read.out.hasPrefix(#"{"menuctl": 1, "recording": 1"#), "\(read)")
  }

  @Test("Stubs of an app are nothing but stubs: its script's prints go to stderr")
  func stubs() throws {
    let run = try Program.menuctl(["stubs", "-"], stdin: "print('x = ')\nfunction app.on:a() end")
    expect(run.status == 0 && run.err == "x = \n" && run.out.hasPrefix("---@meta\n"), "\(run)")
  }

  @Test("If the system has no command line, the error says that, and not that a verb is missing")
  func noWords() throws {
    expect(Tool.noWords, is: "can't read the command line from /proc/self/cmdline: it is empty")
    // A dynamically linked tool can't even start if nothing can be opened: 'make build' tries the real one.
  }

  // The thread sanitizer writes a file, and ends by SIGBUS if it can't.
  @Test(
    "If a new app can't be written, none is made, though the system would end the writer",
    .disabled(if: isThreadSanitized))
  func tooLarge() throws {
    let folder = try ScriptFolder([:])
    let run = try Program.shell("bash", "cd '\(folder.path)' && ulimit -f 0 && '\(Program.folder)/menuctl' new notes")
    expect(
      run, is: Run(status: 66, out: "", err: "menuctl: error: can't write 'notes/app.lua': File too large\n"), "\(run)")
    expect(Project.entries(of: folder.path), is: [])
  }
}

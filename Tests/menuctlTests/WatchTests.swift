import Dispatch
import Expectations
import Glibc
import Testing

@testable import menuctl

/// Ends a process that should have ended long ago, since a failing test must not wait forever.
final class Guardian {
  private let process: Process

  init(of other: Process) throws {
    process = try Process(
      "sh",
      [
        "-c", "trap 'kill $!; exit' TERM; sleep 300 >/dev/null 2>&1 </dev/null & wait; kill -9 \(other.id)",
      ])
  }

  deinit {
    process.write("")
    // Its waiting process ends too.
    kill(process.id, SIGTERM)
    _ = process.finish()
  }
}

@Suite("load --watch", .serialized)
struct WatchTests {
  private static let script = """
    menubar { menu "Edit" { item "Clear" { "clear" }, item "Copy" { "copy" } } }
    function app.on:clear() end
    """

  /// A running watch, and its output so far.
  ///
  /// If it misses a save, it is ended after a while.
  private final class Watching {
    let folder: ScriptFolder
    let process: Process
    private let guardian: Guardian
    private(set) var out = ""

    init(_ scripts: [String: String] = ["app.lua": WatchTests.script], _ words: [String] = ["app.lua"]) throws {
      folder = try ScriptFolder(scripts)
      process = try Process("\(Program.folder)/menuctl", ["load"] + words + ["--watch"], folder: folder.path)
      process.write("")
      guardian = try Guardian(of: process)
      expect(wait(for: "Edit"))
      out = ""
    }

    /// Reads until the output has a text. False if it ends without.
    func wait(for text: String) -> Bool {
      while !out.contains(text) {
        let more = process.readSome()
        if more.isEmpty { return false }
        out += more
      }
      return true
    }

    func take() -> String {
      defer { out = "" }
      return out
    }

    /// The number of bytes that the tool has read so far, which shows that it has looked at a file.
    var bytesRead: Int {
      let lines = (try? Project.bytes("/proc/\(process.id)/io")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return lines.split(separator: "\n").first.flatMap { Int($0.dropFirst("rchar: ".count)) } ?? .max
    }

    /// Writes like a plain program.
    func write(_ text: String, to name: String = "app.lua") {
      guard let file = fopen("\(folder.path)/\(name)", "w") else { return }
      fputs(text, file)
      fclose(file)
    }

    /// Saves like editors do: writes another file and renames it.
    func save(_ text: String, to name: String = "app.lua") {
      write(text, to: ".saving~")
      rename("\(folder.path)/.saving~", "\(folder.path)/\(name)")
    }

    func end(_ signal: Int32 = SIGINT) -> Run {
      kill(process.id, signal)
      return process.finish()
    }
  }

  private static func changed(_ from: String, _ to: String) -> String {
    var text = script
    text.replace(from, with: to)
    return text
  }

  @Test("Each save is loaded, in any way of writing, and its changes are shown; an interrupt ends the watch with 130")
  func saves() throws {
    let watching = try Watching()
    watching.save(Self.changed("\"Clear\"", "\"Empty\""))
    expect(watching.wait(for: "Empty"))
    expect(watching.take(), is: "reloaded app.lua\n  + Edit/Empty\n  - Edit/Clear\n")
    watching.write(Self.changed("app.on:clear", "app.on:copy"))
    expect(watching.wait(for: "Copy"))
    let expected = """
      reloaded app.lua
        + Edit/Clear: nobody handles 'clear'
        - Edit/Empty
        Edit/Copy disabled → enabled

      """
    expect(watching.take(), is: expected)
    unlink("\(watching.folder.path)/app.lua")
    watching.write(Self.script)
    expect(watching.wait(for: "Copy"))
    _ = watching.take()
    // The same text is no new version.
    let read = watching.bytesRead
    watching.save(Self.script)
    while watching.bytesRead < read + Self.script.utf8.count { usleep(10_000) }
    watching.save(Self.script + "\n")
    expect(watching.wait(for: "changed"))
    expect(watching.take(), is: "reloaded app.lua\n  nothing changed\n")
    let run = watching.end()
    expect(run, is: Run(status: 130, out: "", err: ""))
  }

  @Test("A broken save prints the diagnostic, each time, and the version before continues")
  func broken() throws {
    let watching = try Watching()
    for number in 1...4 {
      watching.save("print 'try \(number)'\n" + Self.script + "\nx.y = 1")
      expect(watching.wait(for: "try \(number)\n"))
    }
    _ = watching.take()
    watching.save(Self.changed("\"Clear\"", "\"Empty\""))
    expect(watching.wait(for: "Empty"))
    expect(watching.take(), is: "reloaded app.lua\n  + Edit/Empty\n  - Edit/Clear\n")
    let run = watching.end()
    let said = """
      app.lua:4:1: error: 'x' is not defined
        x.y = 1
        ^
      menuctl: note: the version that was loaded before goes on

      """
    expect(run, is: Run(status: 130, out: "", err: String(repeating: said, count: 4)))
  }

  @Test("A script that can't be loaded at first is watched too; a missing one is an error")
  func brokenAtFirst() throws {
    let folder = try ScriptFolder(["app.lua": "print('first') error('no')"])
    let process = try Process("\(Program.folder)/menuctl", ["load", "app.lua", "--watch"], folder: folder.path)
    process.write("")
    let guardian = try Guardian(of: process)
    defer { withExtendedLifetime(guardian) {} }
    expect(process.readSome(), is: "first\n")
    guard let file = fopen("\(folder.path)/app.lua", "w") else { return }
    fputs(Self.script, file)
    fclose(file)
    expect(process.readSome().hasPrefix("reloaded app.lua\n  + Edit"))
    kill(process.id, SIGINT)
    let run = process.finish()
    expect(run.status == 130 && run.err.contains("it is loaded again when it is saved"), "\(run)")
    let missing = try Program.menuctl(["load", "missing.lua", "--watch"], folder: folder.path)
    expect(missing.status, is: 66)
  }

  @Test("A folder is watched for its app.lua, and a link for its target")
  func folders() throws {
    let watching = try Watching(["app/app.lua": Self.script], ["app"])
    watching.save(Self.changed("\"Clear\"", "\"Empty\""), to: "app/app.lua")
    expect(watching.wait(for: "Empty"))
    expect(watching.end().status, is: 130)

    let folder = try ScriptFolder(["real/app.lua": Self.script])
    symlink("real/app.lua", "\(folder.path)/link.lua")
    defer { unlink("\(folder.path)/link.lua") }
    let process = try Process("\(Program.folder)/menuctl", ["load", "link.lua", "--watch"], folder: folder.path)
    process.write("")
    let guardian = try Guardian(of: process)
    defer { withExtendedLifetime(guardian) {} }
    var out = ""
    while !out.contains("Copy") { out += process.readSome() }
    guard let file = fopen("\(folder.path)/real/app.lua", "w") else { return }
    fputs(Self.changed("\"Clear\"", "\"Empty\""), file)
    fclose(file)
    expect(process.readSome().hasPrefix("reloaded link.lua\n"))
    kill(process.id, SIGINT)
    expect(process.finish().status, is: 130)
  }

  @Test("S2: A check for saves doesn't wait for a module that is a pipe; a regular file is loaded")
  func pipes() throws {
    let script = #"pcall(require, "pipe") "# + Self.script
    let watching = try Watching(["app.lua": script, "pipe.lua": "|"])
    watching.save("menubar { menu \"Edit\" { item \"Empty\" { \"clear\" } } }\n" + "pcall(require, 'pipe')")
    expect(watching.wait(for: "Empty"))
    _ = watching.take()
    watching.save("return {}", to: "pipe.lua")
    expect(watching.wait(for: "reloaded"))
    expect(watching.end().status, is: 130)
  }

  /// Each of these events once restarted the time of a due timer.
  @Test("Saves of other files in a watched folder don't delay a timer")
  func others() throws {
    let folder = try ScriptFolder(["app.lua": Self.script, "other.txt": ""])
    let watch = try Watch()
    watch.look(at: ["\(folder.path)/app.lua"], in: [])
    let end = try watch.stop()
    let thread = DispatchGroup()
    // A watch that waits too long is ended, so that the test fails instead of waiting forever.
    DispatchQueue.global().async(group: thread) {
      sleep(1)
      end()
    }
    close(creat("\(folder.path)/other.txt", 0o600))
    expect(watch.next(timeout: -1), is: .nothing)
    thread.wait()
  }

  @Test("SIGTERM ends the watch at once")
  func terminated() throws {
    let watching = try Watching()
    expect(watching.end(SIGTERM), is: Run(status: -SIGTERM, out: "", err: ""))
  }

  @Test("An interrupt ends a script that loads without an end")
  func endless() throws {
    let watching = try Watching(["app.lua": Self.script], ["app.lua", "--timeout", "60", "--budget", "1000000000000"])
    watching.save("print('Edit spins') while true do end")
    expect(watching.wait(for: "spins"))
    expect(watching.end().status, is: 130)
  }

  @Test("A path or option that can't be watched is refused", arguments: [["app.lua", "--json"], ["-"]])
  func refused(_ words: [String]) throws {
    let folder = try ScriptFolder(["app.lua": Self.script])
    try expect(Program.menuctl(["load"] + words + ["--watch"], folder: folder.path).status, is: 64)
  }
}

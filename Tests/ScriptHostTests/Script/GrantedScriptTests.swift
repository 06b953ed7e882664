import Expectations
import Glibc
import Synchronization
import Testing

@testable import ScriptHost

@Suite("S2: Granted capabilities of scripts, and require")
struct GrantedScriptTests {
  /// Runs `go` of an app with capabilities. Returns the output, and the outcome if `go` was not handled.
  private func run(
    _ script: String, allow: [String] = [], files: [String: String] = [:], wait: Bool = true
  ) throws -> (lines: [String], stage: PluginStage) {
    let stage = try PluginStage(files)
    stage.host.granted = try allow.map { try Capability.parse($0.replacingFolder(stage.path)) }
    let body = script.replacingFolder(stage.path)
    stage.write(Self.helpers + "\nfunction app.on:go()\n\(body)\nend", to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    let outcome = stage.host.perform("go", wait: wait)
    var lines = stage.take()
    if outcome.status != .handled { lines.append(stage.short(outcome.line)) }
    return (lines, stage)
  }

  private static let helpers = """
    function fails(body, ...) print((tostring(select(2, pcall(body, ...))):gsub("^[^:]*:%d+: ", ""))) end
    """

  @Test(
    "S2: Without a grant each call raises and names the capability",
    arguments: [
      ("fs.read('x.txt')", "fs.read is not granted to 'app' for 'x.txt': it takes the capability 'fs.read="),
      ("fs.list('/etc')", "fs.list is not granted to 'app' for '/etc': it takes the capability 'fs.read=/etc'"),
      ("fs.stat('/etc/passwd')", "the capability 'fs.read=/etc'"),
      ("fs.write('x', '')", "fs.write is not granted"), ("fs.make('x')", "the capability 'fs.write="),
      ("fs.remove('x')", "fs.remove is not granted"), ("fs.rename('x', 'y')", "fs.rename is not granted"),
      ("exec('true')", "exec is not granted to 'app' for 'true': it takes the capability 'exec=true'"),
      ("env('HOME')", "env is not granted to 'app' for 'HOME': it takes the capability 'env=HOME'"),
      ("clipboard.get()", "clipboard.get is not granted to 'app': it takes the capability 'clipboard'"),
      ("clipboard.set('x')", "clipboard.set is not granted"), ("open('https://x.y')", "open is not granted to 'app'"),
      (
        "io.open('x')", "io.open is not available to scripts; use fs.read(path), with the capability 'fs.read'"
      ),
      ("io.open('x', 'rb')", "; use fs.read(path), with the capability 'fs.read'"),
      (
        "io.open('x', 'w')",
        "io.open is not available to scripts; use fs.write(path, text), with the capability 'fs.write'"
      ),
      (
        "io.open('x', 'a')",
        "; use fs.write(path, fs.read(path) .. text), with the capability 'fs.write' and 'fs.read'"
      ),
      ("io.open('x', 'r+')", "; use fs.write(path, text), with the capability 'fs.write' and 'fs.read'"),
      ("io.popen('x')", "the capability 'exec=PROGRAM'"),
      (
        "os.execute('x')",
        "os.execute is not available to scripts; use exec(program, { … }), with the capability 'exec=PROGRAM'"
      ),
      ("os.getenv('x')", "the capability 'env=NAME'"), ("os.remove('x')", "the capability 'fs.write'"),
      ("os.rename('x', 'y')", "the capability 'fs.write'"), ("os.tmpname()", "the capability 'fs.write'"),
    ])
  func refused(_ call: String, _ message: String) throws {
    let (_, stage) = try run(call, files: ["x.txt": "secret"])
    let outcome = stage.host.perform("go")
    expect(outcome.status == .failed && outcome.error?.code == .capability)
    let said = stage.short(outcome.error?.message ?? "")
    expect(said.contains(message), "\(said)")
    expect(outcome.error?.place?.line == 3 && outcome.error?.place?.file.hasSuffix("app.lua") ?? false)
  }

  @Test("os.exit is missing: the error names 'return', and explains that the app ends with its program")
  func exit() throws {
    let stage = try ScriptStage("function app.on:go() os.exit(1) end")
    let said =
      "os.exit is not available to scripts; use 'return', which ends a function; the app ends with the program that runs it"
    expect(stage.host.perform("go").error?.message, is: said)
  }

  @Test("S2: If a link leads out of the grant, the error says so, and doesn't show its target")
  func links() throws {
    let (_, stage) = try run(
      "fs.read('link')", allow: ["fs.read"], files: ["link": "→/etc/passwd", "below": "→/etc"])
    for (path, call) in [("link", "fs.read('link')"), ("below/passwd", "fs.read('below/passwd')")] {
      stage.write("function app.on:go() \(call) end", to: "app.lua")
      try stage.host.reload(path: "\(stage.path)/app.lua")
      let error = stage.host.perform("go").error
      expect(error?.code, is: .capability)
      expect(
        error.map { stage.short($0.message) },
        is: "fs.read is not granted to 'app' for '\(path)': a link in it leads out of the granted folder")
    }
  }

  @Test(
    "S2: If a '..' leads out of the grant, the error names the capability, whether or not the path exists",
    arguments: [
      ("../x", "../x", ".."), ("below/../../x", "../x", ".."), ("..", "..", "PATH"),
      ("../../etc/passwd", "../../etc/passwd", "../../etc"), ("../../etc/no", "../../etc/no", "../../etc"),
    ])
  func upward(_ path: String, _ told: String, _ folder: String) throws {
    let (lines, stage) = try run("fails(fs.read, '\(path)')", allow: ["fs.read"])
    let wanted = folder.replacing("PATH", with: stage.path)
    expect(
      lines.map(stage.short),
      is: [
        "fs.read is not granted to 'app' for '\(told)': it takes the capability 'fs.read=\(wanted)'"
      ])
  }

  @Test("S2: If a program's name contains arguments, the error shows how to pass them in a list")
  func programWithArguments() throws {
    let (_, stage) = try run("exec('ls -1 x')")
    expect(
      stage.host.perform("go").error?.message,
      is: "exec takes the program and a list of arguments: exec(\"ls\", { \"-1\" })")
  }

  /// Nothing reported this once: the action counted as handled, without a result.
  @Test(
    "A diagnostic reports an action that returns a program's failure, unless the script looks at it or asserts it",
    arguments: [
      ("return exec('nosuchprogram')", true), ("sleep(0.01) return exec('nosuchprogram')", true),
      ("return exec('yes')", true), ("local r, why = exec('nosuchprogram') return r", false),
      ("local function run() return exec('nosuchprogram') end run() return 1", false),
      ("return assert(exec('nosuchprogram'))", false), ("return exec('true')", false), ("return exec('false')", false),
      ("return fs.read('/no/where')", true), ("return assert(fs.read('/no/where'))", false),
      ("return fs.list('/')", false),
      ("local text = fs.read('/no/where') return text", false),
      ("coroutine.wrap(function() return fs.read('/no/where') end)() return 1", false),
      ("pcall(function() return fs.read('/no/where') end) return 1", false),
      ("pcall(function() return exec('nosuchprogram') end) return 1", false),
      ("local read = fs.read return read('/no/where')", true),
      ("local a = assert return a(fs.read('/no/where'))", false),
    ])
  func returned(_ body: String, _ isTold: Bool) throws {
    let programs = ["nosuchprogram", "yes", "true", "false"].map { "exec=\($0)" }
    let (_, stage) = try run(body, allow: programs + ["fs.read=/"])
    let told = stage.host.takeDiagnostics().filter { $0.code == "returned-failure" }
    expect(told.count, is: (isTold ? 1 : 0), "\(told)")
    guard isTold else { return }
    expect(told.first?.place?.line, is: 3)
    let isFile = body.contains("fs.")
    let why =
      body.contains("yes")
      ? "it wrote more than 8388608 bytes" : "\(isFile ? "/no/where: " : "")No such file or directory"
    expect(told.first?.message, is: "an action ignores a failure and counts as handled: \(why)")
    expect(
      told.first?.help, is: "let the action fail with this reason: return assert(\(isFile ? "fs.read" : "exec")(…))")
  }

  /// A tail call of exec leaves its function, so the line was lost.
  @Test(
    "S1: A waiting call is refused at its line, also in a return statement",
    arguments: ["exec('ls')", "exec(5)", "open('file:///x')", "notify('x')", "clipboard.get()", "clipboard.set('x')"])
  func returnedPlace(_ call: String) throws {
    for body in ["return \(call)", "local x = \(call)", "local function f() return \(call) end f()"] {
      let place = try run("\n\n\(body)").stage.host.perform("go").error?.place
      expect(place?.line, is: 5, "\(body): \(place.map { "\($0)" } ?? "none")")
    }
  }

  @Test("Lua's clock functions of os exist, and io.write's error names print")
  func kept() throws {
    let lines = try run(
      "print(type(os.time()), os.date('%Y', 0), type(os.clock())) fails(io.write, 'x') fails(function() os.time = 1 end)"
    ).lines
    expect(
      lines,
      is: [
        "number\t1970\tnumber", "io.write is not available to scripts; use print",
        "'time' can't be set: this table is shared by all scripts and can't be changed",
      ])
  }

  @Test("S2: fs.read, list and stat work below the granted folder; links are followed and checked again")
  func reading() throws {
    let (_, stage) = try run("", files: ["data/a.txt": "alpha", "data/b.txt": "beta", "secret.txt": "no"])
    symlink("../secret.txt", "\(stage.path)/data/out")
    symlink("a.txt", "\(stage.path)/data/in")
    symlink("/etc", "\(stage.path)/data/etc")
    stage.host.granted = [try Capability.parse("fs.read=\(stage.path)/data")]
    stage.write(
      Self.helpers + """

        function app.on:go()
          print(fs.read("data/a.txt"), fs.read("data/in"), #fs.list("data"), fs.list("data")[1])
          print(fs.stat("data/a.txt").kind, fs.stat("data/a.txt").size, fs.stat("data").kind)
          print(fs.read("data/none.txt")) print(fs.read("data"))
          for _, path in ipairs { "secret.txt", "data/../secret.txt", "data/out", "data/etc/passwd", "/etc/passwd", "..", "none/x" } do
            local ok, e = pcall(fs.read, path) print(ok, (tostring(e):match("is not granted to 'app'")))
          end
          fails(fs.read) fails(fs.read, "a\\0b") fails(fs.read, "")
        end
        """, to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    _ = stage.host.perform("go")
    expect(
      stage.take(),
      is: [
        "alpha\talpha\t5\ta.txt", "file\t5\tfolder", "nil\tdata/none.txt: No such file or directory",
        "nil\tdata: Is a directory",
      ] + [String](repeating: "false\tis not granted to 'app'", count: 7) + [
        "the path for fs.read must be a string, not nil", "'a\0b' can't be a path", "'' can't be a path",
      ])
    unlink("\(stage.path)/data/out")
    unlink("\(stage.path)/data/in")
    unlink("\(stage.path)/data/etc")
  }

  @Test("S2: fs.write, make, remove and rename work below the granted folder only, and raise while the host asks")
  func writing() throws {
    let (lines, stage) = try run(
      """
      print(fs.make("data/new"), fs.write("data/new/x.txt", "one"), fs.write("data/new/x.txt", "two\\0\\xff"))
      print(fs.rename("data/new/x.txt", "data/y.txt"), fs.remove("data/new"), fs.remove("data/new"))
      print(fs.write("data/none/x", "") == nil, fs.remove("data/none/x") == nil)
      for _, path in ipairs { "x.txt", "data/../x.txt", "data", "/tmp/x", "data/out/x" } do
        local ok, e = pcall(fs.write, path, "") print(ok, (tostring(e):match("is not granted to 'app'")))
      end
      fails(fs.write, "data/z") fails(fs.rename, "data/y.txt", "y.txt") fails(fs.remove, "data")
      print(fs.make("data"))
      """, allow: ["fs.write=FOLDER/data"], files: ["data/a.txt": ""])
    expect(lines[..<3], is: ["true\ttrue\ttrue", "true\ttrue\tnil\tdata/new: No such file or directory", "true\ttrue"])
    expect(lines[3..<7].allSatisfy { $0 == "false\tis not granted to 'app'" })
    expect(lines[8], is: "fs.write takes a path and a text")
    expect(
      lines[9].contains("is not granted to 'app' for 'y.txt'")
        && lines[10].contains("is not granted to 'app' for 'data'"))
    expect(lines[11], is: "nil\tdata: File exists")
    let file = try require(fopen("\(stage.path)/data/y.txt", "r"))
    var bytes = [UInt8](repeating: 0, count: 16)
    expect(fread(&bytes, 1, 16, file) == 5 && bytes.prefix(5) == [116, 119, 111, 0, 255])
    fclose(file)
  }

  @Test(
    "S2: Outside of the granted folder an existing and a missing path get the same error",
    arguments: [
      ("fs.read=FOLDER/data", "fs.read(p)"), ("fs.read=FOLDER/data", "fs.list(p)"),
      ("fs.read=FOLDER/data", "fs.stat(p)"), ("fs.write=FOLDER/data", "fs.write(p, '')"),
      ("fs.write=FOLDER/data", "fs.make(p)"), ("fs.write=FOLDER/data", "fs.remove(p)"),
      ("fs.write=FOLDER/data", "fs.rename(p, 'data/b')"), ("fs.write=FOLDER/data", "fs.rename('data/a', p)"),
      ("exec=FOLDER/data/a", "exec(p)"),
    ])
  func outside(_ capability: String, _ call: String) throws {
    // The second path of each pair doesn't exist.
    let pairs = [
      ("x", "y"), ("far/x", "none/x"), ("x/z", "y/z"), ("data/../far/x", "data/../none/x"),
      ("far/../data/../x", "none/../data/../x"), ("data/toFar/x", "data/toNone/x"), ("data/toX", "data/toY"),
      ("/etc/passwd", "/etc/none"), ("/etc/passwd/", "/etc/none/"), ("/", "//"), (".", "none/.."),
    ]
    let (lines, _) = try run(
      """
      for _, p in ipairs { \(pairs.flatMap { ["'\($0)'", "'\($1)'"] }.joined(separator: ", ")) } do
        local ok, e = pcall(function() return \(call) end)
        print(ok, (tostring(e):gsub("^[^:]*:%d+: ", ""):gsub("for '.*", "")))
      end
      """, allow: [capability],
      files: [
        "data/a": "", "x": "", "far/x": "", "data/toFar": "→../far", "data/toNone": "→../none", "data/toX": "→../x",
        "data/toY": "→../y",
      ])
    // Removing and renaming affect the link, which lies inside, and not its target.
    let isLinkItself = ["fs.make", "fs.remove", "fs.rename"].contains { call.hasPrefix($0) }
    let name = call.prefix { $0 != "(" }
    for (index, pair) in pairs.enumerated() where !(isLinkItself && pair.0 == "data/toX") {
      let said = lines[(2 * index)...(2 * index + 1)]
      expect(said.allSatisfy { $0 == "false\t\(name) is not granted to 'app' " }, "\(pair): \(said)")
    }
  }

  @Test("S2: Writing to a link writes the file that it names, if that is inside; the link stays")
  func writingToLinks() throws {
    let (lines, stage) = try run(
      """
      print(fs.write("data/in", "new")) print(fs.write("data/deep/up", "newer")) print(fs.write("data/new", "made"))
      print(select(2, fs.write("data/loop", "x"))) print(select(2, fs.write("data/folder", "x")))
      print(fs.read("data/a"), fs.read("data/b"), fs.read("data/made"))
      fails(fs.write, "data/out", "x")
      """, allow: ["fs.write=FOLDER/data", "fs.read=FOLDER/data"],
      files: [
        "data/a": "old", "data/b": "old", "data/deep/x": "", "data/in": "→a", "data/deep/up": "→../b",
        "data/new": "→made",
        "data/loop": "→loop", "data/folder": "→deep", "data/out": "→../far", "far": "kept",
      ])
    defer { unlink("\(stage.path)/data/made") }
    expect(lines.prefix(3), is: ["true", "true", "true"])
    expect(lines[3].hasSuffix("Too many levels of symbolic links") && lines[4].hasSuffix("Is a directory"), "\(lines)")
    expect(lines[5], is: "new\tnewer\tmade")
    expect(
      lines[6], is: "fs.write is not granted to 'app' for 'data/out': a link in it leads out of the granted folder")
    for name in ["in", "deep/up", "new"] { expect(Grant.isLink("\(stage.path)/data/\(name)")) }
  }

  @Test(
    "S2: While a folder is exchanged with a link that leads out, scripts can't see, read, list or write outside files")
  func races() throws {
    let (_, stage) = try run(
      "", allow: ["fs.read=FOLDER/data", "fs.write=FOLDER/data"],
      files: ["data/d/f": "in", "data/e": "→../out", "out/f": "outside", "out/only": ""])
    typealias Exchange =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    let exchange = unsafeBitCast(try require(dlsym(nil, "renameat2")), to: Exchange.self)
    let racing = RacingFlag()
    let (one, other) = ("\(stage.path)/data/d", "\(stage.path)/data/e")
    defer { racing.isOver = true }
    let racer = try TestThread {
      // AT_FDCWD and RENAME_EXCHANGE.
      while !racing.isOver { _ = exchange(-100, one, -100, other, 2) }
    }
    stage.write(
      """
      function app.on:go()
        local begun = os.clock()
        local seen = {}
        while os.clock() - begun < 0.25 do
          for _, name in ipairs { "d", "e" } do
            local ok, s = pcall(fs.stat, "data/" .. name .. "/f") if ok and s and s.size ~= 2 then seen.stat = true end
            local ok, s, why = pcall(fs.stat, "data/" .. name .. "/only/x") if ok and why:find("Not a dir") then seen.why = true end
            local ok, s = pcall(fs.stat, "data/" .. name .. "/only") if ok and s then seen.only = true end
            local ok, t = pcall(fs.read, "data/" .. name .. "/f") if ok and t and t ~= "in" then seen.read = true end
            local ok, l = pcall(fs.list, "data/" .. name) if ok and l and table.concat(l):find("only") then seen.list = true end
            pcall(fs.write, "data/" .. name .. "/new", "x")
          end
        end
        for name in pairs(seen) do print(name) end
        print("over")
      end
      """, to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    _ = stage.host.perform("go")
    racing.isOver = true
    try racer.join()
    expect(stage.take(), is: ["over"])
    expect(access("\(stage.path)/out/new", F_OK) != 0)
  }

  @Test("S2: A path resolves '..' by its text: the folders before a '..' aren't looked at")
  func detours() throws {
    let (lines, _) = try run(
      "print(fs.read('far/../data/a'), fs.read('none/../data/a'), fs.read('/etc/none/../..FOLDER/data/a'))",
      allow: ["fs.read=FOLDER/data"], files: ["data/a": "alpha", "far/x": ""])
    expect(lines, is: ["alpha\talpha\talpha"])
  }

  @Test("S2: A grant without a path is for the script's folder, a grant with a file for that file only")
  func ownFolder() throws {
    try expect(run("print(fs.read('a.txt'))", allow: ["fs.read"], files: ["a.txt": "own"]).lines, is: ["own"])
    let (lines, _) = try run(
      "print(fs.read('a.txt')) fails(fs.read, 'b.txt')", allow: ["fs.read=FOLDER/a.txt"],
      files: ["a.txt": "own", "b.txt": ""])
    expect(lines[0] == "own" && lines[1].contains("is not granted"))
    let host = ScriptHost()
    host.granted = [Capability(.readFiles)]
    try host.load(text: "function app.on:go() return fs.read('a.txt') end", name: "app.lua")
    expect(host.perform("go").error?.message.contains("was not read from a file") ?? false)
  }

  @Test("S2: exec runs a granted program, waits for it like sleep, and returns its output")
  func programs() throws {
    let (lines, _) = try run(
      """
      local r = exec("sh", { "-c", "echo out; echo err >&2; exit 3" })
      print(r.status, r.out, r.err)
      print(exec("sh", { "-c", "cat; kill -9 $$" }).status, exec("sh", { "-c", "echo $0", 12 }).out)
      fails(exec, "ls") fails(exec, 1) fails(exec, "sh", { {} }) fails(exec, "sh", 1)
      fails(exec, "sh", { "-c", "\\xff" }) fails(exec, "sh", { "a\\0b" })
      """, allow: ["exec=sh"])
    expect(lines[0] == "3\tout\n\terr\n" && lines[1] == "137\t12\n")
    expect(
      lines[2].contains("the capability 'exec=ls'")
        && lines[3].contains("exec takes a program's name first, not a number"))
    let rule = "of 'sh' must be a number or UTF-8 without NUL"
    expect(lines[4].contains("argument 1 \(rule), not a table"))
    expect(lines[6].contains("argument 2 \(rule), not a string that is not UTF-8"))
    expect(lines[7].contains("argument 1 \(rule), not a string"))
    expect(lines[5].contains("exec takes a list of arguments second, not a number"))
    try expect(
      run("print(exec('menuctl-no-such'))", allow: ["exec=menuctl-no-such"]).lines,
      is: [
        "nil\tNo such file or directory"
      ])
    try expect(run("print(exec('yes'))", allow: ["exec=yes"]).lines, is: ["nil\tit wrote more than 8388608 bytes"])
  }

  @Test("S2: A program's path counts from the script's folder, and runs only if it was granted")
  func programsByPath() throws {
    let (_, stage) = try run("", files: ["run.sh": "#!/bin/sh\necho ran $1", "bin/run.sh": "#!/bin/sh\necho other"])
    for name in ["run.sh", "bin/run.sh"] { chmod("\(stage.path)/\(name)", 0o755) }
    stage.write("→../run.sh", to: "bin/link.sh")
    stage.host.granted = try ["run.sh", "none.sh", "bin/", "./true"].map { name in
      try Capability.parse("exec=\(stage.path)/\(name)")
    }
    stage.write(
      """
      function app.on:go()
        for _, name in ipairs { "./run.sh", "bin/../run.sh", "bin/link.sh", "\(stage.path)/run.sh", "./none.sh" } do
          local result, reason = exec(name, { "it" }) print(result and result.out or reason)
        end
        for _, name in ipairs { "bin/run.sh", "run.sh", "true", "/bin/true" } do
          print((tostring(select(2, pcall(exec, name))):match("exec is not granted.*")))
        end
      end
      """, to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    _ = stage.host.perform("go", wait: true)
    let refused = [
      ("bin/run.sh", "bin/run.sh"), ("run.sh", nil), ("true", nil), ("/bin/true", "/bin/true"),
    ]
    let lines = refused.map { name, path in
      "exec is not granted to 'app' for '\(name)': it takes the capability 'exec=\(path ?? name)'"
    }
    expect(stage.take(), is: ["ran it\n", "ran it\n", "ran it\n", "ran it\n", "No such file or directory"] + lines)
  }

  @Test("S2: A program gets its real name, not the link's, since some programs act by their name")
  func programNames() throws {
    let (_, stage) = try run("", files: ["asked": "→/bin/sh", "other": "→/bin/sh"])
    stage.host.granted = [try Capability.parse("exec=\(stage.path)/asked")]
    stage.write(
      """
      function app.on:go()
        for _, name in ipairs { "./asked", "./other" } do print(exec(name, { "-c", "echo $0" }).out) end
      end
      """, to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    _ = stage.host.perform("go", wait: true)
    let shell = try require(Grant.real("/bin/sh"))
    expect(stage.take(), is: ["\(shell)\n", "\(shell)\n"])
  }

  @Test(
    "S2: The system's errors for granted paths are reported, circles too; a link that isn't UTF-8 leads nowhere"
  )
  func refusedPaths() throws {
    let (_, stage) = try run("", allow: ["fs.read"], files: ["loop": "→loop"])
    let bytes = "\(stage.path)/bytes"
    defer { unlink(bytes) }
    [0x2F, 0x74, 0x6D, 0x70, 0x2F, -1, 0].withUnsafeBufferPointer { (target: UnsafeBufferPointer<CChar>) in
      if let start = target.baseAddress { expect(symlink(start, bytes), is: 0) }
    }
    stage.write(
      """
      print(select(2, fs.read "loop")) print(select(2, fs.read(("x"):rep(5000))))
      print((tostring(select(2, pcall(fs.read, "bytes"))):match("is not granted")))
      """, to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    let said = stage.take()
    expect(said.count == 3 && said[0].contains("Too many levels of symbolic links"), "\(said)")
    expect(said[1].hasSuffix("File name too long") && said[2] == "is not granted", "\(said.last ?? "")")
  }

  @Test("S2: Overwriting a file keeps its permissions, and a new file gets the usual ones")
  func permissions() throws {
    let (_, stage) = try run("", files: ["secret.txt": "old", "run.sh": "old", "open.txt": "old"])
    let modes: [(String, mode_t)] = [("secret.txt", 0o600), ("run.sh", 0o755), ("open.txt", 0o666)]
    for (name, mode) in modes { chmod("\(stage.path)/\(name)", mode) }
    stage.host.granted = [try Capability.parse("fs.write=\(stage.path)")]
    stage.write(
      """
      for _, name in ipairs { "secret.txt", "run.sh", "open.txt", "new.txt" } do print(fs.write(name, "new")) end
      """, to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    expect(stage.take(), is: [String](repeating: "true", count: 4))
    let mask = umask(0o022)
    umask(mask)
    for (name, mode) in modes + [("new.txt", 0o666 & ~mask)] {
      var status = stat()
      expect(stat("\(stage.path)/\(name)", &status), is: 0)
      expect(status.st_mode & 0o7777, is: mode, "\(name)")
    }
  }

  @Test(
    "S2: A program that has left its group ends at once with the action that waits for it",
    .enabled(if: access("/usr/bin/perl", X_OK) == 0))
  func programLeavesGroup() throws {
    let program = "$| = 1; setpgrp(0, getpgrp(getppid())); print 1; sleep 25"
    let (_, stage) = try run("return exec('perl', { '-e', '\(program)' })", allow: ["exec=perl"], wait: false)
    // Nothing else holds the process: it ends with the action.
    weak let process = stage.host.scripts?.processes.first
    while let process, process.out.isEmpty, !process.look() { _ = process.wait() }
    expect(process?.out.isEmpty, is: false)
    let begin = ContinuousClock.now
    stage.host.jobs.first?.cancel()
    expect(ContinuousClock.now - begin < .seconds(10))
    expect(process == nil && stage.host.jobs.isEmpty)
  }

  @Test("S2: A program ends with the action that waits for it, and with its script; no call waits while the host asks")
  func programsEnd() throws {
    let (_, stage) = try run("return exec('sleep', { 1000 })", allow: ["exec=sleep"], wait: false)
    let engine = try require(stage.host.scripts)
    let process = try require(engine.processes.first)
    expect(stage.host.jobs.count == 1 && process.status == nil)
    try stage.host.reload(path: "\(stage.path)/app.lua")
    expect(stage.host.jobs.isEmpty && engine.processes.isEmpty && process.status == 137)
    let job = try require(stage.host.perform("go").job)
    expect(engine.processes.count, is: 1)
    job.cancel()
    expect(job.outcome?.status == .cancelled && engine.processes.isEmpty)
    let (lines, _) = try run(
      "local co = coroutine.wrap(function() fails(exec, 'true') end) co()", allow: ["exec=true"])
    expect(lines.count == 1 && lines[0].contains("exec waits, and a coroutine that a script made can't wait"))
  }

  @Test("S2: env returns granted variables only; open and the clipboard report why they can't work")
  func others() throws {
    setenv("MENUCTL_TEST_VARIABLE", "value", 1)
    let (lines, _) = try run(
      "print(env('MENUCTL_TEST_VARIABLE'), env('MENUCTL_TEST_NONE')) fails(env, 'HOME') fails(open, '--help') fails(open, 'file') fails(clipboard.set, {})",
      allow: ["env=MENUCTL_TEST_VARIABLE", "env=MENUCTL_TEST_NONE", "open", "clipboard"])
    expect(lines[0] == "value\tnil" && lines[1].contains("the capability 'env=HOME'"))
    expect(lines[2].contains("open takes an address with its scheme") && lines[3].contains("not 'file'"))
    expect(lines[4].contains("clipboard.set takes a text, not a table"))
  }

  // MARK: Plugins

  private static let asking =
    "plugin { name = 'reader', version = '1', allow = { 'fs.read', 'env=HOME' } } print(fs.read('own.txt'))"

  @Test(
    "S2: A plugin gets the grants of its manifest if a person consents; a missing yes or a no is an error"
  )
  func consent() throws {
    let stage = try PluginStage(
      ["reader/plugin.lua": Self.asking, "reader/own.txt": "mine", "reader/sub/m.lua": "return 1"], app: pluginApp)
    let error = try #require(throws: LoadError.self) { try stage.load("reader") }
    expect(error.failure.message, is: "the plugin 'reader' asks for 'fs.read', 'env=HOME', but has no grant for it")
    expect(error.failure.code == .capability && stage.take() == [] && stage.host.plugins.isEmpty)
    let request = try require(error.asks)
    #expect(throws: LoadError.self) { try stage.consenting({ _ in false }) { try stage.load("reader") } }
    stage.host.consents = [try require(request.yes)]
    try stage.load("reader")
    expect(stage.take(), is: ["mine"])
    expect(request.capabilities.description == "[fs.read, env=HOME]" && request.name == "reader")
    // The plugin's grants are its alone: the app has none.
    expect(stage.host.scripts?.app?.grants.isEmpty ?? false)
    try stage.host.reload(plugin: "reader")
    expect(stage.take(), is: ["mine"])
    // After any change it is another plugin.
    stage.write("return 2", to: "reader/sub/m.lua")
    let other = try #require(throws: LoadError.self) { try stage.host.reload(plugin: "reader") }
    expect(other.asks?.digest != request.digest && stage.host.plugins.count == 1)
    stage.host.granted = [try Capability.parse("fs.read"), try Capability.parse("env=HOME")]
    try stage.host.reload(plugin: "reader")
    expect(stage.host.plugins.count, is: 1)
  }

  @Test("S2: The consent names the folders that paths lead to, and covers only those, also if links change meanwhile")
  func consentToPaths() throws {
    let stage = try PluginStage([
      "p/plugin.lua": """
      plugin { name = 'p', version = '1', allow = { 'fs.read', 'fs.read=data', 'fs.write=made', 'fs.read=no/such' } }
      print(pcall(fs.read, 'data/a.txt'))
      print(pcall(fs.make, 'made'), fs.write('made/a.txt', ''))
      """,
      "one/a.txt": "one", "two/a.txt": "two", "p/data": "→../one",
    ])
    var requests: [ConsentRequest] = []
    func answer(_ request: ConsentRequest) -> Bool {
      requests.append(request)
      return true
    }
    try stage.consenting(answer) { try stage.load("p") }
    expect(stage.take(), is: ["true\tone", "true\ttrue"])
    let grants = requests[0].grants.map { stage.short("\($0)") }
    // A missing file's grant is the place where it would be made. A place that can't be made isn't granted.
    expect(grants, is: ["fs.read=p", "fs.read=one", "fs.write=p/made", "fs.read=no/such"])
    expect(requests[0].sentences.map(stage.short).prefix(2), is: ["read files below p", "read files below one"])
    // The folder is now the one in the consent. A link to another folder needs a new consent.
    stage.write("→../two", to: "p/data")
    try stage.consenting(answer) { try stage.host.reload(plugin: "p") }
    expect(requests[1].grants.map { stage.short("\($0)") }, is: ["fs.read=p", "fs.read=two"] + grants[2...])
    expect(requests[1].digest == requests[0].digest && requests[1].capabilities == requests[0].capabilities)
    _ = stage.take()
    // The folder changes while a person reads the question: the yes covers the folder that was shown.
    stage.host.consents = []
    let error = try #require(throws: LoadError.self) {
      try stage.consenting({ request in
        stage.write("→../other", to: "p/data")
        return answer(request)
      }) { try stage.host.reload(plugin: "p") }
    }
    expect(error.asks?.grants != requests[2].grants && stage.take() == [])
  }

  @Test("S2: A granted plugin runs only modules that are unchanged since the consent")
  func changedModules() throws {
    let stage = try PluginStage([
      "p/plugin.lua":
        "plugin { name = 'p', version = '1', allow = { 'env=HOME' } } function app.on:late() return require 'm' end",
      "p/m.lua": "return 'as it was'",
      "lone.lua": "plugin { name = 'lone', version = '1', allow = { 'env=HOME' } } require 'p.m'",
    ])
    try stage.consenting { try stage.load("p") }
    stage.write("return 'changed'", to: "p/m.lua")
    expect(
      stage.host.perform("late").error?.message.contains("has changed since the plugin's capabilities were granted")
        ?? false)
    stage.write("return 'as it was'", to: "p/m.lua")
    expect(stage.host.perform("late").line, is: "handled by app via on → text(\"as it was\")")
    let error = try #require(throws: LoadError.self) { try stage.consenting { try stage.load("lone.lua") } }
    expect(error.failure.message.contains("make it a folder with plugin.lua"))
  }

  // MARK: require

  @Test("S2: require finds Lua files below the script's folder, runs each once, and reports what is wrong")
  func requiring() throws {
    let outside = try PluginStage(["far.lua": "return 'far'"])
    let (_, stage) = try run(
      "",
      files: [
        "shapes/round.lua": "print('runs', ...) local m = {} function m.area(r) return 3 * r * r end return m",
        "nothing.lua": "seen = true", "a.lua": "return require 'b'", "b.lua": "return require 'a'",
        "broken.lua": "\nerror('in here')", "syntax.lua": "return = 1", "far.lua": "→\(outside.path)/far.lua",
        "gone.lua": "→\(outside.path)/gone.lua",
      ])
    stage.write(
      Self.helpers + """

        local round = require "shapes.round"
        print(round.area(2), require("shapes.round") == round, require "nothing", seen)
        fails(require, "far") fails(require, "none") fails(require, "a") fails(require, "../x") fails(require, "")
        fails(require, "/etc/passwd") fails(require, "shapes..round") fails(require, 1) fails(require, "syntax")
        fails(require, "gone") -- As "far", which is there.
        print(select(2, pcall(require, "broken")))
        """, to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    let lines = stage.take()
    expect(lines[..<2], is: ["runs\tshapes.round", "12\ttrue\ttrue\ttrue"])
    expect(
      lines[2].contains("leads out of the script's own folder")
        && lines[3].contains("there is no module 'none': can't read 'none.lua'"))
    expect(lines[4].contains("modules require each other in a circle: a → b → a"))
    expect(
      lines[5...8].allSatisfy { $0.contains("can't be a module's name") }
        && lines[9].contains("must be a string"))
    expect(
      lines[10].contains("syntax.lua:1") && lines[12].contains("broken.lua:2") && lines[12].contains("in here"),
      "\(lines)")
    expect(lines[11], is: lines[2].replacing("far.lua", with: "gone.lua"))
    let host = ScriptHost()
    let error = try #require(throws: LoadError.self) { try host.load(text: "require 'x'", name: "app.lua") }
    expect(error.failure.message.contains("was not read from a file"))
  }
}

extension String {
  /// The text, with the test's folder in place of the word.
  fileprivate func replacingFolder(_ path: String) -> String {
    guard let range = firstRange(of: "FOLDER") else { return self }
    return self[..<range.lowerBound] + path + self[range.upperBound...]
  }
}

/// Ends a thread that races with a script.
final class RacingFlag: Sendable {
  private let flag = Atomic(false)

  var isOver: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }
}

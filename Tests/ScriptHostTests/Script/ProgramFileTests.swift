import CInside
import CLua
import Expectations
import Glibc
import Testing

@testable import ScriptHost

@Suite("Programs given by path, and files opened without following links")
struct ProgramFileTests {
  private func copy(_ program: String, to path: String) throws {
    let real = try require(Grant.real(program))
    let bytes = try require(OpenedFile(real)?.read(most: 1 << 24))
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755)
    defer { close(file) }
    expect(Descriptor.write(bytes, to: file))
  }

  @Test(
    "S2: While a folder is exchanged with a link that leads out, only the granted program starts")
  func race() throws {
    let stage = try PluginStage(["data/d/x": "", "data/e": "→../out", "out/x": ""])
    try copy("/bin/true", to: "\(stage.path)/data/d/tool")
    try copy("/bin/false", to: "\(stage.path)/out/tool")
    stage.host.granted = [try Capability.parse("exec=\(stage.path)/data/d/tool")]
    stage.write(
      """
      function app.on:go()
        local ran, refused = 0, 0
        for tries = 1, 20000 do
          local ok, r = pcall(exec, "data/d/tool")
          if ok and r then ran = ran + 1 print(r.status) else refused = refused + 1 end
          if tries >= 150 and ran >= 20 and refused >= 20 then break end
        end
      end
      """, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    typealias Exchange =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    let exchange = unsafeBitCast(try require(dlsym(nil, "renameat2")), to: Exchange.self)
    let racing = RacingFlag()
    let (one, other) = ("\(stage.path)/data/d", "\(stage.path)/data/e")
    defer { racing.isOver = true }
    let racer = try TestThread {
      // AT_FDCWD and RENAME_EXCHANGE. The pauses have every length, so each of the two folders is there often.
      var turn: UInt32 = 0
      while !racing.isOver {
        _ = exchange(-100, one, -100, other, 2)
        turn += 1
        if turn % 4 == 0 { usleep(turn % 300) }
      }
    }
    _ = stage.host.perform("go", wait: true)
    racing.isOver = true
    try racer.join()
    let statuses = Set(stage.take())
    expect(statuses, is: ["0"], "1 is the program outside")
  }

  @Test(
    "S2: A script program has its path as $0, gets its first line's argument, and works in the given folder"
  )
  func scripts() throws {
    let stage = try PluginStage([
      "bin/run": "#! /bin/sh -u \necho \"$0 $1 $-\" && cat \"$(dirname \"$0\")/beside\"", "bin/beside": "text",
      "bin/bad": "#!/no/such/interpreter\n", "bin/closed": "#!/bin/sh\n", "bin/none": "neither\n",
    ])
    for name in ["run", "bad", "none"] { chmod("\(stage.path)/bin/\(name)", 0o755) }
    stage.host.granted = try ["run", "bad", "closed", "none"].map {
      try Capability.parse("exec=\(stage.path)/bin/\($0)")
    }
    stage.write(
      """
      function app.on:go()
        local r = exec("bin/run", { "given" }, { folder = "bin" }) print(r.out, r.err, r.status)
        for _, name in ipairs { "bad", "closed", "none" } do print(exec("bin/" .. name)) end
      end
      """, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    _ = stage.host.perform("go", wait: true)
    let said = stage.take()
    // `take` removes the folder of the stage.
    expect(said.first, is: "bin/run given u\ntext\t\t0", "\(said)")
    expect(
      said.dropFirst(), is: ["nil\tNo such file or directory", "nil\tPermission denied", "nil\tExec format error"],
      "\(said)")
  }

  @Test(
    "A script's first line is parsed as the system parses it",
    arguments: [
      ("#!/bin/sh\n", ["/bin/sh"]), ("#! /bin/sh\t-e  -u \nrest", ["/bin/sh", "-e  -u"]), ("#!/bin/sh", ["/bin/sh"]),
      ("#!\n", nil), ("#! \t\n", nil), ("#/bin/sh\n", nil), ("", nil), ("#!/bin/a\0b\n", nil),
      ("#!/" + String(repeating: "x", count: 300), nil),
    ] as [(String, [String]?)])
  func interpreters(text: String, words: [String]?) {
    expect(ProgramFile.interpreter(Array(text.utf8.prefix(256))), is: words)
  }

  @Test("Opening without links has the same result by one system call and part by part")
  func walks() throws {
    let stage = try PluginStage(["d/f": "in", "d/l": "→f", "e": "→d", "d/loop": "→loop"])
    let long = "/" + String(repeating: "x", count: 300)
    let paths = ["/d/f", "/d", "/d/", "//d//f", "/d/l", "/e/f", "/e", "/d/loop", "/none", "/d/none/x", "/d/f/x", long]
    let whole = paths.map { stage.path + $0 } + ["/", String(repeating: "/x", count: 3000)]
    let pathOnly: Int32 = 0o10_000_000
    let ways: [(String, Int32) -> Int32] = [{ clua_openWithoutLinks($0, $1) }, { OpenedFile.walk($0, $1) }]
    for path in whole {
      for flags in [O_RDONLY, pathOnly, pathOnly | O_DIRECTORY] {
        let opened = ways.map { open in
          let file = open(path, flags)
          let reason = errno
          if file >= 0 { close(file) }
          return file >= 0 ? 0 : reason == ENOTDIR ? ELOOP : reason
        }
        expect(opened[0], is: opened[1], "\(path) \(flags)")
      }
    }
  }
}

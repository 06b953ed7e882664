import CSocket
import Dispatch
import Expectations
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

/// The environment has the sockets' folder. All tests share it.
@Suite("The socket", .serialized) struct SocketTests {
  private func withRuntime<Result>(_ body: (Folder) throws -> Result) throws -> Result {
    let folder = try Folder()
    setenv("XDG_RUNTIME_DIR", folder.path, 1)
    defer {
      unsetenv("XDG_RUNTIME_DIR")
      for name in ["app.sock", "app.sock.lock"] { unlink("\(folder.path)/menuctl/\(name)") }
      rmdir("\(folder.path)/menuctl")
    }
    return try body(folder)
  }

  private func live() throws -> LiveHost {
    let host = ScriptHost()
    try host.load(text: "", name: "app.lua")
    return LiveHost(host)
  }

  private func permissions(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("L1, L13: The folder has mode 0700, the socket 0600, and nothing of it stays")
  func made() throws {
    try withRuntime { folder in
      let live = try live()
      try live.listen(name: "app")
      expect(permissions("\(folder.path)/menuctl"), is: 0o700)
      expect(permissions("\(folder.path)/menuctl/app.sock"), is: 0o600)
      try expect(RuntimeFolder.names(), is: ["app"])
      live.stop()
      try expect(RuntimeFolder.names() == [] && access("\(folder.path)/menuctl/app.sock.lock", F_OK) != 0)
    }
  }

  @Test("L1: A folder that is open to others, another user's, a link or no folder is refused")
  func refused() throws {
    try withRuntime { folder in
      let path = "\(folder.path)/menuctl"
      for mode in [0o701, 0o710, 0o777] as [mode_t] {
        mkdir(path, 0o700)
        chmod(path, mode)
        #expect(throws: LiveError.self) { try live().listen(name: "app") }
        let error = #expect(throws: LiveError.self) { try LiveSession.all() }
        expect(error?.message.contains("is open to others"), is: true)
        rmdir(path)
      }
      if geteuid() == 0 {
        mkdir(path, 0o700)
        chown(path, 65534, 65534)
        let error = #expect(throws: LiveError.self) { try live().listen(name: "app") }
        expect(error?.message.contains("belongs to another user"), is: true)
        rmdir(path)
      }
      symlink("/tmp", path)
      #expect(throws: LiveError.self) { try live().listen(name: "app") }
      unlink(path)
      close(creat(path, 0o600))
      #expect(throws: LiveError.self) { try live().listen(name: "app") }
      unlink(path)
      try live().listen(name: "app")
    }
  }

  @Test("L1: A name has 64 characters of [A-Za-z0-9_.-], and all others become '-'")
  func names() {
    let cases = [
      ("photos", "photos"), ("Mein Öl/x", "Mein--l-x"), ("", "app"), ("a_b.c-9", "a_b.c-9"),
      (String(repeating: "n", count: 100), String(repeating: "n", count: 64)), ("\u{1}\n", "--"),
    ]
    for (text, name) in cases { expect(SessionName.made(of: text), is: name) }
  }

  @Test(
    "L4: A second session of a live name is refused, with its process; a socket without a listener is taken over"
  )
  func taken() throws {
    try withRuntime { folder in
      let first = try live()
      try first.listen(name: "app")
      let error = #expect(throws: LiveError.self) { try live().listen(name: "app") }
      expect(
        error?.kind == .taken(process: getpid()) && error?.message == "'app' is a live app already: process \(getpid())"
      )
      first.stop()
      // As a killed session leaves it.
      let path = "\(folder.path)/menuctl/app.sock"
      let left = csocket_listen(path, 1)
      close(left)
      expect(access(path, F_OK), is: 0)
      let second = try live()
      try second.listen(name: "app")
      expect(csocket_connect(path, 1000) >= 0)
      second.stop()
    }
  }

  @Test("L3: The name of a session is offered while it runs, and not the leftovers of a killed one")
  func offered() throws {
    try withRuntime { folder in
      let live = try live()
      try live.listen(name: "app")
      try expect(LiveSession.names(), is: ["app"])
      live.stop()
      let path = "\(folder.path)/menuctl/app.sock"
      close(csocket_listen(path, 1))
      let lock = creat("\(path).lock", 0o600)
      expect(write(lock, "1", 1), is: 1)
      close(lock)
      try expect(RuntimeFolder.names() == ["app"] && LiveSession.names() == [])
    }
  }

  @Test("L3: Looking for running sessions never prevents the start of one")
  func lookers() throws {
    let folder = try Folder()
    let path = "\(folder.path)/app.sock"
    close(creat("\(path).lock", 0o600))
    let lookers = DispatchGroup()
    let until = DispatchTime.now() + .milliseconds(300)
    for _ in 0..<2 {
      DispatchQueue.global().async(group: lookers) {
        while DispatchTime.now() < until { _ = SessionLock.holder(of: path) }
      }
    }
    while DispatchTime.now() < until {
      let lock = try SessionLock.taken(for: path)
      expect(lock != nil)
      lock?.release()
      close(creat("\(path).lock", 0o600))
    }
    lookers.wait()
  }

  @Test(
    "L4: If the folder's files were deleted, a session's end leaves the socket and lock of the next one of its name"
  )
  func another() throws {
    let folder = try Folder()
    let path = "\(folder.path)/app.sock"
    let first = try live()
    try first.listen(path: path)
    for name in folder.entries { unlink("\(folder.path)/\(name)") }
    let second = try live()
    try second.listen(path: path)
    let leaving = first.leaving
    leaving()
    first.stop()
    expect(folder.entries, is: ["app.sock", "app.sock.lock"])
    let client = csocket_connect(path, 1000)
    expect(client >= 0)
    close(client)
    #expect(throws: LiveError.self) { try live().listen(path: path) }
    second.stop()
    expect(folder.entries, is: [])
  }

  @Test("L3, L4: If the queue of waiting clients is full, a new client gets an error, and the name counts as taken")
  func full() throws {
    let folder = try Folder()
    let path = "\(folder.path)/app.sock"
    let listener = csocket_listen(path, 1)
    var waiting: [Int32] = []
    defer { for descriptor in waiting + [listener] { close(descriptor) } }
    while true {
      let one = csocket_connect(path, 50)
      if one < 0 { break }
      waiting.append(one)
    }
    expect(errno == ETIMEDOUT && waiting.count < 10)
    let start = SystemClock().now
    let refusal = #expect(throws: Unanswered.self) { _ = try LiveClient(at: path, within: 100) }
    expect(refusal?.message == "the live app accepts no connection" && SystemClock().now - start < .seconds(5))
    #expect(throws: LiveError.self) { try live().listen(path: path) }
    expect(csocket_accept(listener) >= 0)
    try expect(LiveClient(at: path, within: 1000) != nil)
  }

  @Test("L4: An empty lock, as a full disk leaves it, has its process all the same")
  func unsigned() throws {
    let folder = try Folder()
    let path = "\(folder.path)/app.sock"
    let first = try live()
    try first.listen(path: path)
    expect(truncate("\(path).lock", 0), is: 0)
    let error = #expect(throws: LiveError.self) { try live().listen(path: path) }
    expect(error?.kind, is: .taken(process: getpid()))
    first.stop()
  }

  @Test(
    "L4: A socket with a listener but no lock is not taken over, and a file that is no socket is not deleted")
  func foreign() throws {
    let folder = try Folder()
    let path = "\(folder.path)/a.sock"
    let other = csocket_listen(path, 1)
    let error = #expect(throws: LiveError.self) { try live().listen(path: path) }
    expect(error?.kind, is: .taken(process: getpid()))
    close(other)
    unlink(path)
    close(creat(path, 0o600))
    #expect(throws: LiveError.self) { try live().listen(path: path) }
    expect(access(path, F_OK), is: 0)
    let long = "\(folder.path)/\(String(repeating: "x", count: 200)).sock"
    #expect(throws: LiveError.self) { try live().listen(path: long) }
  }

  @Test("L13: At most 128 clients are connected; the next gets an error and is closed, until one goes")
  func most() throws {
    let stage = try LiveStage(LiveStage.photos)
    var clients: [Wire] = []
    for _ in 0..<LiveHost.mostClients {
      clients.append(try stage.client())
      stage.live.turn()
    }
    expect(stage.turn(until: { stage.live.clients.count == 128 }))
    let next = try stage.client()
    expect(next.next()?.error, is: "-32000 128 clients are connected already, and that is the limit")
    expect(next.next() == nil && next.hasEnded)
    expect(clients[127].result("hello")["protocol"], is: .integer(1))
    clients.removeLast().end()
    expect(stage.turn(until: { stage.live.clients.count == 127 }))
    try expect(stage.client().result("hello")["protocol"], is: .integer(1))
  }

  @Test("Many connections one after the other leave nothing behind")
  func many() throws {
    let stage = try LiveStage(LiveStage.photos)
    let count = getenv("CONNECTIONS").flatMap { Int(String(cString: $0)) } ?? 300
    let before = descriptors
    for number in 0..<count {
      let client = try stage.client()
      switch number % 3 {
      case 0: expect(client.result("hello")["protocol"], is: .integer(1))
      case 1: client.write("{\"jsonrpc\": \"2.0\", \"id\"")
      default: break
      }
      client.end()
      stage.live.turn()
    }
    expect(stage.turn(until: { stage.live.clients.isEmpty }))
    expect(descriptors < before + count / 4, "what other tests opened meanwhile is little beside that")
  }

  /// The number of open descriptors of this process. Other tests open some too, so the smallest count is taken.
  private var descriptors: Int {
    var fewest = Int.max
    for _ in 0..<20 {
      guard let stream = opendir("/proc/self/fd") else { return 0 }
      var count = 0
      while readdir(stream) != nil { count += 1 }
      closedir(stream)
      fewest = min(fewest, count)
    }
    return fewest
  }

  @Test("A session continues when its folder is deleted, and ends as usual")
  func folderGone() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    _ = client.ask("hello")
    for name in stage.folder.entries { unlink("\(stage.folder.path)/\(name)") }
    rmdir(stage.folder.path)
    expect(client.result("perform", #"{"ref": "rate(stars: 5)"}"#)["status"], is: .text("handled"))
    stage.live.stop()
    expect(client.next() == nil || client.hasEnded)
  }

  @Test("stop notifies clients, cancels waiting actions and takes them back")
  func stop() throws {
    let stage = try LiveStage(
      "done = 0 function app.on:nap(ctx) done = 1 ctx:undo(function() done = 2 end) sleep(1000) end")
    let (one, other) = (try stage.client(), try stage.client())
    _ = one.ask("subscribe", #"{"to": ["app", "jobs"]}"#)
    _ = other.ask("perform", #"{"ref": "nap"}"#)
    expect(other.result("stop")["stopping"], is: .bool(true))
    try expect(stage.value("done"), is: "integer(2)")
    one.read()
    let told = one.lines.compactMap { $0["params"]?.written }
    expect(told.last == #"{"stopping": true}"# && told.dropFirst().first?.contains("cancelled") == true)
  }
}

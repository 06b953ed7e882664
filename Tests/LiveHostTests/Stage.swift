import CSocket
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

/// A live host of a script, with clients on real sockets. Its loop turns whenever a client waits.
final class LiveStage {
  let host: ScriptHost
  let live: LiveHost
  let folder: Folder
  var path: String { "\(folder.path)/app.sock" }

  init(_ script: String, clock: HostClock = SystemClock()) throws {
    folder = try Folder()
    host = ScriptHost(clock: clock)
    try host.load(text: script, name: "app.lua")
    live = LiveHost(host)
    try live.listen(path: path)
  }

  deinit { live.stop() }

  /// The result of a line of Lua, as a text.
  func value(_ line: String) throws -> String { "\(try host.evaluate(line).first ?? .null)" }

  func client() throws -> Wire { try Wire(path, stage: self) }

  /// Turns the loop until a condition holds. False if it never does.
  @discardableResult
  func turn(until isSo: () -> Bool, within seconds: Double = 60) -> Bool {
    let start = SystemClock().now
    while !isSo() {
      live.turn()
      if SystemClock().now - start > .seconds(seconds) { return false }
      usleep(200)
    }
    return true
  }

  static let photos = """
    app.title = "Photos"
    stars = 0
    menubar { menu "Image" {
      item "Rate" { "rate(stars: 5)", key = "r" },
      separator,
      item "Clear" { "rate(stars: 0)", key = "g c" },
    } }
    function app.on:rate(ctx) stars = ctx.stars return stars end
    function app.can:rate(ctx) return stars ~= ctx.stars, "it has so many" end
    """
}

/// A folder that is deleted after the test.
final class Folder {
  let path: String

  init() throws {
    var name = Array("/tmp/menuctl-live-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw CannotMake() }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  struct CannotMake: Error {}

  deinit {
    for name in entries { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var entries: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// A client of a test: bytes in, lines out.
final class Wire {
  let descriptor: Int32
  private unowned let stage: LiveStage
  private var bytes: [UInt8] = []
  private(set) var lines: [JSON] = []
  /// All received bytes.
  private(set) var rawLines: [String] = []
  private(set) var hasEnded = false
  private var lastID = 0

  struct NoConnection: Error { let number: Int32 }

  init(_ path: String, stage: LiveStage) throws {
    descriptor = csocket_connect(path, 1000)
    if descriptor < 0 { throw NoConnection(number: errno) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    self.stage = stage
  }

  deinit { end() }

  private var isOpen = true

  func end() {
    if isOpen { close(descriptor) }
    isOpen = false
  }

  /// Closes the sending side.
  func endOfInput() { shutdown(descriptor, Int32(SHUT_WR)) }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes all bytes, and turns the loop if the socket is full.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { csocket_send(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno == EAGAIN { stage.live.turn() } else { return }
    }
  }

  /// Reads what has come.
  func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while isOpen {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 || count < 0 && errno != EAGAIN { hasEnded = true }
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      rawLines.append(String(decoding: bytes[..<end], as: UTF8.self))
      lines.append((try? JSONReader.read(bytes[..<end])) ?? .null)
      bytes.removeFirst(end + 1)
    }
  }

  /// The next line. Turns the loop until it comes, and is nil if none does.
  func next(within seconds: Double = 60) -> JSON? {
    stage.turn(
      until: {
        read()
        return !lines.isEmpty || hasEnded
      }, within: seconds)
    return lines.isEmpty ? nil : lines.removeFirst()
  }

  /// Sends a request, with its version and number added.
  @discardableResult
  func send(_ method: String, _ parameters: String = "{}") -> Int {
    lastID += 1
    write("{\"jsonrpc\": \"2.0\", \"id\": \(lastID), \"method\": \"\(method)\", \"params\": \(parameters)}\n")
    return lastID
  }

  /// Sends a request and returns the whole answer. Notifications that come meanwhile are in `told`.
  func ask(_ method: String, _ parameters: String = "{}") -> JSON {
    let id = send(method, parameters)
    return answer(to: id)
  }

  func answer(to id: Int) -> JSON {
    while let line = next() {
      if line["id"]?.integer == id { return line }
      told.append(line)
    }
    return .null
  }

  /// The result in the answer.
  func result(_ method: String, _ parameters: String = "{}") -> JSON { ask(method, parameters)["result"] ?? .null }

  /// The notifications that came before answers.
  var told: [JSON] = []

  /// Waits for a notification.
  func notification(_ method: String) -> JSON? {
    if let index = told.firstIndex(where: { $0["method"]?.text == method }) { return told.remove(at: index)["params"] }
    while let line = next() {
      if line["method"]?.text == method { return line["params"] }
      told.append(line)
    }
    return nil
  }

  var toldNames: [String] { told.compactMap { $0["method"]?.text } }
}

extension JSON {
  /// The JSON text, for comparing.
  var written: String { JSONText.text(self) }

  /// A JSON-RPC error in one line.
  var error: String? {
    self["error"].map { "\($0["code"]?.integer ?? 0) \($0["message"]?.text ?? "")" }
  }
}

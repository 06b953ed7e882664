import Glibc

/// A client of a live app without the tool's code: it connects, sends lines and reads when a test wants it.
final class RawClient {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  struct NoConnection: Error { let number: Int32 }

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 { throw NoConnection(number: errno) }
  }

  deinit { close(descriptor) }

  /// Sends a request, as far as the system accepts it now.
  func send(_ method: String, _ parameters: String = "{}") {
    let line = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\(method)\", \"params\": \(parameters)}\n"
    _ = line.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
  }

  /// The next line. Nil if none comes within some seconds.
  func line(within seconds: Int32 = 20) -> String? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, seconds * 1000) > 0 else { return nil }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return nil }
      bytes += chunk[..<count]
    }
  }

  /// Sends a request and returns the answer as text. Notifications are skipped.
  func ask(_ method: String, _ parameters: String = "{}") -> String? {
    send(method, parameters)
    while let line = line() { if line.contains("\"id\": 1") { return line } }
    return nil
  }
}

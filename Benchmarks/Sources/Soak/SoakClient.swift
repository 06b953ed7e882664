import Glibc

/// A client of a live app on a socket of its own, that says what it is told to and throws away what it hears.
final class SoakClient {
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// How many answers it has had, and how many notifications.
  private(set) var answers = 0
  private(set) var told = 0
  /// The beginning of the line that is under way.
  private var start: [UInt8] = []

  init(at path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 { throw Unreached(path: path, number: errno) }
  }

  struct Unreached: Error {
    let path: String
    let number: Int32
  }

  deinit { close(descriptor) }

  func say(_ method: String, _ parameters: String) {
    let line = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\(method)\", \"params\": \(parameters)}\n"
    _ = line.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  /// Reads what has come, and counts it.
  func hear() {
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return }
      for byte in buffer[..<count] {
        if byte == 0x0A {
          if start.elementsEqual(Self.answer) { answers += 1 } else { told += 1 }
          start.removeAll(keepingCapacity: true)
        } else if start.count < Self.answer.count {
          start.append(byte)
        }
      }
    }
  }

  private static let answer = Array("{\"jsonrpc\": \"2.0\", \"id\"".utf8)
}

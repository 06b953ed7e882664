import Glibc

func readFile(_ path: String) throws -> String { String(decoding: try readBytes(path), as: UTF8.self) }

private func readBytes(_ path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw BenchError("\(path) can't be read") }
  defer { fclose(file) }
  return bytes(of: file)
}

func readAll(of file: UnsafeMutablePointer<FILE>) -> String { String(decoding: bytes(of: file), as: UTF8.self) }

private func bytes(of file: UnsafeMutablePointer<FILE>) -> [UInt8] {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}

/// A folder for files of this run, which goes with its last user.
final class TemporaryFolder {
  let path: String
  private var files: [String] = []

  init(_ name: String) throws {
    path = "/tmp/bench-\(name).\(getpid())"
    guard mkdir(path, 0o700) == 0 else { throw BenchError("\(path) can't be made") }
  }

  /// Writes a file into it; its path.
  func write(_ name: String, _ text: String) throws -> String {
    let file = self.file(name)
    try writeFile(file, text)
    return file
  }

  /// Copies a program into it; the path of the copy.
  func copy(_ program: String, as name: String) throws -> String {
    let file = self.file(name)
    try writeFile(file, try readBytes(program))
    chmod(file, 0o755)
    return file
  }

  /// The path of a file that somebody else writes.
  func file(_ name: String) -> String {
    files.append("\(path)/\(name)")
    return "\(path)/\(name)"
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }
}

func writeFile(_ path: String, _ text: String) throws { try writeFile(path, Array(text.utf8)) }

private func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  guard let file = fopen(path, "w") else { throw BenchError("\(path) can't be written") }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw BenchError("\(path) can't be written") }
}

/// A number with so many digits after the point.
func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard digits > 0 else { return "\(sign)\(scaled)" }
  let fraction = String(scaled % scale)
  return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
}

func writeError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(2, bytes, bytes.count)
}

import Expectations
import Glibc
import LiveHost
import Testing

/// The process's own output: writing never waits for a reader.
@Suite("Outlets") struct OutletTests {
  private func line(_ number: Int) -> [UInt8] {
    Array("\(number) \(String(repeating: "x", count: 100_000))\n".utf8)
  }

  /// Reads what is there.
  private func read(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 0) > 0 else { return bytes }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count <= 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  @Test(
    "Unread output is kept up to a limit; further lines are dropped, and their number is reported once the rest is read"
  )
  func unread() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    defer { for end in ends { close(end) } }
    let outlet = Outlet(ends[1])
    var dropped: [Int] = []
    outlet.onDropped = { dropped.append($0) }
    let count = 2 * Outlet.queue / 100_000
    for number in 0..<count { outlet.write(line(number)) }
    expect(outlet.isWaiting && dropped.isEmpty)
    outlet.write(Array("\(count) there is room for this, behind what was dropped\n".utf8))
    var out: [UInt8] = []
    while outlet.isWaiting {
      out += read(ends[0])
      outlet.flush()
    }
    out += read(ends[0])
    let lines = out.split(separator: UInt8(ascii: "\n"))
    expect(lines.count < count && lines.count > 30 && dropped == [count + 1 - lines.count])
    expect(lines.enumerated().allSatisfy { $1.starts(with: "\($0) ".utf8) }, "whole, and in their order")
    outlet.write(Array("on\n".utf8))
    expect(read(ends[0]), is: Array("on\n".utf8))
    expect(fcntl(ends[1], F_GETFL) & O_NONBLOCK, is: 0, "others who have the descriptor wait as before")
  }

  @Test("If no reader is left, the outlet has the error and keeps nothing")
  func broken() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    signal(SIGPIPE, SIG_IGN)
    let outlet = Outlet(ends[1])
    close(ends[0])
    outlet.write(line(1))
    expect(outlet.error == EPIPE && !outlet.isWaiting)
    close(ends[1])
  }

  @Test("An outlet writes to a socket and a file too")
  func kinds() throws {
    var ends: [Int32] = [-1, -1]
    _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    let outlet = Outlet(ends[1])
    for number in 0..<20 { outlet.write(line(number)) }
    expect(outlet.isWaiting)
    for end in ends { close(end) }
    let folder = try Folder()
    let file = creat("\(folder.path)/out", 0o600)
    defer { close(file) }
    let other = Outlet(file)
    for number in 0..<20 { other.write(line(number)) }
    var status = stat()
    expect(!other.isWaiting && fstat(file, &status) == 0 && status.st_size > 2_000_000)
  }
}

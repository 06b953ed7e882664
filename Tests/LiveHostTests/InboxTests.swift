import Expectations
import Glibc
import Testing

@testable import LiveHost

/// Input and output in portions of any size are the same lines.
@Suite("Inbox and outbox") struct InboxTests {
  private static let longest = 10_000

  /// The lines of an inbox whose bytes come in portions. A line that is too long is nil.
  private func lines(of bytes: [UInt8], portion: () -> Int) -> [[UInt8]?] {
    var inbox = Inbox(longest: Self.longest)
    var rest = bytes[...]
    var lines: [[UInt8]?] = []
    while !rest.isEmpty {
      let got = inbox.fill { room in
        let count = min(room.count, rest.count, portion())
        room.copyBytes(from: rest.prefix(count))
        return count
      }
      rest = rest.dropFirst(got)
      while let line = inbox.next() {
        switch line {
        case .text(let text): lines.append(Array(text))
        case .tooLong: lines.append(nil)
        }
      }
      if inbox.hasLine { Issue.record("there is a line that nobody gets") }
    }
    return lines
  }

  @Test("L9: Lines are the same for any portions, and lines that are too long are dropped")
  func portions() {
    for seed in 0..<200 as Range<UInt64> {
      var chance = Chance(seed)
      let lengths = (0..<20).map { _ in
        [chance(10), chance(100), chance(5000), 10_000 + chance(2), 9000 + chance(60_000)][chance(5)]
      }
      let lines = lengths.enumerated().map { number, length in
        [UInt8](repeating: UInt8(ascii: "a") + UInt8(number), count: length)
      }
      let expected = lines.map { $0.count > Self.longest ? nil : $0 }
      let bytes = Array(lines.joined(separator: [0x0A])) + [0x0A] + Array("half".utf8)
      let found = self.lines(of: bytes) { 1 + [chance(3), chance(300), chance(100_000)][chance(3)] }
      expect(found, is: expected, "seed \(seed)")
    }
  }

  @Test("Several short lines are written at once, in order, and the rest waits")
  func gathering() {
    var outbox = Outbox()
    let long = [UInt8](repeating: UInt8(ascii: "l"), count: 100_000)
    let lines = [Array("one\n".utf8), Array("two\n".utf8), long, Array("three\n".utf8), Array("four\n".utf8)]
    for line in lines { outbox.add(line) }
    var written: [Int] = []
    var out: [UInt8] = []
    var isFull = false
    let error = outbox.flush { bytes in
      if isFull {
        errno = EAGAIN
        return -1
      }
      isFull = written.count == 2
      let count = isFull ? 5 : bytes.count
      out += bytes.prefix(count)
      written.append(count)
      return count
    }
    expect(error == nil && written == [8, 100_000, 5] && outbox.waiting == 6)
    outbox.add(Array("five\n".utf8))
    _ = outbox.flush { bytes in
      out += bytes
      written.append(bytes.count)
      return bytes.count
    }
    expect(written == [8, 100_000, 5, 6, 5] && outbox.waiting == 0)
    expect(out, is: Array((lines + [Array("five\n".utf8)]).joined()))
  }

  @Test("Notifications and answers go out in order, for any portions")
  func tellingAndAnswering() {
    for seed in 0..<100 as Range<UInt64> {
      var chance = Chance(seed)
      var outbox = Outbox()
      var (expected, out): ([UInt8], [UInt8]) = ([], [])
      let told = [UInt8](repeating: UInt8(ascii: "t"), count: 7)
      for number in 0..<50 {
        let answer = [UInt8](repeating: UInt8(ascii: "a") + UInt8(number % 16), count: 1 + chance(9000))
        if chance(3) == 0 {
          outbox.add(told)
          expected += told
        } else {
          answer.withUnsafeBufferPointer { outbox.add($0) }
          expected += answer
        }
        var room = chance(2) == 0 ? Int.max : chance(10_000)
        _ = outbox.flush { bytes in
          let count = min(bytes.count, room)
          guard count > 0 else {
            errno = EAGAIN
            return -1
          }
          out += bytes.prefix(count)
          room -= count
          return count
        }
      }
      _ = outbox.flush { bytes in
        out += bytes
        return bytes.count
      }
      expect(out == expected && outbox.waiting == 0, "seed \(seed)")
      expect(told.allSatisfy { $0 == UInt8(ascii: "t") }, "what many are told is written over")
    }
  }
}

/// Numbers below a limit, the same for the same seed.
private struct Chance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 6_364_136_223_846_793_005 &+ 1 }

  mutating func callAsFunction(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}

import Dispatch
import Glibc
import ScriptHost
import Testing

@testable import Terminal

/// What happened, in order, a letter each. Threads write it and the test reads it.
private struct Story {
  private let ends = Descriptor.pipe() ?? (-1, -1)

  func add(_ letter: Character) {
    var byte = letter.asciiValue ?? 0
    _ = write(ends.write, &byte, 1)
  }

  /// All that was written; nothing can be added any more.
  func end() -> String {
    close(ends.write)
    defer { close(ends.read) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends.read, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

@Suite("The face: its terminal is lent") struct TerminalLenderTests {
  /// Once the byte of a face that had left too late was taken for its answer to the next ring.
  @Test(
    "A face that left too late lends its terminal when it has left again, not before",
    arguments: [(isBetween: true, "LETL.xE"), (isBetween: false, "LEL.T.xE")])
  func late(isBetween: Bool, story: String) {
    let lender = TerminalLender()
    let told = Story()
    lender.serve { told.add($0 == TerminalLender.leave ? "L" : "E") }
    #expect(lender.lent.lend() == nil)
    let leaves = { @Sendable (letter: Character) in
      told.add(letter)
      lender.hasLeft()
    }
    if isBetween { leaves("T") }
    let thread = DispatchGroup()
    DispatchQueue.global().async(group: thread) {
      // A terminal that is given away too early is back before this.
      usleep(300_000)
      told.add(".")
      if !isBetween {
        leaves("T")
        usleep(300_000)
        told.add(".")
      }
      leaves("x")
    }
    if lender.lent.lend() != nil { lender.lent.takeBack() }
    thread.wait()
    #expect(told.end() == story)
  }
}

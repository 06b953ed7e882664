import Dispatch
import Expectations
import Glibc
import ScriptHost
import Testing

@testable import Terminal

/// The events, in order, a letter each. Threads write it and the test reads it.
private struct Story {
  private let ends = Descriptor.pipe() ?? (-1, -1)

  func add(_ letter: Character) {
    var byte = letter.asciiValue ?? 0
    _ = write(ends.write, &byte, 1)
  }

  /// All events so far; no more can be added.
  func end() -> String {
    close(ends.write)
    defer { close(ends.read) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends.read, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

@Suite("The face: it lends its terminal") struct TerminalLenderTests {
  /// The lender once took the late byte of a face for its answer to the next ring.
  @Test(
    "A face that left too late lends its terminal when it leaves again, not before",
    arguments: [(isBetween: true, "LETL.xE"), (isBetween: false, "LEL.T.xE")])
  func late(isBetween: Bool, story: String) {
    let lender = TerminalLender()
    let told = Story()
    lender.serve { told.add($0 == TerminalLender.leave ? "L" : "E") }
    expect(lender.lent.lend(), is: nil)
    let leaves = { @Sendable (letter: Character) in
      told.add(letter)
      lender.hasLeft()
    }
    if isBetween { leaves("T") }
    let thread = DispatchGroup()
    DispatchQueue.global().async(group: thread) {
      // If the lender gave the terminal away too early, it would be back before this.
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
    expect(told.end(), is: story)
  }
}

import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: keys that come in one read") struct FaceOrderTests {
  @Test("A question and its button are about the same row if the keys for both come in one read")
  func questions() throws {
    let stage = try FaceStage(rowsAndSearch)
    try stage.rush("down d")
    expect(stage.picture.contains("Delete two for good?"), "\(stage.picture)")
    expect(stage.picture.contains("[ ! Delete two ]"), "\(stage.picture)")
    try stage.rush("y")
    expect(stage.bottom, is: " ✓ Delete two")
    try expect(stage.value("table.concat(done, ', ')"), is: "\"delete two\"")
  }

  @Test("Keys after the key that opens a modal session belong to the session")
  func sessions() throws {
    let stage = try FaceStage(rowsAndSearch)
    try stage.rush("s b e a d s x esc d")
    try expect(stage.value("table.concat(done, ', ')"), is: "\"found beadsx\"")
    expect(stage.picture.contains("Delete one for good?"), "\(stage.picture)")
  }

  @Test("Keys after a move act on the screen that the new current row opened")
  func afterMoves() throws {
    let stage = try FaceStage(rowsAndSearch + "\nlist.on.look = list.on.search")
    try stage.rush("down a b esc")
    try expect(stage.value("table.concat(done, ', ')"), is: "\"found ab\"")
  }

  @Test("A sequence, a palette, a menu and boxes opened from them take the keys that follow")
  func opens() throws {
    let stage = try FaceStage(rowsAndSearch)
    try stage.rush("ctrl+p s e a r c h enter a b esc")
    try expect(stage.value("table.concat(done, ', ')"), is: "\"found ab\"")
    try stage.rush("f10 s c esc g g g g d n")
    try expect(stage.value("table.concat(done, ', ')"), is: "\"found ab, found c, top, top\"")
    try stage.rush("down down ? esc d y")
    try expect(stage.value("done[#done]"), is: "\"delete three\"")
  }

  @Test("ctrl+c drops the waiting keys")
  func dropped() throws {
    let stage = try FaceStage(rowsAndSearch)
    for input in try FaceStage.inputs("down d y ctrl+c") { stage.face.take(input, at: .zero) }
    stage.settle()
    try expect(stage.value("#done"), is: "0")
  }

  @Test("The face takes a thousand keys in one read; after more it shows that keys are lost")
  func many() throws {
    let stage = try FaceStage(rowsAndSearch)
    let letters = try FaceStage.inputs("s") + Array(repeating: try FaceStage.inputs("a")[0], count: 1000)
    for input in letters { stage.face.take(input, at: .zero) }
    while !stage.face.early.isEmpty { stage.settle() }
    stage.settle()
    try expect(stage.value("#state.found"), is: "1000", "\(stage.picture)")
    for _ in 0..<5 { for input in letters { stage.face.take(input, at: .zero) } }
    expect(stage.picture.contains("the last keys"), "\(stage.picture)")
  }

  @Test(
    "Any keys, in any reads, act as one by one, and a question is about the action that its yes performs")
  func random() throws {
    for seed: UInt64 in 0..<(isUnoptimized ? 200 : 600) {
      let fault = Self.bytes(seed).withUnsafeBufferPointer(FaceCheck().fault)
      try require(fault == nil, "seed \(seed): \(fault ?? "")")
    }
  }

  @Test("The check finds keys that don't wait, and a question whose button is about another row")
  func checkCanFail() throws {
    let late = rowsAndSearch.replacing("tostring(state.current) .. \" for good", with: "\"another\" .. \" for good")
    for (check, words) in [
      (FaceCheck { face, input in face.act(on: input) }, "fast keys did"), (FaceCheck(script: late), "has the button"),
    ] {
      let faults = (0..<60 as Range<UInt64>).compactMap { Self.bytes($0).withUnsafeBufferPointer(check.fault) }
      expect(faults.contains { $0.contains(words) }, "\(faults)")
    }
  }

  private static func bytes(_ seed: UInt64) -> [UInt8] {
    var chance = Chance(seed: seed)
    return (0..<chance.below(30)).map { _ in UInt8(chance.below(128)) | (chance.below(4) == 0 ? 0x80 : 0) }
  }
}

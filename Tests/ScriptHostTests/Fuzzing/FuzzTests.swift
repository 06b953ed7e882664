import Expectations
import Testing

@testable import ScriptHost

/// The checks of the fuzzers, on the inputs that they kept and on planted faults.
@Suite("Fuzzing")
struct FuzzTests {
  @Test("Every input that the fuzzer of keys kept is sound")
  func keys() throws {
    let inputs = try Corpus.inputs("keys")
    expect(inputs.count >= 115)
    for (name, bytes) in inputs {
      let fault = bytes.withUnsafeBufferPointer(KeyCheck().fault)
      expect(fault, is: nil, "\(name)")
    }
  }

  @Test("Every input that the fuzzer of colours kept is sound")
  func colours() throws {
    let inputs = try Corpus.inputs("ansi")
    expect(inputs.count >= 1)
    for (name, bytes) in inputs {
      let fault = bytes.withUnsafeBufferPointer(ANSICheck().fault)
      expect(fault, is: nil, "\(name)")
    }
  }

  @Test("The check of colours finds an escape that is left, a colour that is lost, and a style that carries too far")
  func coloursCanFail() {
    let text = Array("a\u{1B}[31mb\nc\u{1B}[md".utf8)
    let faults = [
      ANSICheck { StyledText($1) }, ANSICheck { StyledText(ansi: $1) },
      ANSICheck { reader, text in StyledText(reader.read(text).spans.map { .init($0.text, TextStyle(.quiet)) }) },
    ].map { check in text.withUnsafeBufferPointer(check.fault) }
    expect(faults[0], is: "27 is left")
    expect(faults[1]?.hasPrefix("its lines by themselves are") ?? false)
    expect(faults[2], is: "two spans are both 'quiet'")
  }

  @Test("Every input that the fuzzer of menus kept is sound")
  func menus() throws {
    let inputs = try Corpus.inputs("menu")
    expect(inputs.count >= 222)
    for (name, bytes) in inputs {
      let fault = bytes.withUnsafeBufferPointer(MenuCheck().fault)
      expect(fault, is: nil, "\(name)")
    }
  }

  @Test("Every input that the fuzzer of scripts kept is sound")
  func scripts() throws {
    let inputs = try Corpus.inputs("script")
    expect(inputs.count >= 1671)
    for (index, (name, bytes)) in inputs.enumerated() where !isUnoptimized || index.isMultiple(of: 4) {
      let fault = bytes.withUnsafeBufferPointer(ScriptCheck().fault)
      expect(fault, is: nil, "\(name)")
    }
  }

  @Test("The check of scripts finds an action that removes an unrelated plugin's handler")
  func scriptsCanFail() {
    var numbers = Chance(seed: 13)
    let found = (0..<3000).contains { _ in
      let bytes = (0..<500).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
      return bytes.withUnsafeBufferPointer(ScriptCheck(isPlanted: true).fault)?.hasPrefix("the canary is not itself")
        ?? false
    }
    expect(found)
  }

  @Test("Nearly all scripts of the script fuzzer can be read, and every kind of value occurs in them")
  func scriptsAreScripts() throws {
    var numbers = Chance(seed: 17)
    let lua = try LuaState()
    var unread: [String] = []
    let rounds = 1000
    for _ in 0..<rounds {
      var writer = ScriptWriter(Choices((0..<600).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }))
      let text = writer.script()
      do { _ = try lua.load(text, name: "app.lua") } catch { unread.append("\(error)") }
    }
    expect(unread.count < rounds / 50, "\(unread.prefix(20).joined(separator: "\n"))")
  }

  @Test("The fuzzer of scripts knows every call and every field of the host")
  func scriptsHaveAll() throws {
    let stage = try ScriptStage("")
    let engine = try stage.host.scriptEngine()
    let calls =
      [engine.appCalls, engine.responderCalls, engine.windowCalls, engine.jobCalls].flatMap(\.names)
      + ScriptEngine.builderCalls.map(\.name)
    expect(Set(calls).subtracting(ScriptWriter.methods), is: [])
    let app = try require(stage.host.find("app"))
    let fields = engine.hostFieldNames(of: app).subtracting(calls)
    expect(fields.subtracting(ScriptWriter.fields), is: [])
    let words = Set(ScriptEngine.scriptNames.map(\.name)).subtracting([
      "app", "null", "pass", "separator", "clipboard", "fs", "json", "os",
    ])
    expect(words.subtracting(ScriptWriter.freeCalls), is: [])
  }

  @Test("The check of keys finds a spelling that forgets a modifier, and a spelling that isn't canonical")
  func keysCanFail() {
    let text = Array("shift+super+k".utf8)
    let faults = [
      KeyCheck { $0.text.replacing("shift+", with: "") }, KeyCheck { $0.text + "+" },
    ].map { check in text.withUnsafeBufferPointer(check.fault) }
    expect(
      faults,
      is: [
        "'super+k' is other keys", "'shift+super+k+' can't be read",
      ])
  }

  @Test("The check of menus finds changes that miss a move, a removal or an update")
  func menusCanFail() throws {
    for name in ["move", "remove", "insert", "update"] {
      let check = MenuCheck { MenuChanges(from: $0, to: $1).all.filter { $0.name != name } }
      var numbers = Chance(seed: 7)
      let found = (0..<400).contains { _ in
        let bytes = (0..<200).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
        return bytes.withUnsafeBufferPointer(check.fault) != nil
      }
      expect(found, "\(name)")
    }
  }

  @Test("Menus and keys are sound for any bytes")
  func random() throws {
    var numbers = Chance(seed: 11)
    for round in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...300, using: &numbers)).map { _ in
        UInt8.random(in: .min ... .max, using: &numbers)
      }
      let faults = bytes.withUnsafeBufferPointer {
        [MenuCheck().fault(in: $0), KeyCheck().fault(in: $0), ANSICheck().fault(in: $0)]
      }
      try require(faults == [nil, nil, nil], "round \(round)")
    }
  }
}

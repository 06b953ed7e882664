import Expectations
import ScriptHost
import Testing

@testable import Terminal

extension TerminalInput {
  /// The input as tests write it.
  var shown: String {
    switch self {
    case .key(let stroke, let text): text.map { "\(stroke.text) '\($0)'" } ?? stroke.text
    case .mouse(let mouse):
      "\(mouse.modifiers.names.map { $0 + "+" }.joined())\(mouse.deed.shown) \(mouse.row):\(mouse.column)"
    case .paste(let text): "paste '\(text)'"
    case .focus(let isIn): isIn ? "focus in" : "focus out"
    case .answer(let answer): "\(answer)"
    }
  }
}

extension Mouse.Deed {
  fileprivate var shown: String {
    switch self {
    case .press(let button): "press \(button)"
    case .release(let button): "release \(button)"
    case .move(let button): button.map { "drag \($0)" } ?? "move"
    case .wheel(let rows, let columns): "wheel \(rows) \(columns)"
    }
  }
}

@Suite("Input from terminals") struct InputDecoderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The bytes, with `^` for an escape.
    let bytes: String
    let inputs: [String]
    var testDescription: String { bytes.debugDescription }

    init(_ bytes: String, _ inputs: String...) {
      self.bytes = bytes
      self.inputs = inputs
    }

    var sent: [UInt8] { Array(bytes.replacing("^", with: "\u{1B}").utf8) }
  }

  static let plain = [
    Case("a", "a 'a'"), Case("A", "shift+a 'A'"), Case("?", "? '?'"), Case(" ", "space ' '"), Case("é", "é 'é'"),
    Case("É", "shift+é 'É'"), Case("日", "日 '日'"), Case("👍", "👍 '👍'"), Case("ß", "ß 'ß'"),
    Case("\r", "enter"), Case("\t", "tab"), Case("\u{7F}", "backspace"), Case("\u{8}", "ctrl+h"),
    Case("\u{0}", "ctrl+space"),
    Case("\u{1}", "ctrl+a"), Case("\u{1A}", "ctrl+z"), Case("\n", "ctrl+j"), Case("\u{1C}", "ctrl+\\"),
    Case("\u{1F}", "ctrl+_"), Case("ab", "a 'a'", "b 'b'"),
    Case("^a", "alt+a"), Case("^A", "alt+shift+a"), Case("^\r", "alt+enter"), Case("^\u{7F}", "alt+backspace"),
    Case("^\u{1}", "ctrl+alt+a"), Case("^é", "alt+é"), Case("^ ", "alt+space"),
    Case("^^", "esc", "esc"), Case("^^[A", "esc", "up"), Case("^", "esc"), Case("^[", "alt+["),
    Case("^O", "alt+shift+o"),
    Case("^]", "alt+]"),
  ]

  static let sequences = [
    Case("^[A", "up"), Case("^OA", "up"), Case("^[1;5C", "ctrl+right"), Case("^[1;2D", "shift+left"),
    Case("^O5A", "ctrl+up"),
    Case("^[H", "home"), Case("^[F", "end"), Case("^[1~", "home"), Case("^[4~", "end"), Case("^[5~", "pageup"),
    Case("^[6;3~", "alt+pagedown"), Case("^[3~", "delete"), Case("^[2~", "insert"), Case("^[Z", "shift+tab"),
    Case("^OP", "f1"), Case("^[15~", "f5"), Case("^[24;6~", "ctrl+shift+f12"), Case("^[1;2R", "shift+f3"),
    Case("^[29~", "menu"), Case("^[21~", "f10"), Case("^[21;2~", "shift+f10"), Case("^OM", "kpenter"),
    Case("^Oq", "kp1"),
    Case("^[I", "focus in"), Case("^[O", "focus out"),
    // The kitty protocol.
    Case("^[97;5u", "ctrl+a"), Case("^[122;6u", "ctrl+shift+z"), Case("^[27u", "esc"), Case("^[13;5u", "ctrl+enter"),
    Case("^[9;5u", "ctrl+tab"), Case("^[97;5:3u"), Case("^[97;5:2u", "ctrl+a"), Case("^[1;1:3A"),
    Case("^[57363u", "menu"),
    Case("^[57376u", "f13"), Case("^[57399u", "kp0"), Case("^[57414u", "kpenter"), Case("^[57441u"),
    Case("^[57440u", "volumemute"),
    Case("^[47:63;6u", "ctrl+?"), Case("^[49;5u", "ctrl+1"), Case("^[32;5u", "ctrl+space"),
    Case("^[127;3u", "alt+backspace"),
    // modifyOtherKeys.
    Case("^[27;6;90~", "ctrl+shift+z"), Case("^[27;5;49~", "ctrl+1"), Case("^[27;5;13~", "ctrl+enter"),
    Case("^[27;5;9~", "ctrl+tab"),
    Case("^[27;6;63~", "ctrl+?"), Case("^[27;8;97~", "ctrl+alt+shift+a"),
    // Unknown sequences.
    Case("^[999~a", "a 'a'"), Case("^[?1;2;3za", "a 'a'"), Case("^[55555555555555555555u"),
    Case("^[1;99999999999A", "ctrl+alt+super+up"),
    Case("^[^[A", "up"), Case("^[12^[B", "down"), Case("^]0;title\u{7}a", "a 'a'"),
    Case("^]10;rgb:0000/0000/0000^\\a", "a 'a'"), Case("^]11;rgb:1/2^\\a", "a 'a'"),
    Case("^]11;rgb:1/2/+3^\\a", "a 'a'"),
    Case("^P>|xterm(379)^\\b", "b 'b'"),
  ]

  static let others = [
    Case("^[<0;1;1M", "press left 0:0"), Case("^[<0;10;3m", "release left 2:9"), Case("^[<2;1;1M", "press right 0:0"),
    Case("^[<1;1;1M", "press middle 0:0"), Case("^[<35;4;5M", "move 4:3"), Case("^[<32;4;5M", "drag left 4:3"),
    Case("^[<64;1;1M", "wheel -1 0 0:0"), Case("^[<65;1;1M", "wheel 1 0 0:0"), Case("^[<66;1;1M", "wheel 0 -1 0:0"),
    Case("^[<16;2;2M", "ctrl+press left 1:1"), Case("^[<4;2;2M", "shift+press left 1:1"),
    Case("^[<8;2;2M", "alt+press left 1:1"),
    Case("^[<128;2;2M"), Case("^[<0;2M"), Case("^[<0;0;0M", "press left 0:0"),
    Case("^[200~one\ntwo^[A^[201~x", "paste 'one\ntwo\u{1B}[A'", "x 'x'"), Case("^[200~^[201~", "paste ''"),
    Case("^[?62;22c", "attributes"), Case("^[?0u", "keyboard(flags: 0)"), Case("^[?5u", "keyboard(flags: 5)"),
    Case("^[?2026;2$y", "mode(2026, isKnown: true)"), Case("^[?2026;0$y", "mode(2026, isKnown: false)"),
    Case("^[?2026;4$y", "mode(2026, isKnown: false)"),
    Case("^]11;rgb:1b1b/8/FF^\\a", "ground(Terminal.TerminalGround(red: 27, green: 136, blue: 255))", "a 'a'"),
    Case("^]11;rgb:000/fff/0\u{7}", "ground(Terminal.TerminalGround(red: 0, green: 255, blue: 0))"),
  ]

  private func decode(_ bytes: [UInt8], pieces: (Int) -> Int = { _ in .max }) -> [String] {
    var decoder = InputDecoder()
    var inputs: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieces(rest.count))
      decoder.feed(piece)
      rest = rest.dropFirst(piece.count)
      while let input = decoder.next() { inputs.append(input.shown) }
    }
    inputs += decoder.endOfWait().map(\.shown)
    expect(decoder.patience, is: nil, "nothing waits for ever")
    return inputs
  }

  @Test(
    "The decoder handles every case of the table, all at once and byte by byte", arguments: plain + sequences + others)
  func table(_ one: Case) {
    expect(decode(one.sent), is: one.inputs)
    expect(decode(one.sent) { _ in 1 }, is: one.inputs)
  }

  @Test("Inputs in sequence decode as each alone, with any cuts between the bytes")
  func together() throws {
    // An unfinished sequence would continue with the following bytes.
    let whole = (Self.plain + Self.sequences + Self.others).filter {
      !["^", "^[", "^O", "^]", "^^"].contains($0.bytes)
    }
    for seed: UInt64 in 0..<300 {
      var chance = Chance(seed: seed)
      let cases = (0..<8).map { _ in chance.pick(whole) }
      let inputs = decode(cases.flatMap(\.sent)) { 1 + chance.below($0) }
      try require(inputs == cases.flatMap(\.inputs), "seed \(seed)")
    }
  }

  @Test("The erase character of the terminal's settings is backspace")
  func erase() {
    var decoder = InputDecoder()
    decoder.erase = 0x08
    decoder.feed([0x08, 0x7F])
    expect([decoder.next(), decoder.next()].map { $0?.shown }, is: ["backspace", "backspace"])
  }

  @Test("If the face requested the cursor's position, the response is a position and no key")
  func cursor() {
    var decoder = InputDecoder()
    decoder.expectsPositions = true
    decoder.feed(Array("\u{1B}[1;2R".utf8))
    expect(decoder.next()?.shown, is: "cursor(row: 0, column: 1)")
    decoder.expectsPositions = false
    decoder.feed(Array("\u{1B}[1;2R".utf8))
    expect(decoder.next()?.shown, is: "shift+f3")
  }

  @Test("A paste without an end ends after a long pause, and a paste that is too long loses its rest")
  func endlessPaste() {
    var decoder = InputDecoder()
    decoder.feed(Array("\u{1B}[200~half".utf8))
    expect(decoder.next() == nil && decoder.patience == InputDecoder.pastePatience)
    expect(decoder.endOfWait() == [.paste("half")] && decoder.patience == nil)
    decoder.feed(Array("\u{1B}[200~".utf8))
    for _ in 0..<40 {
      decoder.feed(repeatElement(0x61, count: 64 << 10))
      expect(decoder.next(), is: nil)
    }
    decoder.feed(Array("\u{1B}[201~".utf8))
    guard case .paste(let text)? = decoder.next() else { return expect(Bool(false), "no paste") }
    expect(text.utf8.count, is: InputDecoder.longestPaste)
  }
}

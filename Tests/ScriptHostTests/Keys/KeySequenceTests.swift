import Expectations
import Testing

@testable import ScriptHost

@Suite("Key sequences")
struct KeySequenceTests {
  @Test(
    "K5: Modifiers in any order and any case have one spelling",
    arguments: [
      ("k", "k"), ("K", "k"), ("ctrl+k", "ctrl+k"), ("Ctrl+K", "ctrl+k"),
      ("shift+alt+SUPER+ctrl+k", "ctrl+alt+shift+super+k"),
      ("+", "+"), ("ctrl++", "ctrl++"), ("shift+ctrl++", "ctrl+shift++"), ("-", "-"), ("ctrl+-", "ctrl+-"),
      ("esc", "esc"), ("ESCAPE", "esc"), ("Return", "enter"), ("alt+Enter", "alt+enter"), ("space", "space"),
      ("f1", "f1"), ("F24", "f24"), ("PageUp", "pageup"), ("ctrl+ü", "ctrl+ü"), ("Ü", "ü"), ("日", "日"), ("Ж", "ж"),
      ("ẞ", "ß"), ("5", "5"), ("*", "*"), ("g g", "g g"), ("  g\t\tCtrl+X \n", "g ctrl+x"),
      ("ctrl+k ctrl++ esc", "ctrl+k ctrl++ esc"),
    ])
  func spelling(text: String, canonical: String) throws {
    let keys = try KeySequence.parse(text)
    expect(keys.text, is: canonical)
    try expect(KeySequence.parse(keys.text), is: keys)
  }

  @Test("K5: mod is ctrl here, and command on Apple's systems")
  func mod() throws {
    #if canImport(Darwin)
      try expect(KeySequence.parse("MOD+shift+k").text, is: "shift+super+k")
    #else
      try expect(KeySequence.parse("MOD+shift+k").text, is: "ctrl+shift+k")
    #endif
  }

  @Test("K5: A letter and its accent are one key in every encoding")
  func accents() throws {
    let composed = try KeySequence.parse("ctrl+\u{E9}")
    let decomposed = try KeySequence.parse("ctrl+e\u{301}")
    expect(composed, is: decomposed)
    expect(Set([composed, decomposed]).count, is: 1)
  }

  @Test(
    "K5: An unknown key is refused at its column, with a suggestion",
    arguments: [
      ("", "expected a key", 1), ("  ", "expected a key", 3), (" ", "write 'space' instead of ' '", 1),
      ("ctrl+", "expected a key after 'ctrl+'", 6),
      ("ctrl+alt+", "expected a key after 'ctrl+alt+'", 10),
      ("ctrl", "'ctrl' is a modifier: add a key after it without blanks, as in 'ctrl+k'", 1),
      ("g ctrl + k", "'ctrl' is a modifier: add a key after it without blanks, as in 'ctrl+k'", 3),
      ("ctrl+shift", "'shift' is a modifier: add a key after it without blanks, as in 'shift+k'", 6),
      ("Crtl+k", "there is no modifier 'Crtl'; did you mean 'ctrl'?", 1),
      ("g Command+k", "write 'mod+k' instead of 'Command+k': ctrl, or command on Apple's systems", 3),
      ("Cmd+S", "write 'mod+s' instead of 'Cmd+S': ctrl, or command on Apple's systems", 1),
      (
        "CmdOrCtrl+Shift+P", "write 'mod+shift+p' instead of 'CmdOrCtrl+Shift+P': ctrl, or command on Apple's systems",
        1
      ),
      ("⌘⇧S", "write 'mod+shift+s' instead of '⌘⇧S': ctrl, or command on Apple's systems", 1),
      ("<D-s>", "write 'mod+s' instead of '<D-s>': ctrl, or command on Apple's systems", 1),
      ("C-s", "write 'ctrl+s' instead of 'C-s'", 1), ("<C-s>", "write 'ctrl+s' instead of '<C-s>'", 1),
      ("C-x C-s", "write 'ctrl+x' instead of 'C-x'", 1), ("g <C-S-p>", "write 'ctrl+shift+p' instead of '<C-S-p>'", 3),
      ("M-x", "write 'alt+x' instead of 'M-x'", 1), ("s-x", "write 'super+x' instead of 's-x'", 1),
      ("S-tab", "write 'shift+tab' instead of 'S-tab'", 1), ("^S", "write 'ctrl+s' instead of '^S'", 1),
      ("Ctrl-S", "write 'ctrl+s' instead of 'Ctrl-S'", 1), ("ctrl_s", "write 'ctrl+s' instead of 'ctrl_s'", 1),
      ("C-RET", "write 'ctrl+enter' instead of 'C-RET'", 1), ("<F5>", "write 'f5' instead of '<F5>'", 1),
      ("<CR>", "write 'enter' instead of '<CR>'", 1), ("KeyS", "write 's' instead of 'KeyS'", 1),
      ("Ctrl+KeyS", "write 'ctrl+s' instead of 'Ctrl+KeyS'", 1), ("C--", "write 'ctrl+-' instead of 'C--'", 1),
      ("Strg+S", "there is no modifier 'Strg'; did you mean 'ctrl'?", 1),
      ("<leader>f", "there is no key '<leader>f'", 1), ("x-y", "there is no key 'x-y'", 1),
      ("C-", "there is no key 'C-'", 1),
      ("Meta-x", "write 'super+x' instead of 'Meta-x'", 1),
      ("Meta+x", "there is no modifier 'Meta'; did you mean 'super'?", 1),
      ("Cmd+nosuch", "there is no modifier 'Cmd'; did you mean 'mod'?", 1),
      ("ctrl+option+k", "there is no modifier 'option'; did you mean 'alt'?", 6),
      ("a+b", "there is no modifier 'a'", 1),
      ("++", "there is no modifier '+'", 1), ("ctrl+ctrl+k", "'ctrl' is twice in one stroke", 6),
      ("enterr", "there is no key 'enterr'; did you mean 'enter'?", 1),
      ("é Del", "write 'delete' instead of 'Del'", 3), ("ctrl+plus", "write 'ctrl++' instead of 'ctrl+plus'", 1),
      ("f25", "there is no key 'f25'; did you mean 'f15'?", 1),
      ("gg", "there is no key 'gg'; write a sequence with blanks: 'g g'", 1), ("\u{1B}", "there is no key '\u{1B}'", 1),
      ("\u{FFFD}", "there is no key '\u{FFFD}'", 1),
      ("\u{A0}", "there is no key '\u{A0}'", 1), (" \u{301}", "there is no key ' \u{301}'", 1),
    ])
  func errors(text: String, message: String, column: Int) {
    let error = #expect(throws: KeyError.self) { try KeySequence.parse(text) }
    expect(error?.message, is: message)
    expect(error?.column, is: column)
  }

  #if !canImport(Darwin)
    @Test("K5: mod beside ctrl is refused, because both are one key here")
    func modTwice() {
      let error = #expect(throws: KeyError.self) { try KeySequence.parse("ctrl+mod+k") }
      expect(error?.render(), is: "'mod' means 'ctrl', which is here twice\n  ctrl+mod+k\n       ^")
    }
  #endif

  @Test("K5: A text of many kilobytes is refused unread")
  func long() {
    let error = #expect(throws: KeyError.self) { try KeySequence.parse(String(repeating: "g ", count: 10_000)) }
    expect(error?.message, is: "keys can have 256 bytes at most, and these have 20000")
  }

  @Test("K5: The canonical spelling of any keys reads as the same keys", arguments: 0..<20 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var chance = Chance(seed: seed)
    let words = [
      "ctrl", "CTRL", "alt", "Shift", "super", "mod", "+", "+", "+", "+", " ", " ", "k", "K", "é", "e\u{301}", "İ", "ǅ",
      "Σ", "日", "esc",
      "Escape", "RETURN", "f1", "F12", "f", "1", "space", "\t", "\u{301}", "\u{FE0F}", "한", "\u{1112}\u{1161}", "😀",
      "\u{200D}", "\u{0}", "🇩🇪", "ﬁ", "ŉ",
    ]
    var read = 0
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 1...6, using: &chance)).map { _ in chance.pick(words) }.joined()
      guard let keys = try? KeySequence.parse(text) else { continue }
      read += 1
      let again = try KeySequence.parse(keys.text)
      expect(again == keys && again.text.hasSameBytes(as: keys.text), "\(text)")
    }
    expect(read > 200)
  }

  @Test("K5: A scalar is a key or an error, and its canonical spelling reads as itself")
  func scalars() throws {
    var read = 0
    // Whole alphabets, and a sample of the scalars without case.
    for value in Array(0..<0x3000) + Array(stride(from: 0x3000, through: 0x10FFFF, by: 97)) {
      guard let scalar = Unicode.Scalar(UInt32(value)), let keys = try? KeySequence.parse(String(scalar)) else {
        continue
      }
      read += 1
      let again = try? KeySequence.parse(keys.text)
      if again != keys || again?.text.hasSameBytes(as: keys.text) != true {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
    expect(read > 9_000)
  }

  @Test("K4: A sequence begins a longer sequence, and not itself")
  func prefixes() throws {
    let g = try KeySequence.parse("g")
    expect(g.begins(try KeySequence.parse("g g")))
    expect(!g.begins(g))
    expect(!g.begins(try KeySequence.parse("h g")))
  }
}

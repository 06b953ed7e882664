import Expectations
import Glibc
import ScriptHost
import Testing

@Suite("Invisible characters")
struct VisibleTests {
  /// The scalar in a word, as the question for consent shows it.
  private func shown(_ scalar: Unicode.Scalar) -> String { "g\(scalar)it".visibleBlanks }

  private func digits(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  @Test("S16: Each scalar that looks like nothing or a blank appears as its number")
  func unseen() {
    let hidden: [UInt32] =
      [0x11A0, 0x1160, 0x1161, 0x11A8, 0x11FF, 0xD7B0, 0xD7FB, 0x115F, 0x3164, 0xFFA0]
      + [0x16FE4, 0x2800, 0x1D159, 0x13440, 0x13441, 0x13442, 0xFFFC, 0x1DA9B, 0x1DAAF]
      + [0x1039, 0x17D2, 0x1A60, 0x2D7F, 0xAAF6, 0x10A3F, 0x1107F, 0x11133, 0x1193E, 0x11A47, 0x11A99, 0x11D45]
      + [0xE000, 0x3000, 0x2003, 0x200B, 0x200D, 0x2060, 0xFEFF, 0x180E, 0xFE0F, 0xE0100, 0xE0041, 0x034F, 0x17B4]
    for scalar in hidden.compactMap(Unicode.Scalar.init) {
      expect(shown(scalar), is: "g\\u{\(digits(scalar))}it")
    }
  }

  /// The system's list of widths, made from the data of Unicode, tells which scalars have no width.
  @Test("S16: Of all scalars without width only marks stay as they are")
  func widths() throws {
    let locale = try require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    expect(widthInSystem(0x4E00), is: 2)
    var raw: [String] = []
    for scalar in (UInt32(0xA0)...0x10FFFF).compactMap(Unicode.Scalar.init)
    where widthInSystem(wchar_t(scalar.value)) == 0 {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: continue
      default: if shown(scalar).unicodeScalars.contains(scalar) { raw.append(digits(scalar)) }
      }
    }
    expect(raw, is: [])
  }

  @Test(
    "S16: Marks on letters, Korean parts and joined letters stay as they are",
    arguments: [
      "e\u{301}", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "\u{D558}\u{11AB}", "\u{1000}\u{1039}\u{1001}",
      "\u{1781}\u{17D2}\u{1798}\u{17C2}\u{179A}", "日本", "✓", "🙂",
    ])
  func seen(_ text: String) { expect(text.visibleBlanks.utf8.elementsEqual(text.utf8)) }

  @Test(
    "S16: A part of a Korean syllable that doesn't join the part before it appears as its number",
    arguments: [
      ("\u{AC01}\u{11A8}", "\u{AC01}\\u{11A8}"), ("\u{1100}\u{11A8}", "\u{1100}\\u{11A8}"),
      ("a\u{1161}\u{11A8}", "a\\u{1161}\\u{11A8}"), ("\u{1100}\u{1161}\u{1161}", "\u{1100}\\u{1161}\\u{1161}"),
      ("g\u{17D2}\u{1798}", "g\\u{17D2}\u{1798}"),
    ])
  func parts(_ text: String, _ shown: String) { expect(text.visibleBlanks.utf8.elementsEqual(shown.utf8)) }
}

/// The system's `wcwidth`, which Swift's libc module lacks.
@_silgen_name("wcwidth")
private func widthInSystem(_ scalar: wchar_t) -> Int32

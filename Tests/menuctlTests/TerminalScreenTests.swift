import Expectations
import Testing

@Test(
  "The tests' screen shows the same as a terminal",
  arguments: [
    ("one\r\ntwo", "one\ntwo"), ("one\rtw", "twe"), ("a\u{8}b", "b"), ("a\tb", "a      b"),
    ("one\u{1B}[2Dx", "oxe"), ("one\r\u{1B}[K", ""), ("one\u{1B}[1K", ""), ("one\u{1B}[2K\rx", "x"),
    ("one\u{1B}[1;1Hx\u{1B}[3;2Hy", "xne\n\n y"), ("one\r\u{1B}[P", "ne"), ("one\r\u{1B}[2@", "  one"),
    ("one\r\u{1B}[2X", "  e"), ("a\r\nb\u{1B}[Ac", "ac\nb"), ("a\r\nb\u{1B}[H\u{1B}[J", ""),
    ("0123456789", "01234567\n89"), ("01234567\r\n8", "01234567\n8"), ("01234567\rx", "x1234567"),
    ("1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5"), ("星星星星星", "星星星星\n星"), ("e\u{301}x", "e\u{301}x"),
    ("\u{1B}[1;31mred\u{1B}[0m", "red"), ("\u{1B}]0;title\u{7}x", "x"), ("\u{1B}(Bx\u{1B}[?2004hy", "xy"),
    ("\u{1B}7one\u{1B}8x", "xne"),
  ])
func terminalScreen(_ written: String, _ shown: String) {
  var screen = TerminalScreen(columns: 8, rows: 4)
  screen.feed(written.utf8)
  expect(screen.text, is: shown)
  expect(screen.unknown.isEmpty)
  // A character may come in parts.
  var slow = TerminalScreen(columns: 8, rows: 4)
  for byte in written.utf8 { slow.feed([byte]) }
  expect(slow.text, is: shown)
}

@Test("The screen knows colours and bells, and notes unknown sequences")
func terminalScreenRest() {
  var screen = TerminalScreen(columns: 20, rows: 2)
  screen.feed("a \u{1B}[1;31mred\u{1B}[0m one\u{7}\u{1B}[5q".utf8)
  expect(screen.style(of: "red"), is: "1;31")
  expect(screen.style(of: "one"), is: "")
  expect(screen.style(of: "blue"), is: nil)
  expect(screen.bells, is: 1)
  expect(screen.unknown, is: ["CSI 5q"])
}

import Expectations
import Testing

@testable import ScriptHost

@Suite("Arguments")
struct ArgumentsTests {
  private func arguments(_ count: Int) -> Arguments {
    var arguments = Arguments()
    for number in 0..<count { arguments["k\(number)"] = .text("\(number)") }
    return arguments
  }

  private func texts(_ arguments: Arguments) -> [String] {
    arguments.members.map { "\($0.key): \($0.value.shownText ?? "")" }
  }

  @Test(
    "A key has one value and its place: a new value stays there, a removed key is gone, a new key comes last",
    arguments: [1, 7, 8, 9, 10, 11, 300])
  func keys(count: Int) {
    var arguments = arguments(count)
    var expected = (0..<count).map { "k\($0): \($0)" }
    arguments["k\(count - 1)"] = "again"
    expected[count - 1] = "k\(count - 1): again"
    expect(texts(arguments), is: expected)
    arguments["k0"] = nil
    arguments["nothing"] = nil
    expect(texts(arguments) == Array(expected.dropFirst()) && !arguments.has("k0"))
    arguments.append("k0", .null)
    expect(arguments.has("k0") && arguments.members.last?.key == "k0" && arguments.given.count == count - 1)
    for number in 1..<max(1, count - 1) { expect(arguments["k\(number)"]?.shownText, is: "\(number)") }
    let merged = arguments.merging(["k0": "1", "more": "2"])
    expect(merged.members.count == count + 1 && merged["k0"]?.shownText == "1" && merged["more"]?.shownText == "2")
    expect(texts(Arguments(arguments.members + [("k0", "later")])).last, is: "k0: later")
  }

  @Test("Changing a copy leaves the original, with few keys and with many", arguments: [0, 1, 8, 9, 20])
  func copies(count: Int) {
    let first = arguments(count)
    let before = texts(first)
    var (changed, shorter, longer) = (first, first, first)
    changed["k0"] = "other"
    shorter["k0"] = nil
    longer["new"] = "1"
    expect(texts(first) == before && !first.has("new") && first["k0"]?.shownText == (count > 0 ? "0" : nil))
    expect(changed["k0"]?.shownText == "other" && !shorter.has("k0") && longer["new"]?.shownText == "1")
    expect(longer.members.count == count + 1 && shorter.members.count == max(0, count - 1))
  }

  @Test("Arguments compare keys by their bytes, with few keys and with many", arguments: [0, 20])
  func keysAreBytes(more: Int) {
    var arguments = arguments(more)
    arguments["caf\u{E9}"] = "1"
    arguments["cafe\u{301}"] = "2"
    expect(arguments["caf\u{E9}"]?.shownText == "1" && arguments["cafe\u{301}"]?.shownText == "2")
    expect(arguments.members.count == more + 2 && !arguments.has("cafe"))
  }

  /// The host once compared each of a script's eight thousand arguments with all before it, which took seven seconds.
  @Test("S8: Five thousand keys take no longer each than five hundred", arguments: ["set", "laid over", "listed"])
  func many(_ how: String) {
    func time(_ count: Int) -> UInt64 {
      let members = arguments(count).members
      let before = threadTime()
      switch how {
      case "set": expect(arguments(count).members.count, is: count)
      case "laid over": expect(arguments(1).merging(Arguments(members)).members.count, is: count)
      default: expect(Arguments(members).members.count, is: count)
      }
      return threadTime() - before
    }
    _ = time(500)
    let few = (0..<3).map { _ in time(500) }.min() ?? 0
    expect(time(5000) < 40 * few)
  }
}

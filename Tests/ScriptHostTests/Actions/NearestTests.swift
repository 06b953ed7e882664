import Testing

@testable import ScriptHost

@Suite("Nearest names")
struct NearestTests {
  private static let known = ["save", "saveAs", "open", "export", "image.export", "rotateLeft", "rotateRight", "größe"]

  @Test(
    "E4: a name that is nearly right brings the right one up",
    arguments: [
      ("sve", ["save"]), ("savee", ["save"]), ("savesA", ["saveAs", "save"]), ("exprot", ["export"]),
      ("Export", ["export"]),
      ("image.exprt", ["image.export"]), ("rotateLetf", ["rotateLeft"]), ("grösse", ["größe"]), ("opne", ["open"]),
      ("rotateRigth", ["rotateRight"]), ("sav", ["save"]),
    ])
  func near(wanted: String, expected: [String]) {
    #expect(nearest(to: wanted, among: Self.known) == expected)
  }

  @Test(
    "E4: nothing comes up where nothing is close",
    arguments: ["", "x", "close", "zzz", "export.image", "save", "rotateLeftwards"])
  func far(wanted: String) {
    #expect(nearest(to: wanted, among: Self.known) == [])
  }

  @Test("E4: a name is not close when nothing of it is the same")
  func nothingInCommon() {
    #expect(nearest(to: "x", among: ["y", "xy"]) == ["xy"])
  }

  @Test("E4: closest first, then by bytes, whatever order the names come in, each once")
  func order() {
    let known = ["bade", "made", "Fade", "fades", "fade", "made", "fad", "jade"]
    let expected = ["Fade", "bade", "fad"]
    #expect(nearest(to: "fade", among: known) == expected)
    #expect(nearest(to: "fade", among: known.reversed()) == expected)
    #expect(nearest(to: "fadee", among: known) == ["fade", "fades"])
    #expect(nearest(to: "fade", among: known, limit: 1) == ["Fade"])
    #expect(nearest(to: "fade", among: known, limit: 0) == [])
  }

  @Test("E4: a name of a megabyte is compared by its beginning only")
  func long() {
    let long = String(repeating: "x", count: 1_000_000)
    #expect(nearest(to: long, among: [long + "y", "save"]) == [long + "y"])
    #expect(nearest(to: "save", among: [long]) == [])
  }
}

import Testing

/// The rooms of C, ground floor first: each calls only those before it. What stands in no room opens them all.
private let order = ["Safety", "Values", "Matcher", "Library", "Reading", "Host", "Menus"]

private func files() throws -> [CText] {
  try Project.files(below: "Sources/CLua", ending: ".c").map(CText.init)
}

/// The number of a file's floor.
private func floor(of path: String) -> Int? {
  let parts = path.split(separator: "/").map(String.init)
  return parts.count == 4 ? order.firstIndex(of: parts[2]) : order.count
}

private func leaning() throws -> Leaning {
  var (declared, named): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
  for file in try files() {
    declared[file.path] = file.defined
    named[file.path] = file.named
  }
  return Leaning(declared: declared, named: named)
}

@Test("A room of C calls only those below it")
func roomsOfC() throws {
  let edges = try leaning().edges
  for (file, others) in edges {
    let own = try #require(floor(of: file), "\(file) stands in no room of the order")
    for other in others where (floor(of: other) ?? 0) > own {
      Issue.record("\(file) calls \(other), which stands above it")
    }
  }
  #expect(edges["Sources/CLua/State.c"]?.contains("Sources/CLua/Host/Perform.c") == true, "the calls are found at all")
}

@Test("No circle of more than three C files")
func circlesOfC() throws {
  let circles = try leaning().circles
  #expect(circles.allSatisfy { $0.count <= 3 }, "\(circles)")
  #expect(
    circles.contains(["Sources/CLua/Matcher/Match.c", "Sources/CLua/Matcher/MatchReplace.c"]),
    "circles are found at all")
}

@Test("Only C names Lua's own functions")
func headers() throws {
  for path in Project.files(below: "Sources", ending: ".c") + Project.files(below: "Sources", ending: ".h")
  where !path.hasPrefix("Sources/CLua/") {
    let text = try Project.text(path)
    #expect(!text.contains("lua.h"), "\(path)")
  }
  let seen = try Project.text("Sources/CLua/include/CLua.h")
  #expect(!seen.contains("#include <lua"), "Swift sees it")
}

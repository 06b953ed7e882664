import Expectations
import Testing

/// The layers of C, lowest first: each calls only earlier ones. A file in no layer of its target may include all of
/// them.
private let order = [
  "CLua/Safety", "CLua/Values", "CLua/Matcher", "CLua/Library", "CLua", "CScript/Host", "CScript",
]

private func files() throws -> [CText] {
  try (Project.files(below: "Sources/CLua", ending: ".c") + Project.files(below: "Sources/CScript", ending: ".c"))
    .map(CText.init)
}

/// The number of a file's layer.
private func floor(of path: String) -> Int? {
  order.firstIndex(of: path.split(separator: "/").dropFirst().dropLast().joined(separator: "/"))
}

private func leaning() throws -> Leaning {
  var (declared, named): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
  for file in try files() {
    declared[file.path] = file.defined
    named[file.path] = file.named
  }
  return Leaning(declared: declared, named: named)
}

@Test("A layer of C calls only those below it")
func roomsOfC() throws {
  let edges = try leaning().edges
  for (file, others) in edges {
    let own = try require(floor(of: file), "\(file) stands in no room of the order")
    for other in others where (floor(of: other) ?? 0) > own {
      Issue.record("\(file) calls \(other), which stands above it")
    }
  }
  expect(
    edges["Sources/CScript/Above.c"]?.contains("Sources/CScript/Host/Run.c"), is: true, "the calls are found at all")
}

@Test("No circle of more than three C files")
func circlesOfC() throws {
  let circles = try leaning().circles
  expect(circles.allSatisfy { $0.count <= 3 }, "\(circles)")
  expect(
    circles.contains(["Sources/CLua/Matcher/Match.c", "Sources/CLua/Matcher/MatchReplace.c"]),
    "circles are found at all")
}

@Test("Every C function that Swift sees has a comment")
func commentsOfC() throws {
  var functions = 0
  for path in ["Sources/CLua/include/CLua.h", "Sources/CScript/include/CScript.h"] {
    let lines = try Project.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    for (line, above) in zip(lines.dropFirst(), lines) where line.contains(/^[a-z][\w ]*[ *]clua_\w+\(/) {
      expect(above.hasPrefix("///"), "\(path): \(line)")
      functions += 1
    }
  }
  expect(functions > 150, "functions are found at all")
}

@Test("Swift calls every C function that it sees; functions for C or tests only are in internal headers")
func callsOfC() throws {
  // Not as a `SwiftText`, which removes interpolated code.
  let swift = try Project.files(below: "Sources/ScriptHost", ending: ".swift").map(Project.text)
  let called = Set(swift.flatMap { $0.matches(of: /clua_\w+/).map { String($0.output) } })
  for path in ["Sources/CLua/include/CLua.h", "Sources/CScript/include/CScript.h"] {
    for function in try CText(path: path).declared where !called.contains(function) {
      Issue.record("\(path) has \(function), which no Swift calls")
    }
  }
}

@Test("Only C names Lua's own functions")
func headers() throws {
  for path in Project.files(below: "Sources", ending: ".c") + Project.files(below: "Sources", ending: ".h")
  where !path.hasPrefix("Sources/CLua/") && !path.hasPrefix("Sources/CScript/") {
    let text = try Project.text(path)
    expect(!text.contains("lua.h"), "\(path)")
  }
  for seen in ["Sources/CLua/include/CLua.h", "Sources/CScript/include/CScript.h"] {
    try expect(!Project.text(seen).contains("#include <lua"), "Swift sees \(seen)")
  }
}

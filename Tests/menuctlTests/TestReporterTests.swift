import Expectations
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Test("The results of tests in other forms", arguments: forms)
func testForms(_ testCase: TestVerbCase) throws { try testCase.check() }

private let mixed = [
  "a_test.lua": """
  test("well", function() print("a # b") end)
  test("odd #1 <&>", function()
    expect({ 1, { x = "<&>" } }):is({ 2, { x = 3 } })
  end)
  test("raises", function() error("no \\27[31m") end)
  test("later", function() skip("not yet") end)
  """,
  "b_test.lua": "test('x')",
]

private let loadError = """
  b_test.lua:1: error: put the test's function into the same parentheses as its name: test(name, function(app) … end)
    test('x')

  """

private let forms: [TestVerbCase] = [
  TestVerbCase(
    name: "tap", words: ["--reporter", "tap"], files: mixed, status: 65,
    out: ##"""
      TAP version 14
      1..5
      not ok 1 - b_test.lua
        ---
        message: "put the test's function into the same parentheses as its name: test(name, function(app) … end)"
        code: script
        at:
          file: "b_test.lua"
          line: 1
        ...
      # a # b
      ok 2 - a_test.lua: well
      not ok 3 - a_test.lua: odd \#1 <&>
        ---
        message: "at [1]: expected 2, found 1 (and 1 more difference)"
        code: expectation
        at:
          file: "a_test.lua"
          line: 3
          column: 32
        again: "menuctl test a_test.lua:2"
        ...
      not ok 4 - a_test.lua: raises
        ---
        message: "no \u001b[31m"
        code: script
        at:
          file: "a_test.lua"
          line: 5
        again: "menuctl test a_test.lua:5"
        ...
      ok 5 - a_test.lua: later # SKIP not yet

      """##, err: loadError),
  TestVerbCase(
    name: "junit", words: ["--reporter=junit"], files: mixed, status: 65,
    out: #"""
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="menuctl" tests="5" failures="1" errors="2" skipped="1" time="0">
        <testsuite name="a_test.lua" tests="4" failures="1" errors="1" skipped="1" time="0">
          <testcase name="well" classname="a_test.lua" file="a_test.lua" line="1" time="0">
            <system-out>a # b</system-out>
          </testcase>
          <testcase name="odd #1 &lt;&amp;&gt;" classname="a_test.lua" file="a_test.lua" line="2" time="0">
            <failure message="at [1]: expected 2, found 1 (and 1 more difference)" type="expectation">a_test.lua:3:32: at [1]: expected 2, found 1 (and 1 more difference)</failure>
            <system-out>again: menuctl test a_test.lua:2</system-out>
          </testcase>
          <testcase name="raises" classname="a_test.lua" file="a_test.lua" line="5" time="0">
            <error message="no \x1B[31m" type="script">a_test.lua:5: no \x1B[31m</error>
            <system-out>again: menuctl test a_test.lua:5</system-out>
          </testcase>
          <testcase name="later" classname="a_test.lua" file="a_test.lua" line="6" time="0">
            <skipped message="not yet"/>
          </testcase>
        </testsuite>
        <testsuite name="b_test.lua" tests="1" failures="0" errors="1" skipped="0" time="0">
          <testcase name="b_test.lua" classname="b_test.lua">
            <error message="put the test's function into the same parentheses as its name: test(name, function(app) … end)" type="script">b_test.lua:1: put the test's function into the same parentheses as its name: test(name, function(app) … end)</error>
          </testcase>
        </testsuite>
      </testsuites>

      """#, err: loadError),
  TestVerbCase(
    name: "json", words: ["--json", "a_test.lua:2", "a_test.lua:1", "a_test.lua:6"], files: mixed, status: 1,
    out: #"""
      {"menuctl": 1, "ok": false, "passed": 1, "failed": 1, "skipped": 1, "tests": [{"name": "well", "file": "a_test.lua", "line": 1, "status": "passed", "seconds": 0, "printed": ["a # b"]}, {"name": "odd #1 <&>", "file": "a_test.lua", "line": 2, "status": "failed", "seconds": 0, "message": "at [1]: expected 2, found 1 (and 1 more difference)", "failures": [{"message": "at [1]: expected 2, found 1 (and 1 more difference)", "file": "a_test.lua", "line": 3, "column": 32, "code": "expectation", "differences": [{"path": "[1]", "expected": "2", "found": "1"}, {"path": "[2].x", "expected": "3", "found": "\"<&>\""}]}], "again": "menuctl test a_test.lua:2"}, {"name": "later", "file": "a_test.lua", "line": 6, "status": "skipped", "seconds": 0, "reason": "not yet"}]}

      """#, err: "a # b\n"),
]

@Test("Parsers read the other forms, for any names of tests")
func parsers() throws {
  let name = #"a \"b\" 'c' <d> & #e \\ ]]> é中 𝄞"#
  let folder = try ScriptFolder(["x_test.lua": "test(\"\(name)\", function() expect(\"\(name)\"):is(\"\") end)"])
  let plain = name.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")

  let json = try Program.menuctl(["test", "--json"], folder: folder.path)
  let object = try require(JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
  let tests = try require(object["tests"] as? [[String: Any]])
  expect(tests.map { $0["name"] as? String } == [plain] && object["failed"] as? Int == 1)

  let junit = try Program.menuctl(["test", "--reporter", "junit"], folder: folder.path)
  let names = TestNames()
  let parser = XMLParser(data: Data(junit.out.utf8))
  parser.delegate = names
  expect(parser.parse(), "\(junit.out)")
  expect(names.found, is: [plain])
}

/// Collects the names of test cases.
private final class TestNames: NSObject, XMLParserDelegate {
  var found: [String?] = []

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if element == "testcase" { found.append(attributes["name"]) }
  }
}

@Test("prove reads the Test Anything Protocol", .enabled(if: Program.isInstalled("prove"), "prove is not installed"))
func prove() throws {
  let folder = try ScriptFolder(mixed)
  let tap = try Program.menuctl(["test", "--reporter", "tap"], folder: folder.path).out
  let saved = try ScriptFolder(["results.tap": tap])
  let run = try Program.shell("bash", "prove --exec cat '\(saved.path)/results.tap'")
  expect(run.out.contains("Failed tests:  1, 3-4") || run.err.contains("Failed tests:  1, 3-4"), "\(run)")
  expect(run.out.contains("Files=1, Tests=5"), "\(run)")
}

@Test("An interrupt ends the running test, and the results before it are shown")
func interrupted() throws {
  let folder = try ScriptFolder([
    "x_test.lua":
      "test('one', function() end)\ntest('two', function() while true do end end)\ntest('three', function() end)"
  ])
  let process = try Process(
    "\(Program.folder)/menuctl", ["test", "--jobs", "1", "--budget", "1e14", "--timeout", "60"], folder: folder.path)
  process.write("")
  var seen = ""
  while !seen.contains("one") { seen += process.readSome() }
  kill(process.id, SIGINT)
  let run = process.finish()
  expect(run.status, is: 130, "\(run)")
  expect((seen + run.out).hasSuffix("1 passed, 1 failed, 1 not run\n"), "\(seen)\(run.out)")
}

@Test("The project's own scripts are tested by their tests")
func ownScripts() throws {
  let run = try Program.menuctl(["test", "scripts"])
  expect(run.status, is: 0, "\(run)")
}

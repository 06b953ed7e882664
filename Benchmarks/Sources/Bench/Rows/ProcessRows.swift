import Floor
import Glibc

/// What whole processes cost: the tool beside what else there is, in turns. What isn't installed is skipped, with a word.
struct ProcessRows {
  static let names = ["start", "tests"]

  /// Whether the bounds hold of the rows that were asked for.
  func run(_ row: String?) throws -> Bool {
    let folder = "/tmp/bench-processes.\(getpid())"
    mkdir(folder, 0o700)
    defer {
      for name in ["menuctl", "stand.lua", "a_test.lua", "a_spec.lua"] { unlink("\(folder)/\(name)") }; rmdir(folder)
    }
    // As it is installed: what a linker has written a page at a time is mapped a page at a time, as long as it is in memory.
    let tool = "\(folder)/menuctl"
    try copyFile(try path(ofTool: CommandLine.arguments[0]), to: tool)
    chmod(tool, 0o755)
    var holds = true
    if row == nil || row == "start" { holds = try start(tool, folder) && holds }
    if row == nil || row == "tests" { holds = try tests(tool, folder) && holds }
    return holds
  }

  /// The release build of the tool stands beside that of this program.
  private func path(ofTool program: String) throws -> String {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false)
    guard let index = parts.firstIndex(of: ".build") else { return "menuctl" }
    return (parts[...index] + ["release", "menuctl"]).joined(separator: "/")
  }

  // MARK: Rows

  /// The photo app loaded and shown, against Lua loading the same file where every word of ours does nothing.
  private func start(_ tool: String, _ folder: String) throws -> Bool {
    guard let lua = find("lua5.4") else { return skip("start", "lua5.4") }
    let app = "scripts/photos/app.lua"
    let standIns = """
      any_ = setmetatable({}, { __call = function() return any_ end, __index = function() return any_ end, __newindex = function() end,
        __add = function() return 0 end, __concat = function() return "" end, __len = function() return 0 end, __lt = function() return false end })
      setmetatable(_G, { __index = function() return any_ end })
      dofile("\(app)")
      """
    try writeFile("\(folder)/stand.lua", standIns)
    return try compare(
      "start", bound: 1.5, 41, [tool, "load", app], [lua, "\(folder)/stand.lua"], against: "lua5.4")
  }

  /// A hundred trivial tests, against busted.
  private func tests(_ tool: String, _ folder: String) throws -> Bool {
    let ours = (1...100).map { "test(\"test \($0)\", function() expect(1 + 1):is(2) end)" }
    try writeFile("\(folder)/a_test.lua", ours.joined(separator: "\n"))
    guard let busted = find("busted") else { return try alone("tests", [tool, "test", folder], "busted") }
    let theirs = (1...100).map { "it(\"test \($0)\", function() assert.are.equal(2, 1 + 1) end)" }
    try writeFile("\(folder)/a_spec.lua", "describe(\"all\", function()\n\(theirs.joined(separator: "\n"))\nend)")
    return try compare(
      "tests", bound: 0.5, 11, [tool, "test", folder], [busted, "\(folder)/a_spec.lua"], against: "busted")
  }

  // MARK: Measuring

  private func skip(_ name: String, _ program: String) -> Bool {
    print("\(name): \(program) is not installed, skipped")
    return true
  }

  private func alone(_ name: String, _ words: [String], _ missing: String) throws -> Bool {
    var times: [Double] = []
    for _ in 0..<11 { times.append(try run(words)) }
    let time = fixed(median(times) / 1000, 1)
    print("\(name): \(time) µs; \(missing) is not installed, so there is nothing to compare it with")
    return true
  }

  private func compare(
    _ name: String, bound: Double, _ rounds: Int, _ ours: [String], _ theirs: [String], against: String
  ) throws -> Bool {
    var ratios: [Double] = []
    var times: (ours: [Double], theirs: [Double]) = ([], [])
    for round in 0..<rounds + 2 {
      let (first, second) = (try run(ours), try run(theirs))
      guard round >= 2 else { continue }
      times.ours.append(first)
      times.theirs.append(second)
      ratios.append(first / second)
    }
    let ratio = median(ratios)
    let verdict = ratio <= bound ? "ok" : "BROKEN"
    let (ours, theirs) = (fixed(median(times.ours) / 1000, 1), fixed(median(times.theirs) / 1000, 1))
    print("\(name): \(ours) µs, \(against) \(theirs) µs, ratio \(fixed(ratio, 2)), ≤ \(fixed(bound, 2)) \(verdict)")
    return ratio <= bound
  }

  /// Runs a program to its end, with nothing said; nanoseconds of the processor that it took.
  private func run(_ words: [String]) throws -> Double {
    let argv = words.map { word in strdup(word) } + [nil]
    defer { for text in argv { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var child: pid_t = 0
    guard posix_spawn(&child, words[0], &actions, nil, argv, environ) == 0 else {
      throw BenchError("\(words[0]) can't be run")
    }
    var status: Int32 = 0
    let before = used()
    waitpid(child, &status, 0)
    guard status == 0 else { throw BenchError("\(words.joined(separator: " ")) failed") }
    return used() - before
  }

  /// Nanoseconds of the processor that children took which ended.
  private func used() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let rest = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds * 1_000_000 + rest) * 1000
  }

  private func find(_ program: String) -> String? {
    guard let path = getenv("PATH") else { return nil }
    return String(cString: path).split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}

import LiveHost
import ScriptHost

/// The result of replaying a recording.
struct Replay {
  /// A script's call without a recorded answer.
  struct Unrecorded {
    let call: String
    let arguments: [JSON]
  }

  /// The first step with another effect than recorded.
  struct Difference {
    let deed: Deed
    /// The step's number, counted from 1; `place` is its line in the file.
    let number: Int
    let place: Place
    let differences: [JSONDifference]
    /// The unrecorded calls, which may be the reason of the difference.
    let unknown: [Unrecorded]
  }

  let steps: Int
  /// The number of steps with the recorded effect.
  var same = 0
  var difference: Difference?
  var isInterrupted = false
  var patience = Patience()
  /// Whether the replay ended early, because too many steps spent their limits.
  var isImpatient: Bool { patience.isOver && same < steps }

  var status: ExitStatus {
    if isInterrupted { return .interrupted }
    if isImpatient { return .limit }
    return difference == nil ? .done : .no
  }
}

/// The Lua functions of a recorded test that replace calls to the outside, and return the recorded answers in order.
struct GivenAgain {
  /// The lines that define the functions; empty if no answers are recorded.
  let functions: [String]
  /// The option of `subject` that installs the functions; nil if there are none.
  let option: String?

  /// - Parameter watches: whether the scripts watch files, of which a test has none.
  init(_ record: Record, watches: Bool) {
    let watching = watches ? ["watch = function() return { remove = function() end } end"] : []
    var calls: [String: [Given]] = [:]
    // A test begins with nothing stored.
    let stored: Set = ["app.store", "app.undo"]
    for given in record.givenAtFirst + record.steps.flatMap(\.given) where !stored.contains(given.call) {
      calls[given.call, default: []].append(given)
    }
    if calls.isEmpty {
      (functions, option) = ([], watching.first.map { "{ stand_ins = { \($0) } }" })
      return
    }
    let names = calls.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    functions =
      ["", "-- What was given from outside, in this order.", "local given = {"]
      + names.map { name in
        "  \(Self.key(name)) = {\n"
          + (calls[name] ?? []).map { "    \(Self.entry($0, without: record.secrets)),\n" }.joined() + "  },"
      } + ["}", "", Self.giver, ""]
    let fields = names.map { "\(Self.key($0)) = give(\(LuaText.quoted($0)))" } + watching
    option = "{ stand_ins = { \(fields.joined(separator: ", ")) } }"
  }

  private static let giver = """
    local function give(name)
      local answers, number = given[name], 0
      return function(_, _, options)
        number = math.min(number + 1, #answers)
        local answer = answers[number]
        if answer.raised then error(answer.raised, 0) end
        if answer.took then sleep(answer.took) end
        for _, line in ipairs(answer.lines or {}) do options.line(table.unpack(line)) end
        return table.unpack(answer, 1, answer.n)
      end
    end
    """

  private static func entry(_ given: Given, without secrets: Secrets) -> String {
    if let failure = given.failure { return "{ raised = \(LuaText.quoted(failure.message.without(all: secrets))) }" }
    let values = given.values.map { text(JSON($0).value(without: secrets)) }
    let lines = given.lines.map { text(JSON($0).value(without: secrets)) }
    let told = lines.isEmpty ? [] : ["lines = { \(lines.joined(separator: ", ")) }"]
    let took = given.hasEnded ? given.seconds : forEver
    let lasts = took > 0 ? ["took = \(LuaText.text(.number(took)) ?? "0")"] : []
    return "{ \((values + ["n = \(values.count)"] + told + lasts).joined(separator: ", ")) }"
  }

  /// The seconds of a call that never ends: longer than any test waits.
  private static let forEver = 1e9

  /// Returns a name as a key in a Lua table.
  private static func key(_ name: String) -> String { name.isLuaWord ? name : "[\(LuaText.quoted(name))]" }

  /// Returns a value in Lua's syntax.
  private static func text(_ value: JSON) -> String {
    switch value {
    case .null, .element, .changes, .written: return "nil"
    case .bool(let value): return "\(value)"
    case .integer(let value): return LuaText.text(.integer(value)) ?? "nil"
    case .number(let value): return LuaText.text(.number(value)) ?? "nil"
    case .text(let text): return LuaText.quoted(text)
    case .list(let values): return "{ \(values.map(text).joined(separator: ", ")) }"
    case .object(let members):
      // A string that is not UTF-8.
      if members.count == 1, let digits = value["$"]?.text { return digits == "secret" ? "\"secret\"" : bytes(digits) }
      return "{ \(members.map { "\(key($0)) = \(text($1))" }.joined(separator: ", ")) }"
    }
  }

  private static func bytes(_ digits: String) -> String {
    let digits = Array(digits)
    let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { "\\x\(digits[$0])\(digits[$0 + 1])" }
    return "\"\(pairs.joined())\""
  }
}

/// A part in which two JSON values differ.
struct JSONDifference: Equatable {
  /// The path of the part: `.status`, `.changes[0].element.state`; empty for the whole value.
  let path: String
  /// The expected value; nil if it should be missing.
  let expected: JSON?
  /// The found value; nil if it is missing.
  let found: JSON?

  /// Returns the parts in which two values differ, in the order of the first value.
  static func all(_ expected: JSON, _ found: JSON, at path: String = "") -> [JSONDifference] {
    switch (expected, found) {
    case (.object(let left), .object(let right)):
      // By name, because a recording could have tens of thousands.
      let others = Dictionary(right.map { (ByteText($0.0), $0.1) }) { first, _ in first }
      let missing = left.flatMap { name, value in
        let part = "\(path).\(name)"
        guard let other = others[ByteText(name)] else {
          return [JSONDifference(path: part, expected: value, found: nil)]
        }
        return all(value, other, at: part)
      }
      let names = Set(left.map { ByteText($0.0) })
      let added = right.filter { !names.contains(ByteText($0.0)) }
      return missing + added.map { JSONDifference(path: "\(path).\($0.0)", expected: nil, found: $0.1) }
    case (.list(let left), .list(let right)):
      return (0..<max(left.count, right.count)).flatMap { index in
        let part = "\(path)[\(index)]"
        guard left.indices.contains(index), right.indices.contains(index) else {
          return [
            JSONDifference(
              path: part, expected: left.indices.contains(index) ? left[index] : nil,
              found: right.indices.contains(index) ? right[index] : nil)
          ]
        }
        return all(left[index], right[index], at: part)
      }
    default: return expected == found ? [] : [JSONDifference(path: path, expected: expected, found: found)]
    }
  }
}

/// Annotations as LuaCATS has them, read back from a file of stubs.
struct Annotations {
  struct Class: Equatable {
    var base: String?
    var fields: [String: String] = [:]
    var operators: [String] = []
  }

  struct Function: Equatable {
    var parameters: [Parameter] = []
    var returns: [String] = []
    var overloads: [String] = []
    /// The names between the parentheses of the declaration.
    var names: [String] = []
    var says: [String] = []
  }

  struct Parameter: Equatable {
    var name: String
    var type: String
  }

  private(set) var classes: [String: Class] = [:]
  private(set) var aliases: [String: [String]] = [:]
  private(set) var functions: [String: Function] = [:]
  private(set) var globals: [String: String] = [:]
  /// The lines that are no annotations, no declarations and no comments.
  private(set) var strange: [String] = []

  private var open: String?
  private var alias: String?
  private var function = Function()
  private var type: String?

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { read(String(line)) }
  }

  private mutating func read(_ line: String) {
    if line.isEmpty {
      (open, alias, type, function) = (nil, nil, nil, Function())
    } else if let match = line.wholeMatch(of: /---@class ([\w.-]+)(?:: ([\w.-]+))?/) {
      open = String(match.output.1)
      classes[String(match.output.1)] = Class(base: match.output.2.map(String.init))
    } else if let match = line.wholeMatch(
      of: /---@field (\[string\]|\["(?:[^"\\]|\\.)*"\]|\[integer\]|\[1\]|\w+\??) (.*)/), let open
    {
      let (type, _) = Self.typed(String(match.output.2))
      classes[open]?.fields[String(match.output.1)] = type
    } else if let match = line.wholeMatch(of: /---@operator (call\(\w+\): \w+)/), let open {
      classes[open]?.operators.append(String(match.output.1))
    } else if let match = line.wholeMatch(of: /---@alias (\w+) (.*)/) {
      alias = String(match.output.1)
      aliases[String(match.output.1)] = [String(match.output.2)]
    } else if let match = line.wholeMatch(of: /---\| ("(?:[^"\\]|\\.)*")(?: # .*)?/), let alias {
      aliases[alias]?.append(String(match.output.1))
    } else if let match = line.wholeMatch(of: /---@param ([\w.]+\??) (.*)/) {
      function.parameters.append(Parameter(name: String(match.output.1), type: Self.typed(String(match.output.2)).type))
    } else if let match = line.wholeMatch(of: /---@return (.*) # .*/) {
      function.returns.append(String(match.output.1))
    } else if let match = line.wholeMatch(of: /---@overload (fun\(.*)/) {
      function.overloads.append(String(match.output.1))
    } else if let match = line.wholeMatch(of: /---@type (.*)/) {
      type = String(match.output.1)
    } else if let match = line.wholeMatch(of: /function ([\w.:]+)\(([\w., ]*)\) end/) {
      function.names =
        match.output.2.isEmpty ? [] : match.output.2.split(separator: ",").map { $0.filter { $0 != " " } }
      functions[String(match.output.1)] = function
    } else if let match = line.wholeMatch(of: /(\w+) = nil/), let type {
      globals[String(match.output.1)] = type
    } else if line.wholeMatch(of: /(?:local )?\w+ = \{\}/) != nil || line == "---@meta" {
      return
    } else if line.hasPrefix("---@") || !line.hasPrefix("--") {
      strange.append(line)
    } else {
      function.says.append(String(line.drop { $0 == "-" }))
    }
  }

  /// The type at the beginning of a text, whose brackets and quotes are closed, and what stands behind it.
  static func typed(_ text: String) -> (type: String, says: String) {
    var depth = 0
    var isQuoted = false
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      if character == "\"" { isQuoted.toggle() }
      if isQuoted { continue }
      if "({[<".contains(character) { depth += 1 }
      if ")}]>".contains(character) { depth -= 1 }
      // A blank behind a comma or a colon goes on with the type.
      if character == " ", depth == 0, index > 0, !",:|".contains(characters[index - 1]) {
        return (String(characters[..<index]), String(characters[(index + 1)...]))
      }
    }
    return (text, "")
  }
}

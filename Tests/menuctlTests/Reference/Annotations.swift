/// Annotations in LuaCATS form, parsed from a stubs file.
struct Annotations {
  struct Class: Equatable {
    var base: String?
    var fields: [String: String] = [:]
    /// The types of its calls.
    var calls: [String] = []
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
  /// Lines that are no annotations, no declarations and no comments.
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
      of: /---@field (\[string\]|\["(?:[^"\\]|\\.)*"\]|\[integer\]|\[any\]|\[1\]|\w+\??) (.*)/), let open
    {
      let (type, _) = Self.typed(String(match.output.2))
      classes[open]?.fields[String(match.output.1)] = type
    } else if let match = line.wholeMatch(of: /---@overload (fun\(.*)/), let open {
      classes[open]?.calls.append(String(match.output.1))
    } else if line.wholeMatch(of: /---@generic \w+(, \w+)*/) != nil {
      return
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

  /// The type at the beginning of a text, with closed brackets and quotes, and the rest of the text.
  static func typed(_ text: String) -> (type: String, says: String) {
    var depth = 0
    var isQuoted = false
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      if character == "\"" { isQuoted.toggle() }
      if isQuoted { continue }
      if "({[<".contains(character) { depth += 1 }
      if ")}]>".contains(character) { depth -= 1 }
      // A blank after a comma or a colon continues the type.
      if character == " ", depth == 0, index > 0, !",:|".contains(characters[index - 1]) {
        return (String(characters[..<index]), String(characters[(index + 1)...]))
      }
    }
    return (text, "")
  }
}

// Looks names up like the language server.
extension Annotations {
  /// The type of a field, from the nearest class that has it by name, else by any string.
  func type(of field: String, in name: String) -> String? {
    for key in [field, "\(field)?", "[string]"] {
      var type: String? = name
      while let known = type {
        if let found = classes[known]?.fields[key] {
          // A class that takes any string comes before its base class.
          let isNearer = key == "[string]" ? nil : nearest(of: "[string]", from: name, before: known)
          return isNearer ?? found
        }
        type = classes[known]?.base
      }
    }
    return nil
  }

  private func nearest(of key: String, from name: String, before end: String) -> String? {
    var type: String? = name
    while let known = type, known != end {
      if let found = classes[known]?.fields[key] { return found }
      type = classes[known]?.base
    }
    return nil
  }

  func isSub(_ name: String, of other: String) -> Bool {
    var type: String? = name
    while let known = type {
      if known == other { return true }
      type = classes[known]?.base
    }
    return false
  }

  /// The fields that an editor offers for a class.
  func names(in name: String) -> Set<String> {
    var names: Set<String> = []
    var type: String? = name
    while let known = type {
      names.formUnion((classes[known]?.fields ?? [:]).keys.map { $0.filter { $0 != "?" } })
      type = classes[known]?.base
    }
    return names
  }

  func isHostField(_ field: String) -> Bool { classes["Responder"]?.fields[field] != nil }
}

/// The text of a Swift file without comments and strings: only names in code are left.
struct SwiftText {
  let path: String
  let code: String

  init(path: String) throws { self.init(path: path, text: try Project.text(path)) }

  init(path: String, text: String) {
    self.path = path
    code = Self.code(of: text)
  }

  /// The types that it declares.
  var declared: [String] {
    code.matches(of: /\b(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)/).map { String($0.output.1) }
  }

  /// The outermost types that it declares for embedding programs. Those for benchmarks have an attribute.
  var embedders: [String] {
    code.matches(of: /(?m)(@_spi\(\w+\)\s)?^public (?:final |indirect )?(?:struct|class|enum|protocol) (\w+)/)
      .filter { $0.output.1 == nil }.map { String($0.output.2) }
  }

  /// The types that it names, except members of other types and its generic placeholders.
  var named: Set<String> {
    let placeholders = code.matches(of: /\b(?:func|struct|class|enum)\s+\w+<([A-Z]\w*)/).map { String($0.output.1) }
    let names = code.matches(of: /(^|[^\w.])([A-Z]\w*)/).map { String($0.output.2) }
    return Set(names).subtracting(placeholders)
  }

  /// All words in it that could be a type's name, members too.
  var mentioned: Set<String> { Set(code.matches(of: /\b[A-Z]\w*/.wordBoundaryKind(.simple)).map { String($0.output) }) }

  var imports: [String] {
    code.matches(of: /\bimport\s+(\w+)/).map { String($0.output.1) }
  }

  private static func code(of text: String) -> String {
    text.replacing(/(?s)\/\/[^\n]*|\/\*.*?\*\/|""".*?"""|"(?:\\.|[^"\\\n])*"/, with: " ")
  }
}

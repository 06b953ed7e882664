/// The text of a C file, without comments and strings.
struct CText {
  let path: String
  private let code: String

  init(path: String) throws {
    self.path = path
    code = try Project.text(path).replacing(/(?s)\/\/[^\n]*|\/\*.*?\*\/|"(?:\\.|[^"\\\n])*"/, with: " ")
  }

  /// The functions that it defines for other files.
  var defined: Set<String> {
    Set(
      code.matches(of: /(?m)^(?!static\b)[A-Za-z_][\w\s*]*?[\s*](clua_\w+)\s*\([^;{]*\)\s*\{/).map {
        String($0.output.1)
      })
  }

  /// The functions that a header declares.
  var declared: Set<String> {
    Set(code.matches(of: /(?m)^[a-z][\w ]*[ *](clua_\w+)\(/).map { String($0.output.1) })
  }

  var named: Set<String> { Set(code.matches(of: /\bclua_\w+/).map { String($0.output) }) }
}

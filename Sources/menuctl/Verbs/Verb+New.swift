import LiveHost

extension Verb {
  static let new = Verb(
    name: "new", operands: [Operand(name: "NAME")],
    summary: "make a folder with a small app, its test, and what editors want to know", options: [.color, .help]
  )

  /// The name of the new app: the last part of the path.
  fileprivate static func appName(in path: String) throws(Problem) -> String {
    let name = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    let isName = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-".unicodeScalars.contains($0)
    }
    guard isName, name.unicodeScalars.first?.properties.isAlphabetic == true, name.utf8.count <= 100 else {
      throw Problem(
        .usage, "'\(path)' is no name for an app",
        help: "a name begins with a letter; letters, digits, '_' and '-' follow")
    }
    return name
  }
}

extension VerbBody {
  static let new = VerbBody(.new) { session in
    let path = session.invocation.operands[0]
    let name = try Verb.appName(in: path)
    try NewFolder.make(path, NewApp(name: name).files)
    let test = path.isPlainWord ? path : "'\(path)'"
    return Reply(
      answer: .text(
        """
        made \(path.visible): app.lua, app_test.lua, .menuctl/stubs.lua, .luarc.json

        menuctl ui \(test)
        menuctl test \(test)
        """))
  }
}

extension String {
  /// Whether a shell reads the text as one word without quotes.
  fileprivate var isPlainWord: Bool {
    unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-./".unicodeScalars.contains($0)
    }
  }
}

import ScriptHost

extension HostSubject {
  /// What may stand at the end of a line of Lua.
  package func completions(ofLua line: String) throws(Unanswered) -> Completions {
    host.quietly {
      switch LuaPlace(line) {
      case .string(let begun, let quote):
        let names = [AppName.actions, .responders, .ids, .keys].flatMap { $0.names(in: host) }
        return Completions(begun.isEmpty ? names : names.filter { $0 != begun }, begun: begun) { _ in quote }
      case .name(let path, let responder, let begun):
        let words = path.isEmpty && responder == nil ? Self.words : []
        return Completions(host.names(behind: path, of: responder) + words, begun: begun)
      case .nothing: return Completions()
      }
    }
  }

  /// What may be named by something that was begun.
  package func completions(of kinds: [AppName], begun: String) throws(Unanswered) -> Completions {
    host.quietly { Completions(kinds.flatMap { $0.names(in: host) }, begun: begun) }
  }

  /// The words of Lua that are worth a key.
  private static let words = ["function", "local", "return", "repeat", "while", "until", "false"]
}

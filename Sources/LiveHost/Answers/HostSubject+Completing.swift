import ScriptHost

extension HostSubject {
  /// The completions at the end of a line of Lua.
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

  /// The names of some kinds that complete a word.
  package func completions(of kinds: [AppName], begun: String) throws(Unanswered) -> Completions {
    host.quietly { Completions(kinds.flatMap { $0.names(in: host) }, begun: begun) }
  }

  /// The keywords of Lua that are long enough to be completed.
  private static let words = ["function", "local", "return", "repeat", "while", "until", "false"]
}

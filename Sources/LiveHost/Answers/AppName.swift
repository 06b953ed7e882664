import ScriptHost

/// A kind of names in an app, which a word of a command line may complete to.
package enum AppName: String, CaseIterable, Sendable {
  /// Names of actions. `actions` has the references of items as well, for the REPL; a shell would split these.
  case actions, names, ids, items, menus, keys, responders
  /// The arguments of actions, as `KEY=`.
  case arguments

  /// The kinds with these names; all if none is given.
  static func all(_ words: [String]) throws(Unanswered) -> [AppName] {
    if words.isEmpty { return allCases }
    var kinds: [AppName] = []
    for word in words {
      guard let kind = AppName(rawValue: word) else {
        let near = nearest(to: word, among: allCases.map(\.rawValue)).first
        throw Unanswered(.asking, "there is no kind of name '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
      kinds.append(kind)
    }
    return kinds
  }

  /// The names of this kind that the app has now.
  package func names(in host: ScriptHost) -> [String] {
    switch self {
    case .actions: Self.actions(of: host) + host.menus().children.flatMap(\.items).map(\.action)
    case .names: Self.actions(of: host)
    case .ids: Self.drawn(of: host).flatMap(\.ids)
    case .items: Self.drawn(of: host).flatMap(\.items).map(\.id)
    case .arguments: (try? host.actions())?.flatMap(\.takes).map { "\($0.key)=" } ?? []
    case .menus: host.menus().children.flatMap(\.menuIDs)
    case .keys: host.keys().map(\.keys)
    case .responders: host.responders.map(\.name)
    }
  }

  /// The menus, and the elements of the panel.
  private static func drawn(of host: ScriptHost) -> [MenuElement] {
    let root = host.menus()
    return root.children + (root.panel?.children ?? [])
  }

  private static func actions(of host: ScriptHost) -> [String] {
    host.answeredActions(by: 1).map(\.action) + host.nativeActions
  }
}

extension MenuElement {
  /// The ids of the menus in this one, its own first.
  fileprivate var menuIDs: [String] { kind == .menu ? [id] + children.flatMap(\.menuIDs) : [] }
}

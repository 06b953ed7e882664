import ScriptHost

/// What a word of a command line may name in an app.
package enum AppName: String, CaseIterable, Sendable {
  /// Actions by their names; in the REPL with the references of items, which a shell would take apart.
  case actions, names, ids, items, menus, keys, responders
  /// What actions take, as `KEY=`.
  case arguments

  /// Those that are called so; all where none is named.
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

  /// The names that there are now.
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

  /// The menus, and what stands in the panel.
  private static func drawn(of host: ScriptHost) -> [MenuElement] {
    let root = host.menus()
    return root.children + (root.panel?.children ?? [])
  }

  private static func actions(of host: ScriptHost) -> [String] {
    host.answeredActions(by: 1).map(\.action) + host.nativeActions
  }
}

extension MenuElement {
  /// The ids of the menus in it, its own first.
  fileprivate var menuIDs: [String] { kind == .menu ? [id] + children.flatMap(\.menuIDs) : [] }
}

// Finds context keys that are read and never supplied, or that are supplied under a name where they can't be read.

extension Check {
  /// Keys that are read, and that no provider, argument or assignment in any script could supply.
  func unsupplied() -> [Diagnostic] {
    let providers = behaviours.compactMap(\.provide)
    // The keys that a closure of the program supplies aren't known.
    if providers.contains(where: { $0.owner === host.program }) || words.computesPerformed { return [] }
    let supplied = supplied(by: providers)
    let taken = behaviours.flatMap { $0.takes.values.flatMap(\.content.arguments).map(\.key) }
    let known = providers.flatMap(\.suppliedKeys) + uses.flatMap(\.arguments) + taken
    return reads().filter { !supplied.contains($0.key) && !HostNames.contains($0.key) }.map { read in
      Diagnostic(
        .warning, "unsupplied-key", "\(read.what) reads '\(read.key)' of the context, which nobody supplies",
        place: read.place, help: near(read.key, known))
    }
  }

  /// All keys under which something may be supplied.
  private func supplied(by providers: [Handler]) -> Set<String> {
    var supplied = Set(words.all(.assigned) + dispatcher.hostValues.members.map(\.key))
    let texts = words.all(.text)
    for use in uses { supplied.formUnion(use.arguments) }
    for text in texts {
      guard let reference = try? Reference.parse(text) else { continue }
      supplied.formUnion(reference.arguments?.members.map(\.key) ?? [])
    }
    let writers = providers + registered { $0.on }.map(\.handler)
    supplied.formUnion(writers.flatMap(\.suppliedKeys))
    if !writers.allSatisfy(\.isReadable) { supplied.formUnion(texts) }
    return supplied
  }

  private struct Read {
    let key: String
    /// Who reads it, as a person calls it.
    let what: String
    let place: Place?
  }

  /// The keys read by providers, and for actions that an item or a key performs. The arguments of other actions aren't known.
  private func reads() -> [Read] {
    let named = Set(uses.flatMap { $0.reference.candidates.map(\.name) })
    var reads: [Read] = []
    for (table, path) in [("on", \Behaviour.on), ("can", \.can), ("look", \.look)] {
      for one in registered({ $0[keyPath: path] }) where named.contains(one.action) {
        reads += self.reads(one.handler.reads, one.what(table))
      }
    }
    for behaviour in behaviours where behaviour.owner !== host.program {
      let by = holder(of: behaviour)
      let whose = behaviour.className.map { "class '\($0)'" } ?? "'\(by?.name ?? "")'"
      if let provide = behaviour.provide { reads += self.reads(provide.reads, "'provide' of \(whose)") }
      for (name, needs) in behaviour.needs where named.contains(host.names.text(of: name)) {
        let action = host.names.text(of: name)
        let what = "'needs.\(action)' of \(whose)"
        let start = written("needs", action) ?? by?.place
        reads += needs.content.map { Read(key: $0.key, what: what, place: place(of: $0.key, at: start)) }
      }
    }
    return reads + readsOfMenus()
  }

  /// What sections and menus read.
  private func readsOfMenus() -> [Read] {
    var reads: [Read] = []
    Check.forEachNode(of: host) { node in
      let what = node.element.described
      for (field, found) in node.element.section?.source.reads ?? [] {
        reads += self.reads(found, "'\(field)' of \(what)")
      }
      if let found = (node.element.menu?.look ?? node.element.look)?.reads {
        reads += self.reads(found, "'look' of \(what)")
      }
    }
    return reads
  }

  private func reads(_ found: ContextReads, _ what: String) -> [Read] {
    found.keys.map { Read(key: $0, what: what, place: place(of: $0, in: found)) }
  }

  /// Where a function reads a key: as `ctx.key`, else as a string, else where the function stands.
  private func place(of key: String, in function: ContextReads) -> Place? {
    guard let start = function.place else { return nil }
    for word in [".\(key)", "\"\(key)\"", "'\(key)'"] {
      if var place = place(of: word, at: start, lines: function.lineCount), let column = place.column {
        place.column = column + 1
        return place
      }
    }
    return start
  }

  /// Providers that supply something under a name of the host's, which nobody can read.
  func shadowed() -> [Diagnostic] {
    behaviours.flatMap { behaviour -> [Diagnostic] in
      guard let provide = behaviour.provide, !provide.wasToldOfShadows, let by = holder(of: behaviour) else {
        return []
      }
      return provide.suppliedKeys.filter(HostNames.contains).map {
        Dispatcher.shadowed($0, by: by.name, place: place(of: $0, in: provide.reads))
      }
    }
  }
}

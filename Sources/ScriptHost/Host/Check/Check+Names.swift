// Finds names that are almost the host's, and names of the host's that a script has redefined.

extension Check {
  /// Fields of responders and classes whose names are almost those of the host's.
  func misspelt() -> [Diagnostic] {
    (host.engine?.misspeltFields(words) ?? []).map { field in
      Diagnostic(
        .warning, "misspelt-field", "\(field.holder) has a field '\(field.name)', which nobody reads",
        place: field.place, help: "did you mean '\(field.meant)'?")
    }
  }

  /// Fields that `ctx:set` writes and nobody reads, if one with a similar name is read.
  func unread() -> [Diagnostic] {
    let stored = words.all(.stored).filter { !words.has($0, .read) }
    if stored.isEmpty { return [] }
    let known = words.all(.read).filter { words.has($0, [.assigned, .stored]) }
    var steps = 1 << 20
    var found: [Diagnostic] = []
    for name in stored where found.count < 16 {
      // Short names are skipped, because many are similar by chance.
      guard name.utf8.count > 3, let meant = nearest(to: name, among: known, within: &steps).first else { continue }
      found.append(
        Diagnostic(
          .warning, "misspelt-field", "'ctx:set' writes the field '\(name)', which nobody reads",
          place: host.engine?.place(ofText: name), help: "did you mean '\(meant)'?"))
    }
    return found
  }

  /// Globals that a function reads or assigns, and that no script defines.
  func undefined() -> [Diagnostic] {
    guard !words.touchesGlobals, let engine = host.engine else { return [] }
    let read = words.all(.global).filter { !words.has($0, [.made, .changed]) }
    let assigned = words.all(.changed).filter { !words.has($0, .made) }
    let found = [(engine.undefinedNames(among: read), "reads"), (engine.undefinedNames(assigned: assigned), "assigns")]
    return found.flatMap { names, use in
      names.map { name, place, help in
        Diagnostic(
          .warning, "undefined-name", "a function \(use) '\(name)', which is not defined", place: place, help: help)
      }
    }
  }

  /// Elements that a statement makes and throws away.
  func thrownAway() -> [Diagnostic] {
    words.all(.dropped).map { word in
      let help =
        word == "menu"
        ? "menubar { menu \"…\" { … } } shows it"
        : "it is shown where it stands in the braces of a menu, behind a comma, or where a section's 'row' returns it"
      return Diagnostic(
        .warning, "unplaced-element", "what '\(word)' makes here stands in nothing",
        place: host.engine?.place(ofStatement: word), help: help)
    }
  }

  /// Words of the language that a script assigns.
  func hidden() -> [Diagnostic] {
    (host.engine?.hiddenWords() ?? []).map { word, place in
      Diagnostic(
        .warning, "hidden-word", "'\(word)' is a word of the host's, and means what this assigns from here on",
        place: place, help: "give it another name")
    }
  }
}

// Names that are nearly the host's, and names of the host's that mean something else now.

extension Check {
  /// Fields of responders and classes that are called nearly like one of the host's.
  func misspelt() -> [Diagnostic] {
    (host.engine?.misspeltFields(words) ?? []).map { field in
      Diagnostic(
        .warning, "misspelt-field", "\(field.holder) has a field '\(field.name)', which nobody reads",
        place: field.place, help: "did you mean '\(field.meant)'?")
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

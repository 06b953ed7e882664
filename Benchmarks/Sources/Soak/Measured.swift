import Floor
@_spi(Measuring) import ScriptHost

/// What is held at one moment.
struct Measured {
  let held: Held
  /// Bytes of the process's heap in use.
  let heap = Int(floor_heapBytes())
  /// Bytes of memory that the system gives it.
  let resident = Int(floor_residentBytes())

  /// What is looked at, with how much more there may be at the end: some for what fills up slowly and has a bound of its own.
  static var figures: [(name: String, slack: Int, of: (Measured) -> Int)] {
    [
      ("lua", 32 << 10, \.held.memory), ("heap", 128 << 10, \.heap), ("resident", 2 << 20, \.resident),
      ("references", 0, \.held.references), ("objects", 0, \.held.objects), ("nodes", 0, \.held.nodes),
      ("names", 0, \.held.names), ("others", 0, \.held.others),
    ]
  }
}

extension [String] {
  /// The index of the first title that begins with typed letters, or else of the first with a word that does: from a place on, then from the start.
  package func first(beginningWith typed: String, from place: Int) -> Int? {
    let letters = typed.lowercased()
    let place = Swift.min(Swift.max(0, place), count)
    let order = Array<Int>(place..<count) + Array<Int>(0..<place)
    return order.first { self[$0].lowercased().hasPrefix(letters) }
      ?? order.first { index in
        self[index].lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(letters) }
      }
  }
}

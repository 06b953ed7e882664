/// A *focus memory* is where the focus was in every window, and which were key, kept up with what is removed since.
struct FocusMemory {
  fileprivate var keyHistory: [Responder]
  fileprivate var loose: Responder?
  fileprivate var firsts: [(window: Responder, first: Responder?)]

  /// Hands over what a responder that is removed had, as it is handed over where it counts now.
  mutating func forget(_ responder: Responder, heir: Responder?) {
    keyHistory.removeAll { $0 === responder }
    if loose === responder { loose = heir }
    firsts.removeAll { $0.window === responder }
    for index in firsts.indices where firsts[index].first === responder { firsts[index].first = heir }
  }
}

extension Chain {
  /// Where the focus is now.
  var focusMemory: FocusMemory {
    FocusMemory(keyHistory: keyHistory, loose: loose, firsts: windows.map { ($0, $0.first) })
  }

  /// Puts the focus where it was.
  func restore(_ memory: FocusMemory) {
    for (window, first) in memory.firsts { window.first = first }
    restoreFocus(keyHistory: memory.keyHistory, loose: memory.loose)
  }
}

/// A *focus memory* is a saved focus: of every window, and which windows were key. Responders removed since are taken
/// out of it.
struct FocusMemory {
  fileprivate var keyHistory: [Responder]
  fileprivate var loose: Responder?
  fileprivate var firsts: [(window: Responder, first: Responder?)]

  /// Takes a removed responder out; its heir gets its focus here, as in the chain.
  mutating func forget(_ responder: Responder, heir: Responder?) {
    keyHistory.removeAll { $0 === responder }
    if loose === responder { loose = heir }
    firsts.removeAll { $0.window === responder }
    for index in firsts.indices where firsts[index].first === responder { firsts[index].first = heir }
  }
}

extension Chain {
  /// A memory of the present focus.
  var focusMemory: FocusMemory {
    FocusMemory(keyHistory: keyHistory, loose: loose, firsts: windows.map { ($0, $0.first) })
  }

  /// Restores a saved focus.
  func restore(_ memory: FocusMemory) {
    for (window, first) in memory.firsts { window.first = first }
    restoreFocus(keyHistory: memory.keyHistory, loose: memory.loose)
  }
}

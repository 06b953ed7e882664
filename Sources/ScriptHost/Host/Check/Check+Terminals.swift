// X1: finds keys that few terminals send, unless another key performs the same action.

extension Check {
  func rareKeys() -> [Diagnostic] {
    var bound: [(keys: KeySequence, action: ByteText, what: String, place: Place?)] = []
    Check.forEachNode(of: host) { node in
      guard let keys = node.element.keys, let action = node.element.action else { return }
      bound.append((keys, ByteText(action.reference.format()), node.element.described, node.element.place))
    }
    for responder in host.responders {
      for (keys, binding) in responder.bindings {
        for (reference, _) in binding.all {
          bound.append((keys, ByteText(reference.format()), "'\(responder.name)'", binding.place))
        }
      }
    }
    let known = Set(bound.filter { $0.keys.isSentByTerminals }.map(\.action))
    return bound.filter { !$0.keys.isSentByTerminals && !known.contains($0.action) }.map { one in
      let rare = one.keys.strokes.first { !$0.isSentByTerminals }?.text ?? one.keys.text
      return Diagnostic(
        .note, "rare-key", "'\(rare)' of \(one.what) reaches few terminals; give a second way",
        place: place(of: one.keys.text, at: one.place), help: "bind another key to '\(one.action.text)' too")
    }
  }
}

extension KeySequence {
  fileprivate var isSentByTerminals: Bool { strokes.allSatisfy(\.isSentByTerminals) }
}

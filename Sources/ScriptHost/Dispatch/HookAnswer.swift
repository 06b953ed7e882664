/// A *hook answer* is what a `redirect` or `claims` function answered. Such functions are asked in every perform.
struct HookAnswer {
  let question: Asked
  let answer: Said

  /// The question, and the hook and responder that were asked.
  struct Asked {
    enum Kind {
      case redirect, claims
    }

    let kind: Kind
    let hook: Handler
    let responder: Responder
    let action: String

    init(_ kind: Kind, _ hook: Handler, _ responder: Responder, _ action: String) {
      self.kind = kind
      self.hook = hook
      self.responder = responder
      self.action = action
    }
  }

  enum Said {
    case redirects(Responder?)
    case claims(Claim)
    indirect case fails(Failure)

    /// Whether both lead to the same candidate. Two failures are never the same.
    func isSame(as other: Said) -> Bool {
      switch (self, other) {
      case (.redirects(let one), .redirects(let other)): one === other
      case (.claims(let one), .claims(let other)): one == other
      default: false
      }
    }
  }
}

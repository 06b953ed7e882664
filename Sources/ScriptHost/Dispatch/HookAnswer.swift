/// A *hook's answer* is what a function said that has a say in who takes an action, and so is asked each time.
struct HookAnswer {
  let question: Asked
  let answer: Said

  /// What was asked, of whom.
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

    /// Whether both lead to the same; each failure is one of its own.
    func isSame(as other: Said) -> Bool {
      switch (self, other) {
      case (.redirects(let one), .redirects(let other)): one === other
      case (.claims(let one), .claims(let other)): one == other
      default: false
      }
    }
  }
}

/// A handler that answers `can` and `look` with what a `claims` function returned.
final class ClaimAnswer: Handler {
  private let claim: Claim
  override var place: Place? { known }
  private let known: Place?

  init(_ claim: Claim, by hook: Handler) {
    self.claim = claim
    known = hook.place
    super.init(owner: hook.owner)
  }

  override func can(for responder: Responder, in context: Context) -> Verdict { claim.reason.map { .no($0) } ?? .yes }
  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> { .success(claim.look) }
}

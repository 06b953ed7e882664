/// An event of a script's own (E5).
struct EmittedEvent {
  let name: String
  let data: Value
}

/// A listener of an event of the scripts' own.
final class EventListener {
  let owner: Owner
  /// Where a script began to listen.
  let place: Place?
  let notify: (EmittedEvent) -> Failure?

  init(owner: Owner, at place: Place?, notify: @escaping (EmittedEvent) -> Failure?) {
    self.owner = owner
    self.place = place
    self.notify = notify
  }
}

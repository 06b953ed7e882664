/// The *awaited lists* are the values that functions for `one_of` and `suggest` list after they have waited (A12). A form has each function
/// called once for the answers that it hears, and shows the list when it comes.
final class AwaitedLists {
  private final class Entry {
    let handler: Handler
    let responder: Responder
    let known: Arguments
    var job: Job?
    var hasBegun = false
    var list: Result<Value, Failure>?
    /// When a form asked for it last.
    var wantedAt: Int64

    init(_ handler: Handler, for responder: Responder, _ known: Arguments, at now: Int64) {
      (self.handler, self.responder, self.known, wantedAt) = (handler, responder, known, now)
    }
  }

  private unowned let dispatcher: Dispatcher
  private var entries: [Entry] = []
  private lazy var next = Later(dispatcher) { [weak self] in self?.begin() }
  /// Called when a list has come, so that open forms can be drawn anew.
  var onCome: (() -> Void)?

  /// How long a list is kept after a form has asked for it, in nanoseconds, and how many are: at least those of one form.
  private static let lifetime: Int64 = 10_000_000_000, most = Takes.most

  init(_ dispatcher: Dispatcher) { self.dispatcher = dispatcher }

  /// The list of a function for what is known; nil if it is still to come. A function that has not been called for it is called soon.
  func list(_ handler: Handler, for responder: Responder, _ known: Arguments) -> Result<Value, Failure>? {
    let now = dispatcher.scheduler.now
    entries.removeAll { $0.list != nil && now > $0.wantedAt.addingTime(Self.lifetime) }
    if let found = entries.first(where: { $0.handler === handler && $0.known.isSame(as: known) }) {
      found.wantedAt = now
      return found.list
    }
    // A form shows the list for the newest answers only.
    drop { $0.handler === handler }
    if entries.count == Self.most, let oldest = entries.first { drop { $0 === oldest } }
    entries.append(Entry(handler, for: responder, known, at: now))
    next.begin(in: 0)
    return nil
  }

  /// The calls that wait, begun now where they haven't begun.
  func begunJobs() -> [Job] {
    next.stop()
    begin()
    return entries.compactMap(\.job)
  }

  private func drop(_ isDropped: (Entry) -> Bool) {
    let dropped = entries.filter(isDropped)
    entries.removeAll(where: isDropped)
    for entry in dropped { entry.job?.cancel(because: "its form is about something else by now") }
  }

  private func begin() {
    for entry in entries where !entry.hasBegun {
      entry.hasBegun = true
      let context = dispatcher.allowing { dispatcher.context(of: dispatcher.defaultWalk(), witness: nil) }
      context.taker = entry.responder
      context.begin(Request(raw: "form", action: "form", prefix: "", arguments: entry.known))
      let outcome = dispatcher.runAside(entry.handler, named: "form", for: entry.responder, in: context)
      guard let job = outcome.job else {
        come(outcome, of: entry)
        continue
      }
      entry.job = job
      job.onEnd { [weak self, weak entry] outcome in if let entry { self?.come(outcome, of: entry) } }
    }
  }

  private func come(_ outcome: Outcome, of entry: Entry) {
    entry.job = nil
    let failure = outcome.error ?? Failure(.script, outcome.reason ?? outcome.status.rawValue)
    entry.list = outcome.status == .handled ? .success(outcome.result) : .failure(failure)
    if entries.contains(where: { $0 === entry }) { onCome?() }
  }
}

extension Arguments {
  /// Whether both have the same members in the same order.
  fileprivate func isSame(as other: Arguments) -> Bool {
    members.count == other.members.count
      && zip(members, other.members).allSatisfy { $0.key.hasSameBytes(as: $1.key) && $0.value.isSame(as: $1.value) }
  }
}

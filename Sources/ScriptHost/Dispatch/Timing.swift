/// A *timing* runs a function later, once or again and again. It waits as jobs do, and goes with its owner.
final class Timing: Job {
  /// It lives as long as the host, which alone has this run.
  private unowned let dispatcher: Dispatcher
  private let handler: Handler
  /// In nanoseconds.
  private let interval: Int64
  private let isRepeated: Bool
  /// Where it was asked for.
  private let place: Place?
  /// When it was to run last, or is next.
  private var moment: Int64 = 0
  /// Whether it is over.
  private(set) var isRemoved = false
  /// Whether it was begun to be counted.
  private(set) var isCounting = false
  /// How often it failed in a row.
  private var failures = 0
  /// Told once, when it is over.
  var onRemove: (() -> Void)?

  /// As often as it may fail in a row.
  static let mostFailures = 3
  static let least: Int64 = 10_000_000

  init(_ dispatcher: Dispatcher, _ handler: Handler, every interval: Int64, repeated isRepeated: Bool, at place: Place?)
  {
    self.dispatcher = dispatcher
    self.handler = handler
    self.interval = max(interval, Self.least)
    self.isRepeated = isRepeated
    self.place = place
    super.init(
      Subject(
        action: isRepeated ? "every" : "after", responder: dispatcher.chain.app, owner: handler.owner,
        isReentrant: true))
  }

  private var scheduler: Scheduler { dispatcher.scheduler }

  /// Counts from now on.
  func start() {
    guard !isRemoved, !isCounting else { return }
    isCounting = true
    moment = scheduler.now.addingTime(interval)
    scheduler.add(self, nanoseconds: interval)
  }

  override func wake() {
    let outcome = dispatcher.run(handler, named: action)
    if let job = outcome.job { job.onEnd { [self] in ended($0) } } else { ended(outcome) }
  }

  private func ended(_ outcome: Outcome) {
    failures = outcome.status == .failed ? failures + 1 : 0
    guard isRepeated, failures < Self.mostFailures else {
      if isRepeated, !isRemoved { dispatcher.report(givenUp) }
      return remove()
    }
    guard !isRemoved, !handler.owner.isInactive else { return remove() }
    let now = scheduler.now
    moment = moment.addingTime(interval)
    // Of the times that came meanwhile one is made up.
    if moment <= now { moment += (now - moment) / interval * interval }
    scheduler.add(self, nanoseconds: max(moment - now, 0))
  }

  private var givenUp: Diagnostic {
    Diagnostic(
      .warning, "timer",
      "what runs every \(Double(interval) / 1e9) s has failed \(Self.mostFailures) times in a row, and is removed",
      place: place)
  }

  /// Runs it no more; what runs now goes on to its end.
  func remove() {
    guard !isRemoved else { return }
    isRemoved = true
    scheduler.leave(self)
    onRemove?()
    onRemove = nil
  }

  override func cancel(because reason: String) { remove() }
}

extension Dispatcher {
  /// Runs a handler by itself: with an allowance and an undo group of its own, for nobody's taker.
  func run(_ handler: Handler, named action: String, in context: Context? = nil) -> Outcome {
    guard handler.owner.trouble == nil, beginAction(action) else { return Outcome(.cancelled) }
    defer { endAction() }
    engine?.beginAllowance()
    let reference = Reference(id: action, arguments: nil)
    let walk = defaultWalk()
    let context = context ?? makeContext()
    let resolution = Resolution(reference, raw: action, on: walk, dispatcher: self, isKept: false)
    var options = PerformOptions()
    options.isDelivery = true
    let perform = Perform(Candidates(resolution, dispatcher: self), options, self, observers: [])
    let outcome = perform.run(handler, for: chain.app, in: context)
    engine?.endAllowance()
    if hasRecorded, outcome.status != .running { settle(outcome.status, action) }
    return outcome
  }
}

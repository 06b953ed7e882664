/// A job that runs a function later, once or repeatedly. It is removed with its owner.
class Timing: Job {
  /// The host, which alone runs this, keeps the dispatcher alive.
  private unowned let dispatcher: Dispatcher
  private let handler: Handler
  /// The interval in nanoseconds.
  private let interval: Int64
  private let isRepeated: Bool
  /// The place in the script that created the timer.
  private let place: Place?
  /// The time of the next run, or of the last one if it is over.
  private var moment: Int64 = 0
  /// Whether the timer is over, and won't run again.
  private(set) var isRemoved = false
  /// Whether the timer has started.
  final var isCounting = false
  /// The number of failures in a row.
  private var failures = 0
  /// Called once, when the timer is over.
  var onRemove: (() -> Void)?

  /// After this many failures in a row, the timer is removed.
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

  final var scheduler: Scheduler { dispatcher.scheduler }
  final override var isTimer: Bool { true }

  /// Starts the interval.
  func start() {
    guard !isRemoved, !isCounting else { return }
    isCounting = true
    moment = scheduler.now.addingTime(interval)
    scheduler.add(self, nanoseconds: interval)
  }

  override func wake() {
    let outcome = dispatcher.run(handler, named: action)
    guard let job = outcome.job else { return ended(outcome) }
    job.memory.isOfTimer = true
    job.onEnd { [self] in ended($0) }
  }

  private func ended(_ outcome: Outcome) {
    failures = outcome.status == .failed ? failures + 1 : 0
    guard isRepeated, failures < Self.mostFailures else {
      if isRepeated, !isRemoved { dispatcher.report(givenUp) }
      return remove()
    }
    guard !isRemoved, !handler.owner.isInactive else { return remove() }
    waitAgain()
  }

  /// Waits for the next run.
  func waitAgain() {
    let now = scheduler.now
    moment = moment.addingTime(interval)
    // Of the runs missed meanwhile, it makes up for the latest only.
    if moment <= now { moment += (now - moment) / interval * interval }
    scheduler.add(self, nanoseconds: max(moment - now, 0))
  }

  private var givenUp: Diagnostic {
    Diagnostic(
      .warning, "timer", "\(described) failed \(Self.mostFailures) times in a row, so the host removed it", place: place
    )
  }

  /// The subject of a sentence about a repeated timer.
  var described: String {
    let second: Int64 = 1_000_000_000
    let seconds = interval % second == 0 ? "\(interval / second)" : "\(Double(interval) / Double(second))"
    return "the timer that runs every \(seconds) s"
  }

  /// Stops the timer. A run in progress continues to its end.
  func remove() {
    guard !isRemoved else { return }
    isRemoved = true
    scheduler.leave(self)
    onRemove?()
    onRemove = nil
  }

  override func cancel(because reason: String) { remove() }
}

/// Calls a closure later, once, as a job of the scheduler.
final class Later: Job {
  private unowned let dispatcher: Dispatcher
  private let body: () -> Void
  private(set) var isSet = false

  init(_ dispatcher: Dispatcher, _ body: @escaping () -> Void) {
    self.dispatcher = dispatcher
    self.body = body
    super.init(
      Subject(
        action: "lines", responder: dispatcher.chain.app, owner: dispatcher.hostResponder.owner, isReentrant: true))
  }

  override var isTimer: Bool { true }

  var scheduler: Scheduler { dispatcher.scheduler }

  /// Schedules the call, unless it is already scheduled.
  func begin(in nanoseconds: Int64) {
    if isSet { return }
    isSet = true
    dispatcher.scheduler.add(self, nanoseconds: nanoseconds)
  }

  func stop() {
    guard isSet else { return }
    isSet = false
    dispatcher.scheduler.leave(self)
  }

  override func wake() {
    isSet = false
    body()
  }

  override func cancel(because reason: String) { stop() }
}

/// Removes a timer that an action created, if the action fails.
final class TimingReversal: Reversal {
  private let timing: Timing

  init(_ timing: Timing) {
    self.timing = timing
    super.init(taker: timing.responder)
  }

  override var owner: Owner { timing.memory.subject.owner }

  override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    timing.remove()
    return .value(.null)
  }
}

extension Dispatcher {
  /// Runs a single handler with its own allowance and undo groups, without looking for candidates.
  func run(
    _ handler: Handler, named action: String, for responder: Responder? = nil, in context: Context? = nil
  ) -> Outcome {
    guard handler.owner.whySetAside == nil, beginAction(action) else { return Outcome(.cancelled) }
    var isStep = false
    defer { endAction(isStep: isStep) }
    engine?.beginAllowance()
    let reference = Reference(id: action, arguments: nil)
    let walk = defaultWalk()
    let context = context ?? makeContext()
    let resolution = Resolution(reference, raw: action, on: walk, dispatcher: self, isKept: false)
    var options = PerformOptions()
    options.isDelivery = true
    let perform = Perform(Candidates(resolution), options, self, observers: [])
    let outcome = perform.run(handler, for: responder ?? chain.app, in: context)
    isStep = outcome.status == .running
    endAllowance()
    if hasRecorded, outcome.status != .running { settle(outcome.status, action) }
    return outcome
  }

  /// Runs a handler that only computes what to show. It can't be undone, and its end makes no menu stale.
  func runAside(
    _ handler: Handler, named action: String, for responder: Responder? = nil, in context: Context
  ) -> Outcome {
    let outer = (isAside, isWithinAside)
    (isAside, isWithinAside) = (true, true)
    defer { (isAside, isWithinAside) = outer }
    let outcome = run(handler, named: action, for: responder, in: context)
    if let job = outcome.job { (job.memory.isOfTimer, job.memory.isAside) = (true, true) }
    return outcome
  }
}

/// Runs a function after something outside the host changes, once for all changes within 100 ms. It also waits while
/// programs that the host started run.
final class Watching: Timing {
  private static let pause: Int64 = 100_000_000
  /// The longest delay caused by programs that don't end.
  private static let longest: Int64 = 10_000_000_000
  private let isHeld: () -> Bool
  /// The delay so far.
  private var held: Int64 = 0
  /// Whether something has changed since the function last began.
  private(set) var hasChanged = false
  private var isRunning = false
  /// Starts watching, once everything is loaded; nil if it already watches.
  var begin: ((Watching) -> Void)?

  init(_ dispatcher: Dispatcher, _ handler: Handler, at place: Place?, isHeld: @escaping () -> Bool) {
    self.isHeld = isHeld
    super.init(dispatcher, handler, every: Self.pause, repeated: true, at: place)
    memory.subject.action = "watch"
  }

  override func start() {
    guard !isRemoved, !isCounting else { return }
    isCounting = true
    begin?(self)
    begin = nil
    if !isRemoved { waitAgain() }
  }

  /// Records a change.
  func changed() {
    guard isCounting, !isRemoved, !hasChanged else { return }
    hasChanged = true
    if isRunning { return }
    scheduler.leave(self)
    scheduler.add(self, nanoseconds: Self.pause)
  }

  override func wake() {
    if held < Self.longest, isHeld() {
      held += Self.pause
      return scheduler.add(self, nanoseconds: Self.pause)
    }
    held = 0
    // Changes up to now belong to this call.
    scheduler.changes.takeAll()
    hasChanged = false
    isRunning = true
    super.wake()
  }

  override func waitAgain() {
    isRunning = false
    scheduler.add(self, nanoseconds: hasChanged ? Self.pause : -1)
  }

  override var described: String { "what 'watch' runs" }
}

/// The lines of a text, a read-only area of a panel, and their selection. They belong to the app (P14, P15).
///
/// Its function runs once for the app, after the frame, if the text is visible and its subject has changed.
final class PaneText: LineTaker {
  let part: TextPart
  var lines: [StyledText] { shown.lines }
  private var shown: Lines
  /// Incremented when the lines or the selection change.
  private(set) var version = 0
  /// Why there are no lines: the function failed, or isn't called.
  private(set) var failure: String?
  /// The start of the selection and its current end, from 0.
  private var selection = (anchor: 0, head: 0)
  /// Whether the last line is the current one, whichever that is: of a text that follows, until another is selected.
  private var selectsLast: Bool
  private weak var pane: Pane?
  private unowned let panes: Panes
  /// The subject of the lines. When it changes, the function runs again.
  private var subject: Subject?
  /// The rows that the lines are about.
  private var rowsOfLines: [ByteText?]?
  /// Counts how often the lines changed to other rows.
  private(set) var subjects = 0
  private var isAboutOthers = false
  /// Counts how often a script has asked for a new run.
  private var renewals = 0
  /// The run of the function that waits.
  private(set) var run: Job?
  /// Counts the runs, so that the end of a cancelled run isn't mistaken for that of the next.
  private var runs = 0
  private var begunAt = Int64.min
  /// How long a run may last before another begins about the same rows. It doubles with each run that doesn't end by
  /// itself, so that a slow function comes to its end however often the menus change.
  private var patience = pause
  /// Whether the lines are still those of the previous run.
  private var isOld = false
  /// The lines of a new run about the same rows, up to the selected line. Until that line comes, the old lines stay:
  /// otherwise another line would be the current one for a moment.
  private var coming: Lines
  private lazy var nextRun = Later(panes.place.dispatcher) { [weak self] in self?.begin() }
  private lazy var nextTelling = Later(panes.place.dispatcher) { [weak self] in self?.tell() }

  /// Lines, whose bytes count as long as they are kept.
  private struct Lines {
    var lines: [StyledText] = []
    private let share: KeptBytes.Share

    init(_ kept: KeptBytes) { share = kept.share(0) }

    mutating func add(_ line: StyledText, replacing isReplacing: Bool) {
      if isReplacing, let last = lines.popLast() { share.add(-last.bytesOfLine) }
      if lines.count > PaneText.most { return }
      let line = lines.count == PaneText.most ? StyledText("… more") : line
      lines.append(line)
      share.add(line.bytesOfLine)
    }
  }

  private struct Subject: Equatable {
    let rows: [ByteText?]
    let rebuilds: Int
    let renewals: Int
  }

  init(_ part: TextPart, of pane: Pane, in panes: Panes, from other: PaneText?) {
    self.part = part
    self.pane = pane
    self.panes = panes
    shown = Lines(panes.place.dispatcher.kept)
    coming = Lines(panes.place.dispatcher.kept)
    selectsLast = part.isFollowing
    super.init()
    part.source.text = self
    if let other {
      (shown, version, selection) = (other.shown, other.version + 1, other.selection)
      selectsLast = part.isFollowing && other.selectsLast
      rowsOfLines = other.rowsOfLines
      isOld = true
    }
    if let declared = part.source.declared { shown.lines = declared }
  }

  /// The most lines of a text, and the most bytes of a line.
  static let most = 100_000, longest = 16_384
  /// The least time between the starts of two runs, and how long new lines are collected before a notification.
  private static let pause: Int64 = 10_000_000, frame: Int64 = 16_000_000
  /// How long new lines wait for the selected one.
  private static let waitForSelected: Int64 = 250_000_000
  private static let mostPatience: Int64 = 5_000_000_000

  // MARK: Asking

  /// Whether more lines may come.
  var isRunning: Bool { run != nil || nextRun.isSet }

  /// Schedules the function if the subject of the lines has changed.
  func look() {
    guard part.source.handler != nil else { return }
    // A rebuild is counted when the tree is made.
    _ = panes.place.trees.snapshotTree()
    let now = Subject(rows: presentRows, rebuilds: panes.place.trees.rebuilds, renewals: renewals)
    if now == subject { return }
    if now.rows != subject?.rows {
      if subject != nil { isAboutOthers = true }
      patience = Self.pause
      nextRun.stop()
    }
    subject = now
    schedule()
  }

  private func schedule() {
    let clock = panes.place.dispatcher.scheduler.now
    nextRun.begin(in: begunAt == .min ? 0 : max(0, begunAt.addingTime(run == nil ? Self.pause : patience) - clock))
  }

  /// The current rows of the text's panes.
  private var presentRows: [ByteText?] {
    panes.subjects(of: part).map { pane in
      panes.rows(of: pane, made: true).current(of: pane).map { ByteText("\(pane.id)/\($0.id)") }
    }
  }

  /// Whether the lines are about the current rows. If not, the lines about these rows haven't come yet.
  var isAboutPresentRows: Bool { rowsOfLines.map { $0 == presentRows } ?? true }

  /// Makes the function run again when a face shows the text next, even if nothing has changed.
  func renew() {
    renewals += 1
    panes.textChanged()
  }

  /// Asks at once where that is still to be done. Returns the run if it waits.
  func lookNow() -> Job? {
    look()
    if nextRun.isSet {
      nextRun.stop()
      begin()
    }
    return run
  }

  /// Stops the function, because the text is gone or declared again.
  func stop() {
    nextRun.stop()
    nextTelling.stop()
    run?.cancel(because: "its text is gone")
  }

  private func begin() {
    guard let handler = part.source.handler else { return }
    let dispatcher = panes.place.dispatcher
    let before = run
    run = nil
    runs += 1
    if let before {
      patience = min(2 * patience, Self.mostPatience)
      before.cancel(because: "its text has another subject now")
    }
    begunAt = dispatcher.scheduler.now
    isOld = true
    coming = Lines(dispatcher.kept)
    part.source.willRun()
    let options = pane.flatMap(panes.options) ?? PerformOptions()
    let context = dispatcher.allowing {
      let context = dispatcher.context(of: dispatcher.walk(options), witness: nil)
      supply(context)
      return context
    }
    let outcome = dispatcher.runAside(handler, named: "lines", in: context)
    guard let job = outcome.job else { return ended(outcome) }
    run = job
    let number = runs
    job.onEnd { [weak self] outcome in
      if let self, runs == number { ended(outcome) }
    }
  }

  /// Adds the current rows of the text's panes to a context.
  func supply(_ context: Context) {
    for pane in panes.subjects(of: part) { context.take(panes.rows(of: pane, made: true), of: pane) }
  }

  private func ended(_ outcome: Outcome) {
    run = nil
    if nextRun.isSet {
      nextRun.stop()
      schedule()
    } else {
      patience = Self.pause
    }
    failure =
      switch outcome.status {
      case .handled: nil
      case .cancelled: part.source.handler?.owner.whySetAside ?? outcome.reason ?? "it was cancelled"
      default: outcome.error?.message ?? outcome.reason ?? outcome.status.rawValue
      }
    if isOld { replace() }
    nextTelling.stop()
    tell()
  }

  // MARK: Lines

  /// Adds a line from the function. The first line of a run replaces the lines of the previous run, or that with the
  /// number of the selected line.
  override func add(_ line: StyledText, replacing isReplacing: Bool) {
    if isOld {
      coming.add(line, replacing: isReplacing)
      if isAboutOthers || selectsLast || coming.lines.count > max(selection.anchor, selection.head) {
        replace()
        nextTelling.stop()
      }
    } else {
      shown.add(line, replacing: isReplacing)
    }
    if !nextTelling.isSet { nextTelling.begin(in: isOld ? Self.waitForSelected : Self.frame) }
  }

  private func replace() {
    isOld = false
    rowsOfLines = subject?.rows
    shown = coming
    coming = Lines(panes.place.dispatcher.kept)
    if isAboutOthers {
      (isAboutOthers, selection, subjects) = (false, (0, 0), subjects + 1)
      selectsLast = part.isFollowing
    }
  }

  private func tell() {
    if isOld, !coming.lines.isEmpty { replace() }
    version += 1
    panes.textChanged()
  }

  // MARK: Selecting

  /// The indices of the selected lines, including the current one.
  var selected: Range<Int> {
    if lines.isEmpty { return 0..<0 }
    if selectsLast { return current..<lines.count }
    let (one, other) = (min(selection.anchor, lines.count - 1), min(selection.head, lines.count - 1))
    return min(one, other)..<max(one, other) + 1
  }

  /// The index of the current line.
  var current: Int { max(0, selectsLast ? lines.count - 1 : min(selection.head, lines.count - 1)) }

  /// Selects lines. The current one is the last of them, or the first if `isUpward`. Returns true if the selection
  /// changed.
  func select(_ lines: ClosedRange<Int>, isUpward: Bool) -> Bool {
    let before = selected
    selection = isUpward ? (lines.upperBound, lines.lowerBound) : (lines.lowerBound, lines.upperBound)
    selectsLast = part.isFollowing && lines.lowerBound >= self.lines.count - 1
    if before == selected, current == selection.head { return false }
    version += 1
    return true
  }
}

extension PaneText {
  /// Returns the index of the next line that contains a text, from a place on and around, in either direction.
  func line(with wanted: String, from place: Int, isBackward: Bool) -> Int? {
    let wanted = wanted.lowercased()
    let place = Swift.min(Swift.max(0, place), lines.count)
    let order =
      isBackward
      ? Array((0..<place).reversed()) + (place..<lines.count).reversed() : Array(place..<lines.count) + (0..<place)
    return order.first { lines[$0].text.lowercased().contains(wanted) }
  }
}

extension StyledText {
  /// The bytes that the host keeps for it as a line.
  var bytesOfLine: Int { KeptBytes.base + keptBytes }
}

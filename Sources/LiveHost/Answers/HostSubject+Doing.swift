import ScriptHost

/// An *undertaking* is a deed under way: what is performed, whose outcome is `running` as long as it goes on, and what there was before it.
package final class Undertaking: Answer.Performed {
  fileprivate let before: MenuElement?
  /// How often something came to be undone next, before it.
  fileprivate var undoableCount: Int
  @exclusivity(unchecked) fileprivate var traces: [Trace]?
  /// The line that it is, where it is one.
  @exclusivity(unchecked) fileprivate var line: Line?

  /// A line of Lua: what it gave, or why it did not come to its end.
  fileprivate final class Line {
    let text: String
    var job: LineJob?
    var failure: Failure?

    init(_ text: String) { self.text = text }
  }

  /// Whether it is a line of Lua, and no action.
  var isLine: Bool { line != nil }

  fileprivate init(_ name: String, before: MenuElement?, undoableCount: Int) {
    self.before = before
    self.undoableCount = undoableCount
    super.init(name: name, outcome: Outcome(plainly: .running))
  }

  /// The action that waits, where it goes on. Nearly always it doesn't, and no more is looked at then.
  package var job: Job? { outcome.status == .running ? outcome.job : nil }

  /// How many are kept: what waits for long may see many.
  private static let mostTraces = 1000

  fileprivate func add(_ trace: Trace) { if traces?.count ?? 0 < Self.mostTraces { traces?.append(trace) } }

  /// What nobody asked for: an action that waits already.
  convenience init(of job: Job) { self.init(job.action, before: nil, undoableCount: .max) }

  /// An action that waited has ended just now. What others did meanwhile can be undone too, and is none of what it did.
  func ended(_ job: Job, _ outcome: Outcome, in host: ScriptHost) {
    self.outcome = outcome
    undoableCount = .max
    if outcome.status == .handled { undo = host.undoable(by: job) }
  }
}

extension HostSubject {
  package func carryOut(_ deed: Deed, _ manner: Manner) throws(Unanswered) -> Answer.Done {
    switch deed {
    case .focus(let name): return .focused(try focus(name))
    case .perform, .press, .pick, .pickNumber, .choose, .open, .evaluate: break
    }
    let undertaking = try begin(deed, manner)
    if let job = undertaking.job {
      job.onProgress = { manner.onProgress?($0.progress) }
      manner.onProgress?(job.progress)
      defer { manner.onProgress?(nil) }
      job.onEnd { [host] outcome in undertaking.ended(job, outcome, in: host) }
      undertaking.outcome = host.wait(for: job)
    }
    return end(undertaking)
  }

  /// Begins to perform, press, pick or evaluate something, and doesn't wait.
  ///
  /// - Parameters:
  ///   - strokes: those that whoever asks has begun a sequence with; the host's own where it is nil.
  ///   - comparing: whether what changes in the menus is to be told.
  func begin(
    _ deed: Deed, _ manner: Manner, after strokes: PendingKeys? = nil, comparing: Bool = true
  ) throws(Unanswered) -> Undertaking {
    func undertake(_ name: String) -> Undertaking {
      let undertaking = Undertaking(name, before: comparing ? snapshot() : nil, undoableCount: host.undoableCount)
      if manner.traces { trace(undertaking) }
      if !traced.isEmpty { beginning = undertaking }
      return undertaking
    }
    let around = beginning
    defer { if beginning !== around { beginning = around } }
    let undertaking: Undertaking
    let answered = manner.answered
    switch deed {
    case .perform(let reference, let performing):
      let options = try options(performing, manner)
      undertaking = undertake(host.masked(reference))
      undertaking.outcome = host.perform(reference, options)
    case .press(let text):
      let keys = try Self.read(keys: text)
      undertaking = undertake(text)
      undertaking.outcome = host.press(
        keys, after: strokes, confirmed: answered.confirmed, arguments: answered.arguments)
    case .pick(let id, let modifiers):
      undertaking = undertake(id)
      undertaking.outcome = host.pick(
        id, modifiers: modifiers, confirmed: answered.confirmed, arguments: answered.arguments)
    case .choose(let id):
      undertaking = undertake(id)
      undertaking.outcome = host.choose(id, arguments: answered.arguments)
    case .open(let url):
      undertaking = undertake(host.masked(url: url))
      undertaking.outcome = host.openURLs([url]).first ?? Outcome(.unhandled)
    case .evaluate(let text, let called):
      undertaking = undertake(text)
      undertaking.outcome = evaluate(text, called ?? "line", undertaking)
    case .pickNumber: throw Unanswered(.asking, "numbers count what a live app has given out")
    case .focus: throw Unanswered(.asking, "only actions, keys, items and lines are performed")
    }
    return undertaking
  }

  /// Begins to open URLs, all together with one allowance, and doesn't wait.
  func begin(opening urls: [String]) -> [Undertaking] {
    // What the last of them did is nothing that all of them did.
    let undertakings = urls.map { Undertaking(host.masked(url: $0), before: nil, undoableCount: .max) }
    for (undertaking, outcome) in zip(undertakings, host.openURLs(urls)) { undertaking.outcome = outcome }
    return undertakings
  }

  private func evaluate(_ text: String, _ name: String, _ undertaking: Undertaking) -> Outcome {
    let line = Undertaking.Line(text)
    undertaking.line = line
    do throws(LineError) {
      let job = try host.begin(line: text, name: name)
      line.job = job
      return job.progressed
    } catch {
      line.failure = error.failure
      return Outcome(.failed, error: error.failure)
    }
  }

  /// Tells what came of it: its result copied, which no later script can change, and what changed in the menus.
  func end(_ undertaking: Undertaking) -> Answer.Done {
    if var evaluated = evaluated(undertaking) {
      evaluated.changes = changes(of: undertaking)
      return .evaluated(evaluated)
    }
    finish(undertaking)
    undertaking.changes = changes(of: undertaking)
    return .performed(undertaking)
  }

  /// What a line gave, but for what changed; nil of what is none.
  func evaluated(_ undertaking: Undertaking) -> Answer.Evaluated? {
    guard let line = undertaking.line else { return nil }
    let values = (try? line.job?.result?.get()) ?? []
    var failure = line.failure
    if case .failure(let error)? = line.job?.result { failure = error.failure }
    // What one may show counts for all together.
    var left = host.limits.output
    return Answer.Evaluated(
      line: line.text, values: values.map { host.tree(of: $0, within: &left) },
      inspected: values.map { host.inspect($0) }, failure: failure)
  }

  /// What that changed in the menus, where that is to be told.
  func changes(of undertaking: Undertaking) -> Answer.Changes? {
    undertaking.before.map(changes)
  }

  /// Notes what came of an action, but for what changed.
  func finish(_ undertaking: Undertaking) {
    if undertaking.traces != nil {
      endTrace(of: undertaking)
      undertaking.trace = undertaking.traces?.steps
    }
    undertaking.result = host.tree(of: undertaking.outcome.result)
    if let undo = host.undoable(since: undertaking.undoableCount) { undertaking.undo = undo }
  }

  /// Has it told how it goes, up to its end.
  private func trace(_ undertaking: Undertaking) {
    undertaking.traces = []
    if traced.isEmpty {
      outerTrace = host.onTrace
      // What waits may end when nobody is there any more who asked for it.
      host.onTrace = { [weak self] trace in
        guard let self else { return }
        // What is begun by others says nothing of what waits meanwhile.
        let whose =
          beginning ?? traced.first { $0.outcome.job?.isTraced(by: trace) ?? false } ?? traced.first(where: \.isLine)
        whose?.add(trace)
        outerTrace?(trace)
      }
    }
    traced.append(undertaking)
  }

  private func endTrace(of undertaking: Undertaking) {
    traced.removeAll { $0 === undertaking }
    if traced.isEmpty { host.onTrace = outerTrace }
  }

  /// A person asks, who is asked in turn what is to be confirmed.
  private func options(_ performing: Deed.Performing, _ manner: Manner) throws(Unanswered) -> PerformOptions {
    let arguments = performing.arguments.merging(manner.answered.arguments)
    var options =
      arguments.isEmpty && manner.answered.confirmed == nil
      ? usual : PerformOptions(asking: manner.answered.confirmed, modifiers: [], arguments: arguments)
    if performing.skipsValidation { options.skipValidation = true }
    if let name = performing.from { options.from = try responder(name) }
    if let name = performing.to { options.to = try responder(name) }
    return options
  }

  // MARK: Focus

  /// - Parameter told: is told what came of it, before what that changed is looked for.
  func focus(
    _ name: String, comparing: Bool = true, told: (Answer.Focused) -> Void = { _ in }
  ) throws(Unanswered) -> Answer.Focused {
    let responder = try responder(name)
    let before = comparing ? snapshot() : nil
    var focused = Answer.Focused(name: name, hasFocus: false)
    do throws(Misuse) { focused.hasFocus = try host.focus(responder) } catch { focused.reason = error.message }
    told(focused)
    if let before { focused.changes = changes(since: before) }
    return focused
  }

  private func changes(since before: MenuElement) -> Answer.Changes {
    Answer.Changes(from: before, to: snapshot())
  }
}

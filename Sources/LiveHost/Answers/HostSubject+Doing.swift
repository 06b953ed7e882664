import ScriptHost

/// An *undertaking* is a running deed: its answer, and the state before it for comparison. The outcome is `running`
/// until the deed ends.
package final class Undertaking: Answer.Performed {
  fileprivate let before: MenuElement?
  /// The host's `undoableCount` before the deed; `.max` to skip the search for new undo steps.
  fileprivate var undoableCount: Int
  fileprivate var traces: [Trace]?
  /// The line of Lua that the deed evaluates; nil for an action.
  fileprivate var line: Line?
  /// Whether the answer has the number of the undo step.
  fileprivate var numbersStep = false
  /// The title that the person sees for the action, until the host knows that it can be undone.
  fileprivate var called: String?

  /// A line of Lua with its job, or the reason why it could not begin.
  fileprivate final class Line {
    let text: String
    var job: LineJob?
    var failure: Failure?

    init(_ text: String) { self.text = text }
  }

  /// Whether the deed is a line of Lua, and not an action.
  var isLine: Bool { line != nil }

  fileprivate init(_ name: String, before: MenuElement?, undoableCount: Int) {
    self.before = before
    self.undoableCount = undoableCount
    super.init(name: name, outcome: Outcome(plainly: .running))
  }

  /// The job, while the deed waits. Checks the status first, because nearly always nothing waits.
  package var job: Job? { outcome.status == .running ? outcome.job : nil }

  /// The most traces that are kept, since a long action may get many.
  private static let mostTraces = 1000

  fileprivate func add(_ trace: Trace) { if traces?.count ?? 0 < Self.mostTraces { traces?.append(trace) } }

  /// Makes the undertaking of an action that already waits and that no client began.
  convenience init(of job: Job) { self.init(job.action, before: nil, undoableCount: .max) }

  /// Makes the undertaking of keys that acted alone, whose outcome is known.
  convenience init(of keys: KeySequence, _ outcome: Outcome) {
    self.init(keys.text, before: nil, undoableCount: .max)
    self.outcome = outcome
  }

  /// Sets the outcome of a job that has just ended. `undo` comes from the job: other deeds were recorded meanwhile.
  func ended(_ job: Job, _ outcome: Outcome, in host: ScriptHost) {
    self.outcome = outcome
    undoableCount = .max
    if host.isUndoable(by: job) { called = nil }
    if outcome.status == .handled { undo = host.undoable(by: job) }
    if outcome.status == .handled, numbersStep { step = host.undoStep(by: job) }
  }
}

extension HostSubject {
  package func carryOut(_ deed: Deed, _ manner: Manner) throws(Unanswered) -> Answer.Done {
    switch deed {
    case .focus(let name): return .focused(try focus(name))
    case .perform, .press, .pick, .pickNumber, .choose, .mark, .filter, .select, .open, .evaluate: break
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

  /// Begins to perform, press, pick, open or evaluate something, without waiting for its end.
  ///
  /// - Parameters:
  ///   - strokes: the caller's pending strokes of a key sequence; the host's pending strokes if nil.
  ///   - comparing: whether the answer includes the changes of the menus.
  func begin(
    _ deed: Deed, _ manner: Manner, after strokes: PendingKeys? = nil, comparing: Bool = true
  ) throws(Unanswered) -> Undertaking {
    guard let called = manner.called else { return try beginAlone(deed, manner, after: strokes, comparing: comparing) }
    let wishes = host.wishes
    let begun = host.actingForPerson { () -> Swift.Result<Undertaking, Unanswered> in
      do throws(Unanswered) {
        return .success(try beginAlone(deed, manner, after: strokes, comparing: comparing))
      } catch { return .failure(error) }
    }
    let undertaking = try begun.get()
    // Moving to a row changes nothing that a person would undo, and neither do marks, filters and what only opens
    // something.
    if host.wishes != wishes { return undertaking }
    switch deed {
    case .choose, .mark, .filter, .select: break
    default: undertaking.called = called
    }
    return undertaking
  }

  private func outcome(of body: () throws(Misuse) -> Void) -> Outcome {
    do throws(Misuse) {
      try body()
      return Outcome(.handled)
    } catch {
      return Outcome(.failed, error: Failure(.misuse, error.message))
    }
  }

  private func beginAlone(
    _ deed: Deed, _ manner: Manner, after strokes: PendingKeys?, comparing: Bool
  ) throws(Unanswered) -> Undertaking {
    func undertake(_ name: String) -> Undertaking {
      let undertaking = Undertaking(name, before: comparing ? snapshot() : nil, undoableCount: host.undoableCount)
      undertaking.numbersStep = manner.isOfAssistant
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
      var options = try options(performing, manner)
      if manner.isOfAssistant {
        if let secret = host.secret(among: answered.arguments, of: reference) {
          throw Unanswered(.asking, "'\(secret)' is a secret, which only the person can enter, in the app")
        }
        options.isExact = true
        options.itemQuestions = host.itemQuestions(of: (try? Reference.parse(reference))?.id ?? reference)
      }
      undertaking = undertake(host.masked(reference))
      if manner.titles { undertaking.title = host.title(of: reference) }
      undertaking.outcome = host.perform(reference, options)
    case .press(let text):
      let keys = try Self.read(keys: text)
      undertaking = undertake(text)
      if manner.titles { undertaking.title = host.title(ofKeys: keys, after: strokes) }
      undertaking.outcome = host.press(
        keys, after: strokes, answered: answered)
    case .pick(let id, let modifiers):
      undertaking = undertake(id)
      undertaking.outcome = host.pick(
        id, modifiers: modifiers, confirmed: answered.confirmed, asked: answered.asked, about: answered.about,
        arguments: answered.given)
    case .choose(let id):
      undertaking = undertake(id)
      undertaking.outcome = host.choose(id, arguments: answered.arguments)
    case .mark(let ids, let pane):
      undertaking = undertake("mark")
      undertaking.outcome = outcome { () throws(Misuse) in try host.mark(ids, in: pane) }
    case .filter(let text, let pane):
      undertaking = undertake("filter")
      undertaking.outcome = outcome { () throws(Misuse) in try host.filter(pane, by: text) }
    case .select(let text, let from, let to):
      undertaking = undertake("select")
      undertaking.outcome = outcome { () throws(Misuse) in try host.select(text, from: from, to: to) }
    case .open(let url):
      undertaking = undertake(host.masked(url: url))
      undertaking.outcome = host.openURLs([url]).first ?? Outcome(.unhandled)
    case .evaluate(let text, let called):
      undertaking = undertake(text)
      undertaking.outcome = evaluate(text, called ?? "line", undertaking)
    case .pickNumber: throw Unanswered(.asking, "only a live app's items have numbers")
    case .focus: throw Unanswered(.asking, "only actions, keys, items and lines can be performed")
    }
    return undertaking
  }

  /// Begins to open URLs, all with one allowance, without waiting for their ends.
  func begin(opening urls: [String]) -> [Undertaking] {
    // `undo` stays empty: the undo step of the last URL doesn't apply to all of them.
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

  /// Returns the answer of an undertaking that has ended, with the changes of the menus and a copy of its result.
  func end(_ undertaking: Undertaking) -> Answer.Done {
    if var evaluated = evaluated(undertaking) {
      evaluated.changes = changes(of: undertaking)
      return .evaluated(evaluated)
    }
    finish(undertaking)
    undertaking.changes = changes(of: undertaking)
    return .performed(undertaking)
  }

  /// Returns the answer of a line, without the changes of the menus; nil if the undertaking is no line.
  func evaluated(_ undertaking: Undertaking) -> Answer.Evaluated? {
    guard let line = undertaking.line else { return nil }
    let values = (try? line.job?.result?.get()) ?? []
    var failure = line.failure
    if case .failure(let error)? = line.job?.result { failure = error.failure }
    // The limit of output is for all values together.
    var left = host.limits.output
    return Answer.Evaluated(
      line: line.text, values: values.map { host.tree(of: $0, within: &left) },
      inspected: values.map { host.inspect($0) }, failure: failure)
  }

  /// Returns the changes of the menus since the undertaking began; nil if the caller didn't want them.
  func changes(of undertaking: Undertaking) -> Answer.Changes? {
    undertaking.before.map(changes)
  }

  /// Completes the answer of an action that has ended, without the changes of the menus.
  func finish(_ undertaking: Undertaking) {
    if undertaking.traces != nil {
      endTrace(of: undertaking)
      undertaking.trace = undertaking.traces?.steps
    }
    undertaking.result = host.tree(of: undertaking.outcome.result)
    if let undo = host.undoable(since: undertaking.undoableCount) { undertaking.undo = undo }
    if undertaking.numbersStep, let step = host.undoStep(since: undertaking.undoableCount) { undertaking.step = step }
    notePassed(undertaking)
  }

  /// Notes a person's action that can't be undone, so that the next undo names it before passing over it.
  private func notePassed(_ undertaking: Undertaking) {
    guard let called = undertaking.called, undertaking.outcome.status == .handled, !undertaking.outcome.onlyLooks,
      host.undoableCount <= undertaking.undoableCount, let by = undertaking.outcome.by
    else { return }
    host.notePassed(called, by: by)
  }

  /// Collects the traces of an undertaking until `endTrace(of:)`.
  private func trace(_ undertaking: Undertaking) {
    undertaking.traces = []
    if traced.isEmpty {
      outerTrace = host.onTrace
      // An action that waits may outlive this subject.
      host.onTrace = { [weak self] trace in
        guard let self else { return }
        // A trace belongs to the deed that is beginning, else to the deed of the traced job, else to the first line.
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

  /// Returns the options for an action of a person, whom the host can ask to confirm it.
  private func options(_ performing: Deed.Performing, _ manner: Manner) throws(Unanswered) -> PerformOptions {
    var answered = manner.answered
    answered.arguments = performing.arguments.merging(answered.arguments)
    var options = answered.isEmpty ? usual : PerformOptions(asking: answered)
    if performing.skipsValidation { options.skipValidation = true }
    if let name = performing.from { options.from = try responder(name) }
    if let name = performing.to { options.to = try responder(name) }
    return options
  }

  // MARK: Forms

  package func form(of deed: Deed, _ answers: Arguments) throws(Unanswered) -> Form {
    switch deed {
    case .perform(let reference, let performing):
      try Self.check(reference: reference)
      return host.form(reference, answers: answers, try options(performing, Manner()))
    case .pick(let id, let modifiers):
      do throws(Misuse) { return try host.form(ofItem: id, modifiers: modifiers, answers: answers) } catch {
        throw Unanswered(.asking, error.message)
      }
    case .press(let keys):
      guard let form = host.form(ofKeys: try Self.read(keys: keys), answers: answers) else {
        throw Unanswered(.asking, "nothing is bound to '\(keys)'")
      }
      return form
    case .choose(let id):
      guard let form = host.form(ofRow: id, answers: answers) else {
        throw host.item(id) == nil ? unknown(id) : Unanswered(.asking, "the row '\(id)' has no 'current' action")
      }
      return form
    case .pickNumber, .mark, .filter, .select, .focus, .open, .evaluate:
      throw Unanswered(.asking, "only actions, items and keys have forms")
    }
  }

  // MARK: Focus

  /// - Parameter told: called with the answer before the changes of the menus are computed.
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

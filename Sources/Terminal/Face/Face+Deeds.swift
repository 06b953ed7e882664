import LiveHost
import ScriptHost

// The deeds of a person, and their outcomes.

extension Face {
  /// Picks an item, or shows why it is disabled.
  func pick(_ id: String, _ known: MenuElement? = nil) {
    if let own = OwnCommand(id: id) { return perform(own) }
    if let action = actions.first(where: { $0.entryID == id }) { return perform(action) }
    guard let element = known ?? menus[id]?.element else { return refuse("it is gone") }
    // While the current row moves, the menus may still be those of the previous row, so the app decides.
    guard element.isEnabled || isMovingRow else { return disabled("\(element.title): \(element.whyNot)") }
    remember(id)
    var deed = FaceDeed(kind: .pick(id), title: element.title)
    if menus.isInPanel(id) {
      deed.action = titleOfAction(element.action)
      // A row of a pane is called by its cells, which say what it is, not what was done.
      let name = (try? Reference.parse(element.action))?.name ?? element.action
      if !panes.isEmpty, let title = titlesOfActions[name], title != name { deed.title = title.withoutEllipsis }
    }
    carryOut(deed)
  }

  /// Performs an action without an item.
  private func perform(_ action: ListedAction) {
    if let reason = action.reason { return refuse("\(action.title): \(reason)") }
    remember(action.entryID)
    carryOut(FaceDeed(kind: .perform(action.entry.name), title: action.title))
  }

  /// Notes an entry as the last used, so that the palette lists it first.
  func remember(_ id: String) {
    latest.removeAll { $0 == id }
    latest.insert(id, at: 0)
    if latest.count > 32 { latest.removeLast() }
  }

  /// Presses a stroke, which may begin or continue a sequence.
  func press(_ stroke: Stroke) { carryOut(deed(pressing: stroke)) }

  private func deed(pressing stroke: Stroke) -> FaceDeed {
    var deed = FaceDeed(kind: .press([stroke]), title: stroke.text)
    deed.bound = keys.filter { $0.isEffective && !$0.entry.isPane && $0.sequence.strokes.last == stroke }.map {
      BoundTitle(
        strokes: $0.sequence.strokes, title: titleOf($0).withoutEllipsis,
        id: $0.entry.isItem ? $0.entry.by : ListedAction.id($0.entry.reference),
        isOfItem: itemTitle(of: $0) != nil && $0.entry.others.isEmpty,
        isTyping: $0.isTyping)
    }
    // A character without a binding is typed, if the app accepts typed text.
    if takesTyped, stroke.typed != nil, let text = keys.first(where: { $0.isEffective && $0.isText }) {
      deed.bound.append(
        BoundTitle(
          strokes: [stroke], title: titleOf(text), id: ListedAction.id(text.entry.reference), isOfItem: false,
          isTyping: true))
    }
    return deed
  }

  /// Handles the outcome of keys that acted alone, after their time or before a stroke that continues no sequence.
  func actedAlone(_ keys: String, _ json: JSON) {
    guard let pressed = try? KeySequence.parse(keys).strokes, let last = pressed.last else { return }
    strokes = PendingStrokes()
    var deed = deed(pressing: last)
    deed.kind = .press(pressed)
    deed.title = deed.bound.first { $0.strokes == pressed }?.title ?? keys
    came(of: deed, json)
  }

  func carryOut(_ deed: FaceDeed) {
    if busySince == nil { busySince = now }
    var deed = deed
    if settings.confirms { deed.confirmed = true }
    tellChosen()
    ask(deed.method, deed.parameters(called: called(deed)), for: .deed(deed))
  }

  func refuse(_ sentence: String) {
    say(.refused(sentence))
  }

  /// Shows that the person left a deed undone.
  func leave(_ deed: FaceDeed) { sayNo(deed, "\(deed.title): you left it") }

  /// Shows why an action is disabled. A running job may be the cause, so the message also shows how to cancel it.
  func disabled(_ sentence: String) {
    say(jobs.mostWanted.map { .inTheWay(sentence, job: $0.named) } ?? .refused(sentence))
  }

  // MARK: - Outcomes

  func came(of deed: FaceDeed, _ json: JSON) {
    stale.insert(.inspector)
    if case .answer = deed.kind { return came(ofAnswer: deed, json) }
    let begun = strokes.begun
    var deed = deed
    deed.told = json["title"]?.text
    if case .perform = deed.kind, let told = deed.told { deed.title = told.withoutEllipsis }
    deed = known(deed, json["status"]?.text == "pending")
    guard let performed = try? AnswerReader().read(json, as: Answer.Performed.self) else {
      return refuse("the app sent a message that this menuctl doesn't know")
    }
    let outcome = performed.outcome
    note(performed.trace)
    switch outcome.status {
    case .pending: wait(for: deed)
    case .asks: question(deed, outcome)
    case .running:
      if let number = json["job"]?.integer { began(number, deed.title, json["progress"], quits: doesQuit(deed)) }
    case .disabled where deed.form != nil: reopen(deed, outcome)
    case .unhandled where outcome.by == nil && !begun.isEmpty: refuse(Self.isBoundToNothing(begun, deed))
    case .unhandled where outcome.by == nil && now < cancelsUntil && deed.title == Stroke.escape.text && !jobs.isEmpty:
      say(.note("esc again cancels \(jobs.mostWanted?.named ?? "")"))
      message.until = cancelsUntil
    // Many people press esc to be sure that nothing is open.
    case .unhandled where outcome.by == nil && deed.title == Stroke.escape.text: message = Message()
    case .handled where doesQuit(deed), .unhandled where deed.isOfQuit: end()
    case .handled where deed.isTyping:
      // Typed text is visible, so only a result is shown: it may be about something out of sight.
      let said = performed.result.shownText
      if said.isEmpty { message = Message() } else { say(.note(said)) }
    default:
      report(performed, deed.title)
      if deed.isOfQuit { refusedToQuit() }
    }
  }

  /// Keeps a trace for the inspector.
  func note(_ trace: [Answer.Traced]?) {
    guard let trace, !trace.isEmpty else { return }
    lastTrace = trace.map { traced in
      let step = traced.step
      let place = step.place.map { "   \($0)" } ?? ""
      return "  \(String(repeating: "  ", count: traced.level))\(step.node): \(step.asked) → \(step.answer)\(place)"
    }
  }

  /// Reports an outcome in the status line and in the log.
  func report(_ performed: Answer.Performed, _ title: String) {
    let outcome = performed.outcome
    switch outcome.status {
    // An action that returns an empty text shows its effect itself.
    case .handled where performed.result.isEmptyText: message = Message()
    case .handled:
      let result = performed.result.shownText
      let text = result.isEmpty ? title : "\(title) → \(result)"
      log.add(.init(text: text, kind: .outcome))
      say(.done(text))
    case .failed:
      let place = outcome.error?.place.map { "\($0): " } ?? ""
      let told = place + (outcome.error?.message ?? outcome.reason ?? "it failed")
      let text = "\(title): \(told)"
      log.add(.init(text: text, kind: .error), after: told)
      say(.failed(text))
    default:
      let reason = outcome.whyNot ?? outcome.error?.message ?? outcome.status.rawValue
      // An unbound key, or an abandoned sequence, has no title but its keys, which the reason contains.
      let isOfKeys =
        outcome.by == nil && outcome.elsewhere == nil
        && (outcome.status == .unhandled || outcome.status == .cancelled)
      let wantsToQuit = isOfKeys && title == Stroke.quitElsewhere.text
      let text = isOfKeys ? reason + (wantsToQuit ? howToQuit : "") : "\(title): \(reason)"
      // An unbound key doesn't go into the log.
      if !isOfKeys { log.add(.init(text: text, kind: .refusal)) }
      if outcome.status == .disabled { disabled(text) } else { refuse(text) }
    }
  }

  /// Returns the sentence for an unbound sequence. It also names the last stroke, which was tried alone.
  private static func isBoundToNothing(_ begun: [Stroke], _ deed: FaceDeed) -> String {
    "nothing is bound to '\((begun.map(\.text) + [deed.title]).joined(separator: " "))', nor to '\(deed.title)'"
  }

  /// Returns the deed of a pressed stroke, completed with the strokes before it and its title.
  private func known(_ deed: FaceDeed, _ isPending: Bool) -> FaceDeed {
    guard case .press(let pressed) = deed.kind, pressed.count == 1 else { return deed }
    var known = deed
    let pressedNow = pressedNow(pressed[0])
    known.kind = .press(pressedNow.begun)
    known.counted = pressedNow.counted
    strokes = PendingStrokes()
    if isPending { return known }
    if let bound = deed.bound.first(where: { $0.strokes == pressedNow.sequence }) {
      known.title = (bound.isOfItem ? nil : deed.told)?.withoutEllipsis ?? bound.title
      known.isTyping = bound.isTyping
      if !bound.isTyping { remember(bound.id) }
    }
    return known
  }

  /// Returns a pressed stroke with the sequence that it continues.
  private func pressedNow(_ pressed: Stroke) -> PendingStrokes {
    let sequence = strokes.sequence
    let counted = sequence.isEmpty && isCounting(pressed) ? strokes.counted + 1 : strokes.counted
    let whole = PendingStrokes(begun: strokes.begun + [pressed], counted: counted)
    if sequence.isEmpty || keys.contains(where: { $0.sequence.strokes.starts(with: whole.sequence) }) { return whole }
    // A stroke that doesn't continue the sequence begins a new one.
    return PendingStrokes(begun: [pressed], counted: isCounting(pressed) ? 1 : 0)
  }

  /// Returns the title of a deed, as far as the face knows it before the answer.
  private func called(_ deed: FaceDeed) -> String {
    guard case .press(let pressed) = deed.kind else { return deed.title }
    let pressedNow = pressed.count == 1 ? pressedNow(pressed[0]).sequence : pressed
    return deed.bound.first { $0.strokes == pressedNow }?.title ?? deed.title
  }

  /// Returns the title of a key: that of its item, of an item with the same action, or of the action itself.
  func titleOf(_ bound: BoundKeys, told: String? = nil) -> String {
    bound.entry.title ?? (bound.entry.isPane ? bound.entry.by : nil) ?? itemTitle(of: bound) ?? told ?? toldTitle(bound)
      ?? bound.words
  }

  private func itemTitle(of bound: BoundKeys) -> String? {
    let own = bound.entry.isItem ? menus[bound.entry.by]?.element.title : nil
    return own ?? menus.title(of: bound.entry.reference)
  }

  /// Returns the app's title for a key's action. Only for a reference without arguments, which may change the title.
  private func toldTitle(_ bound: BoundKeys) -> String? {
    actions.first { $0.entry.name == bound.entry.reference }?.title
  }

  /// Returns true if the face doesn't know the title of a key's action yet.
  func isUntitled(_ bound: BoundKeys) -> Bool {
    guard bound.isEffective, !bound.entry.isItem, !bound.entry.isPane else { return false }
    return titlesOfActions[(try? Reference.parse(bound.entry.reference))?.name ?? ""] == nil
  }

  /// Returns the title of an action, without the dots that announce a question.
  func titleOfAction(_ reference: String) -> String {
    let name = (try? Reference.parse(reference))?.name ?? reference
    return (menus.title(of: reference) ?? menus.lastTitle(of: reference) ?? titlesOfActions[name] ?? name)
      .withoutEllipsis
  }

  private func wait(for deed: FaceDeed) {
    guard case .press(let begun) = deed.kind else { return }
    strokes = PendingStrokes(begun: begun, counted: deed.counted, hintsFrom: now + Self.hintDelay)
  }

  /// The time before hints appear, so that they don't disturb a person who knows the sequence.
  static let hintDelay = Duration.milliseconds(300)

  private func question(_ deed: FaceDeed, _ outcome: Outcome) {
    guard let asks = outcome.asks else { return refuse("\(deed.title) asks something that this menuctl doesn't know") }
    var deed = deed
    // A yes to another question doesn't count.
    let isAnother = deed.confirmed == true && deed.asked != nil
    (deed.confirmed, deed.asked) = (nil, nil)
    deed.about = deed.about ?? asks.about
    deed.rows = asks.rows
    // The app sends all changes before its question, so this is the current title.
    if let title = title(of: deed) { deed.title = title.withoutEllipsis }
    if !asks.arguments.isEmpty, deed.form != nil {
      reopen(deed, asking: asks.arguments, confirm: asks.confirm)
    } else if !asks.arguments.isEmpty {
      ask(for: asks.arguments, deed, confirm: asks.confirm)
    } else if let question = asks.confirm {
      ask(question, deed, isAnother: isAnother)
    }
  }

  /// Returns the current title of a deed; nil if its item is gone.
  private func title(of deed: FaceDeed) -> String? {
    switch deed.kind {
    case .pick(let id): (element(id) ?? bar.context[id]?.element)?.title
    case .perform: deed.told
    case .answer: deed.title
    case .press(let strokes):
      keys.first { $0.isEffective && $0.sequence.strokes == strokes }.map { titleOf($0, told: deed.told) }
    }
  }
}

// Leaving. An app in this process may handle `quit`, to ask first or to refuse.

extension Face {
  /// Ends the face, unless the app has ended it already.
  func end() {
    if !isToldToQuit { wish(.quit) }
    isToldToQuit = false
  }

  /// Leaves the app. Asks the app first, unless it is busy or has refused before.
  func quit() {
    guard settings.isOwn, !isBusy, now >= quitsAnywayUntil else { return wish(.quit) }
    if busySince == nil { busySince = now }
    ask("validate", [("refs", .list([.text(FaceDeed.quit)]))], for: .quitting)
  }

  /// Performs `quit` if a responder handles it; else leaves.
  func heardOfQuitting(_ json: JSON) {
    guard json["items"]?.list?.first?["by"] != nil else { return wish(.quit) }
    carryOut(FaceDeed(kind: .perform(FaceDeed.quit), title: OwnCommand.quit.title))
  }

  /// Returns true if the person leaves after the deed.
  private func doesQuit(_ deed: FaceDeed) -> Bool {
    switch deed.kind {
    case .perform: deed.isOfQuit
    case .answer: false
    case .pick(let id): element(id)?.action == FaceDeed.quit
    case .press(let strokes):
      keys.contains {
        $0.isEffective && $0.sequence.strokes == strokes && $0.entry.reference == FaceDeed.quit
      }
    }
  }

  /// Shows how to leave anyway.
  private func refusedToQuit() {
    quitsAnywayUntil = now + .seconds(10)
    let anyway = "; quit again to leave anyway"
    switch message.content {
    case .refused(let text)?, .inTheWay(let text, job: _)?: say(.refused(text + anyway))
    case .failed(let text)?: say(.failed(text + anyway))
    default: break
    }
  }
}

extension FaceDeed {
  /// The action that an app handles to take part in leaving.
  fileprivate static let quit = "quit"

  /// Whether the deed is the person's wish to leave.
  fileprivate var isOfQuit: Bool { if case .perform(Self.quit) = kind { true } else { false } }
}

extension LuaTree {
  fileprivate var isEmptyText: Bool { if case .text("") = self { true } else { false } }

  /// The value for a person, on one line, a text without quotes.
  var shownText: String {
    switch self {
    case .nil: ""
    case .text(let text): text.split(separator: "\n").joined(separator: " ⏎ ")
    default: text
    }
  }
}

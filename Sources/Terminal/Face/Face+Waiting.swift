import LiveHost
import ScriptHost

// Inputs wait until the app's answers decide their meaning. So keys that arrive together act like single keys.

extension Face {
  /// Handles an input of the terminal, or keeps it until its meaning is known.
  func take(_ input: TerminalInput, at time: Duration) {
    now = time
    if isOfQuitting(input) {
      act(on: input)
    } else if isAwaiting(.contextMenu), isBusy, isEscape(input) {
      leaveAwaitedMenu()
    } else if early.count < Self.mostEarly {
      early.append(input)
      takeWhatCameEarly()
    } else {
      refuse("the app is too slow, so the last keys are lost")
    }
    askWhatIsStale()
  }

  /// The most waiting inputs, about a page of text that a terminal types instead of pasting it.
  private static let mostEarly = 4096

  /// Handles the waiting inputs, up to one that must still wait.
  func takeWhatCameEarly() {
    // An input may cause a message of the app, which leads here again.
    guard !isTakingEarly else { return }
    isTakingEarly = true
    defer { isTakingEarly = false }
    while let input = early.first {
      // The meaning of an input depends on the screen after the input before it.
      if !isDrawn || panel.isRowFollowed { _ = draw() }
      guard !hasToWait(input) else { return }
      early.removeFirst()
      isDrawn = false
      act(on: input)
    }
  }

  /// Returns true if an input depends on an answer of the app. If the app is slow, a person may look around meanwhile.
  private func hasToWait(_ input: TerminalInput) -> Bool {
    if !areKeysKnown || isAwaiting(.contextMenu) { return true }
    let isFormBehind = formWish.map { $0 != .whileTyping } ?? false
    if isAwaiting(.opening) || isListIncomplete || isFormBehind {
      return !(isBusy && looksAround(input))
    }
    if goesToApp(input), !hasRows(for: input) { return !(isBusy && looksAround(input)) }
    guard goesToApp(input), !movesInPanel(input) else { return false }
    // The action of the new current row may change what the keys do.
    if !panel.isAtStart || !findsRow(input) { tellChosen() }
    let areKeysNew = stale.contains(.keys) || isAwaiting(.keys)
    return (areKeysNew || isMovingRow) && !(isBusy && looksAround(input))
  }

  /// Returns true if the face has the rows for an input: a moving key needs those around the current row.
  private func hasRows(for input: TerminalInput) -> Bool {
    if movesInPanel(input), !panel.knowsRows(within: panel.areaOfRows.rows) { lookAtCurrentRow() }
    return panel.aim == nil && !isAwaiting(.view)
  }

  /// Returns true if an input goes to the app or the panel, because no overlay or menu is open.
  private func goesToApp(_ input: TerminalInput) -> Bool {
    if case .mouse = input { return false }
    return over.allSatisfy { $0.isOfReload } && bar.open.isEmpty
  }

  /// Returns true if an input only moves in the panel. The app gets the last of several moves, so none waits.
  private func movesInPanel(_ input: TerminalInput) -> Bool {
    guard case .key(let stroke, _) = input, stroke.modifiers.isEmpty, strokes.begun.isEmpty, !panel.isEmpty else {
      return false
    }
    return Self.moves.contains(stroke.key) && !isBound(stroke)
  }

  /// Returns true if an input is a letter that finds a row, and so leaves the first row.
  private func findsRow(_ input: TerminalInput) -> Bool {
    guard case .key(let stroke, let text) = input, strokes.begun.isEmpty, !panel.isEmpty else { return false }
    return panel.isTypeAhead(stroke, text, of: self)
  }

  private static let moves: Set = ["up", "down", "pageup", "pagedown", "home", "end"]

  /// Returns true if an input only concerns the face: overlays, commands, the menus of the bar.
  private func looksAround(_ input: TerminalInput) -> Bool {
    guard case .key(let stroke, _) = input, goesToApp(input) else { return true }
    return strokes.begun.isEmpty && !isBound(stroke)
      && (command(of: stroke) != nil || stroke == strokeOfOwnMenu || stroke.modifiers == .alt)
  }

  private func isOfQuitting(_ input: TerminalInput) -> Bool {
    guard case .key(let stroke, _) = input, strokes.begun.isEmpty else { return false }
    return stroke == strokeInUse(of: .quit)
  }

  private func isEscape(_ input: TerminalInput) -> Bool {
    if case .key(let stroke, _) = input { stroke == .escape } else { false }
  }

  /// Gives up a requested context menu, and the inputs that wait for it.
  private func leaveAwaitedMenu() {
    for (number, reason) in awaited where reason.effects.contains(.contextMenu) { awaited[number] = .nothing }
    early = []
  }
}

// Jobs are actions that take time.

extension Face {
  /// - Parameter quits: whether the person leaves when the job ends.
  func began(_ number: Int, _ title: String, _ progress: JSON?, quits: Bool = false) {
    // The notification about the job's beginning comes before this answer.
    if let index = jobs.firstIndex(where: { $0.number == number }) {
      (jobs[index].title, jobs[index].quits) = (title, quits)
    } else {
      jobs.append(RunningJob(number: number, title: title, quits: quits, shownFrom: now + RunningJob.patience))
    }
    message = Message()
    progressed(number, progress)
  }

  /// Whether a job is running that began after the face, and doesn't wait for the person.
  var isWaitedFor: Bool { jobs.contains { !$0.wasThere && !$0.isAsking } }

  /// Handles the list of all running jobs.
  func goOn(_ list: [JSON]) {
    let numbers = Set(list.compactMap { $0["job"]?.integer })
    let known = Set(jobs.map(\.number))
    for job in jobs where !numbers.contains(job.number) { withdrawQuestion(ofJob: job.number) }
    jobs.removeAll { !numbers.contains($0.number) }
    timers.formIntersection(numbers)
    for one in list { job(one) }
    for index in jobs.indices where !known.contains(jobs[index].number) { jobs[index].wasThere = true }
  }

  /// Handles a notification about a job: its beginning, its progress, or its outcome.
  func job(_ json: JSON) {
    guard let number = json["job"]?.integer else { return }
    stale.insert(.inspector)
    if json["timer"]?.bool == true { timers.insert(number) }
    if timers.contains(number) {
      // A diagnostic reports a timer's failure.
      if json["outcome"] != nil {
        timers.remove(number)
        withdrawQuestion(ofJob: number)
      } else if let question = json["asks"] {
        take(question: question, ofJob: number)
      }
      return
    }
    guard let outcome = json["outcome"] else {
      // Another client or the app began this job.
      if !jobs.contains(where: { $0.number == number }) {
        let action = json["action"]?.text ?? ""
        let title = json["title"]?.text ?? menus.lastTitle(of: action) ?? action
        jobs.append(
          RunningJob(
            number: number, title: title, isOfStart: json["start"]?.bool == true,
            isOfChoice: json["choice"]?.bool == true, shownFrom: now + RunningJob.patience))
      }
      if let question = json["asks"] { take(question: question, ofJob: number) }
      return progressed(number, json["progress"])
    }
    withdrawQuestion(ofJob: number)
    let known = jobs.first { $0.number == number }
    jobs.removeAll { $0.number == number }
    guard let performed = try? AnswerReader().read(outcome, as: Answer.Performed.self) else { return }
    note(performed.trace)
    // The person didn't request the app's own start, and sees which row is current.
    let isOfChoice = known?.isOfChoice ?? false
    switch performed.outcome.status {
    case .handled where isOfChoice || known?.isOfStart ?? false, .cancelled where isOfChoice: return
    default: break
    }
    if known?.quits ?? false, performed.outcome.status == .handled { return end() }
    showNextQuestion()
    report(performed, known.flatMap { $0.title.isEmpty ? nil : $0.title } ?? performed.name)
  }

  private func progressed(_ number: Int, _ json: JSON?) {
    guard let json, let index = jobs.firstIndex(where: { $0.number == number }) else { return }
    if let fraction = json["fraction"] { jobs[index].fraction = AnswerReader().fraction(fraction) }
    jobs[index].text = json["text"]?.text ?? ""
  }

  /// Cancels the job that began last.
  func cancelJob() {
    guard let job = jobs.mostWanted else { return }
    ask("cancel", [("job", .integer(job.number))], for: .nothing)
  }
}

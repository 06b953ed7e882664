// Tells observers before and after an action.

extension Perform {
  /// The title of what was done, for undo: the item's title, else the action.
  var title: String {
    options.title ?? asked?.action ?? reference.name
  }

  func tellWill(by responder: Responder) {
    guard toldAction == nil else { return }
    let action = asked?.action ?? reference.name
    toldAction = action
    if observers.isEmpty, !options.isObserved { return }
    let event = ActionEvent(.will, described(action), by: responder.name, nil, nil)
    told = event.asked
    tell(event)
  }

  /// Tells the outcome to everyone who was told that the action would be done.
  func finished(_ outcome: consuming Outcome) -> Outcome {
    if outcome.status == .running { return outcome }
    if dispatcher.hasRecorded {
      outcome = dispatcher.checked(outcome)
      if !outcome.status.isKept { dispatcher.takeBack() }
    }
    if let told {
      let event = ActionEvent(outcome.status == .handled ? .did : .failed, told, by: outcome.by, outcome, job)
      if outcome.status == .handled || !dispatcher.postpones(event, by: self) { tell(event) }
    }
    if outcome.status == .unhandled, !options.isDelivery { tellUnhandled(outcome) }
    if dispatcher.hasRecorded, outcome.status.isKept { dispatcher.undo.note(title) }
    return outcome
  }

  func tell(_ event: ActionEvent) {
    // An observer that spends the allowance on hearing of the beginning is not told of the end, nor are those that could not be told
    // because of it, even if there is an allowance by then.
    var deaf: Set<ObjectIdentifier> = []
    for index in observers.indices {
      // The list retains the observer: to retain it once more takes as long as telling it.
      Unmanaged.passUnretained(observers[index])._withUnsafeGuaranteedRef { observer in
        guard observer.watches(event.action) else { return }
        guard let failure = observer.notify(event) else { return }
        if failure.limit != nil, dispatcher.engine?.isSpent == true { deaf.insert(ObjectIdentifier(observer)) }
        dispatcher.report(Diagnostic(failure))
      }
    }
    if !deaf.isEmpty { observers.removeAll { deaf.contains(ObjectIdentifier($0)) } }
    if options.isObserved { options.observe?(event) }
  }

  func tellUnhandled(_ outcome: Outcome) {
    guard let listener = dispatcher.onUnhandled else { return }
    let asked = told ?? described(toldAction ?? reference.name)
    let event = ActionEvent(.failed, asked, by: nil, outcome, job)
    listener(event, dispatcher.names(near: reference))
  }

  /// The request as observers are told of it, under an action's name and with secrets masked.
  func described(_ action: String) -> ActionEvent.Asked {
    guard dispatcher.chain.hasSecrets else {
      if plan != nil, options.isUsual {
        // The plan is retained while it runs; a local variable would retain it again.
        return Unmanaged.passUnretained(plan.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.usualAsked }
      }
      return ActionEvent.Asked(
        action, raw: resolution.raw, sender: options.sender, reference.arguments, options.arguments)
    }
    return ActionEvent.Asked(
      action, raw: dispatcher.masked(resolution.raw, reference), sender: dispatcher.masked(options.sender), nil,
      dispatcher.masked(Arguments(reference.arguments, under: options.arguments), of: reference))
  }
}

// While an action waits, a history in which it recorded changes can't be undone, and one that it is reversing can't be undone or added to
// (U11, U12).

extension Dispatcher {
  /// Why an owner's history can't be undone or redone now: an action that waits has changed something in it, or is reversing it.
  func lock(on owner: Responder) -> String? {
    guard undo.held > 0 else { return nil }
    for case let job as PerformJob in scheduler.jobs {
      switch job.recording?.purpose {
      case .reversing(let stack)? where stack.responder === owner: return "'\(job.action)' is under way, and waits"
      case .doing? where job.recording?.entries.contains { $0.owner == owner.number } ?? false:
        return "'\(job.action)' has changed something, and waits"
      default: continue
      }
    }
    return nil
  }

  /// Checks a successful outcome: it becomes a failure, and is to be taken back, if it would add to a history that a waiting action is
  /// reversing.
  func checked(_ outcome: Outcome) -> Outcome {
    guard outcome.status.isKept, hasRecorded, undo.held > 0, depth.value <= undo.current.value.base,
      !undo.isReversing, let (action, owner) = reversingHistory()
    else { return outcome }
    let failure = Failure(
      .misuse, "'\(action)' is under way, and waits: nothing else can be added to the history of '\(owner)' meanwhile")
    report(Diagnostic(failure))
    return Outcome(.failed, by: outcome.by, via: outcome.via, error: failure)
  }

  /// Ends the recording of a perform that registered something, once `checked` has allowed its outcome.
  @inline(never)
  func settled(_ outcome: Outcome, _ title: String) -> Outcome {
    let outcome = checked(outcome)
    settle(outcome.status, title)
    return outcome
  }

  /// The waiting action that reverses a history to which the current recording adds, and that history's owner.
  private func reversingHistory() -> (action: String, owner: String)? {
    let owners = Set(undo.current.value.entries.map(\.owner))
    for case let job as PerformJob in scheduler.jobs {
      if case .reversing(let stack)? = job.recording?.purpose, owners.contains(stack.responder.number) {
        return (job.action, stack.responder.name)
      }
    }
    return nil
  }
}

// U11, U12: a history neither holds what did not happen nor lacks what did, whatever waits.

extension Dispatcher {
  /// Why a history can't be gone through now: what waits has changed something of it, or is going through it.
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

  /// Checks an outcome that ends well: it fails, and is to be taken back, where it would register with a history that one goes through.
  func checked(_ outcome: Outcome) -> Outcome {
    guard outcome.status.isKept, hasRecorded, undo.held > 0, depth.value <= undo.current.value.base,
      !undo.isReversing, let (action, owner) = reversingHistory()
    else { return outcome }
    let failure = Failure(
      .misuse, "'\(action)' is under way, and waits: nothing else can be added to the history of '\(owner)' meanwhile")
    report(Diagnostic(failure))
    return Outcome(.failed, by: outcome.by, via: outcome.via, error: failure)
  }

  /// Ends the recording of a perform that registered something, where it may.
  @inline(never)
  func settled(_ outcome: Outcome, _ title: String) -> Outcome {
    let outcome = checked(outcome)
    settle(outcome.status, title)
    return outcome
  }

  /// The action that goes through a history in which something was registered now, and whose it is.
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

extension Dispatcher {
  /// Begins the trace of a perform; nil where nobody traces.
  func beginTrace(_ raw: String, _ options: PerformOptions) -> Trace? {
    tracing.deliver == nil || options.isDelivery ? nil : beginTrace(raw, by: options.sender)
  }

  func beginTrace(_ raw: String, by sender: Sender) -> Trace {
    let trace = Trace(raw, by: sender)
    trace.parent = tracing.current
    tracing.current?.note(trace)
    tracing.current = trace
    return trace
  }

  /// Leaves the trace of a perform. If the perform waits, its trace goes on later.
  func leave(_ trace: Trace, _ outcome: Outcome) {
    tracing.current = trace.parent
    if outcome.status != .running { end(trace, outcome) }
  }

  /// Ends a trace with its outcome.
  func end(_ trace: Trace, _ outcome: Outcome) {
    guard trace.outcome == nil else { return }
    trace.outcome = outcome
    if trace.parent == nil { tracing.deliver?(trace) }
    trace.parent = nil
  }
}

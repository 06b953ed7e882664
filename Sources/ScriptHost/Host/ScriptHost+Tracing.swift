extension ScriptHost {
  /// Called with the trace of each action when it has ended. An action that a handler performs is a part of that action's trace.
  ///
  /// Where it is nil, as at first, nothing is noted and tracing costs nothing.
  ///
  /// ```swift
  /// let host = ScriptHost()
  /// try host.load(text: "function app.on:add(ctx) return ctx.a + ctx.b end", name: "add.lua")
  /// host.onTrace = { trace in print(trace.text) }
  /// host.perform("add(a: 1, b: 2)")
  /// // app: perform add(a: 1, b: 2) → handled by app
  /// //   app: on add → takes it (add.lua:1)
  /// //   app: do add → done (add.lua:1)
  /// ```
  public var onTrace: ((Trace) -> Void)? {
    get { dispatcher.tracing.deliver }
    set { dispatcher.tracing.deliver = newValue }
  }
}

extension Trace {
  /// The trace as a list of steps, each with how deep performs are nested there: first that it is performed, and what came of it.
  public var steps: [(level: Int, step: Step)] {
    var steps = [(level: 0, step: heading)]
    for entry in entries {
      switch entry {
      case .asked(let step): steps.append((1, step))
      case .performed(let trace): steps += trace.steps.map { ($0.level + 1, $0.step) }
      }
    }
    return steps
  }

  private var heading: Step {
    var answer = outcome?.status.rawValue ?? "running"
    if let by = outcome?.by { answer += outcome?.status == .failed ? " in \(by)" : " by \(by)" }
    if let reason = outcome?.reason ?? outcome?.error?.message { answer += ": \(reason)" }
    return Step(node: sender, asked: "perform \(reference)", answer: answer, place: nil)
  }

  /// The trace in lines, what belongs to another thing indented below it.
  public var text: String {
    steps.map { level, step in
      String(repeating: "  ", count: level) + step.text
    }.joined(separator: "\n")
  }
}

extension Trace.Step {
  /// The step in one line.
  public var text: String { "\(node): \(asked) → \(answer)" + (place.map { " (\($0))" } ?? "") }
}

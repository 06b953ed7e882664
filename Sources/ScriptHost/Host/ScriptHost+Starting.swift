extension ScriptHost {
  /// Calls the `start` functions of all that is loaded, each once: the app's, then the plugins' in load order. Returns an outcome for each.
  ///
  /// Each has an allowance and an undo group of its own, and may wait. Scripts that are loaded or reloaded later start by themselves.
  ///
  /// ```swift
  /// try host.load(text: "function app:start(ctx) sleep(1) print('ready') end", name: "app.lua")
  /// print(host.start().map(\.status))  // [ScriptHost.Outcome.Status.running]
  /// try host.advance(by: .seconds(1))  // ready
  /// ```
  ///
  /// - Parameter wait: whether to run the host until those that wait have ended.
  @discardableResult
  public func start(wait: Bool = false) -> [Outcome] { start(waiting: wait ? dispatcher.drive(untilEndOf:) : nil) }

  /// The same; each job that waits is given to a closure, which waits for its end. Without one nobody does.
  package func start(waiting: ((Job) -> Outcome)?) -> [Outcome] {
    isStarted = true
    return chain.app.layers.sorted { $0.owner.number < $1.owner.number }.compactMap { start($0, waiting: waiting) }
  }

  /// Calls the `start` of an owner that was loaded after `start()` was called.
  func startLate(_ owner: Owner) {
    guard isStarted, let layer = chain.app.layers.first(where: { $0.owner === owner }) else { return }
    _ = start(layer, waiting: nil)
  }

  private func start(_ layer: Behaviour, waiting: ((Job) -> Outcome)?) -> Outcome? {
    guard !layer.owner.isStarted, let handler = layer.start else { return nil }
    layer.owner.isStarted = true
    let context = dispatcher.allowing { dispatcher.context(of: dispatcher.defaultWalk(), witness: nil) }
    context.begin(Request(raw: "start", action: "start", prefix: "", arguments: Arguments()))
    let outcome = dispatcher.run(handler, named: "start", in: context)
    guard let waiting, let job = outcome.job else { return outcome }
    return waiting(job)
  }
}

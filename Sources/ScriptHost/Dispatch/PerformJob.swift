/// A perform that waits: what it takes to go on with it.
final class PerformJob: Job {
  unowned(unsafe) let dispatcher: Dispatcher
  var via: Outcome.Via
  /// A perform of the general way, and who was asked.
  private var general: General?
  /// A perform of the quick way: who was asked, and what has to stand as long as it goes on.
  private var taker: QuickTaker?
  private var resolution: Resolution?
  private var plan: AnyObject?

  private final class General {
    var perform: Perform
    let asked: Asked

    init(_ perform: Perform, _ asked: Asked) {
      self.perform = perform
      self.asked = asked
    }
  }

  init(_ dispatcher: Dispatcher, _ asked: Asked) {
    self.dispatcher = dispatcher
    via = asked.via
    super.init(
      action: asked.action, responder: asked.responder, owner: asked.handler.owner,
      isReentrant: asked.handler.isReentrant)
  }

  init(_ dispatcher: Dispatcher, _ taker: QuickTaker, _ resolution: Resolution, _ plan: AnyObject) {
    self.dispatcher = dispatcher
    self.taker = taker
    self.resolution = resolution
    self.plan = plan
    via = taker.via
    super.init(
      action: taker.action, responder: taker.responder, owner: taker.handler.owner,
      isReentrant: taker.handler.isReentrant)
  }

  override func wake() { dispatcher.resume(self) }

  override func cancel(because reason: String) {
    if state != .ended { dispatcher.cancel(self, because: reason) }
  }

  /// Keeps a perform until its handler goes on.
  func keep(_ perform: Perform, _ asked: Asked) {
    general = General(perform, asked)
    general?.perform.job = nil
    action = asked.action
    responder = asked.responder
    owner = asked.handler.owner
    isReentrant = asked.handler.isReentrant
    via = asked.via
    taker = nil
    resolution = nil
    plan = nil
  }

  /// Goes on with what the handler replied after its wait.
  func goOn(with reply: Reply, context: Context?) -> Outcome {
    if let general {
      self.general = nil
      var perform = general.perform
      perform.job = self
      return perform.goOn(with: reply, of: general.asked)
    }
    guard let taker, let resolution else { return Outcome(.unhandled) }
    switch reply {
    case .value(let result): return Outcome(.handled, by: taker.name, via: taker.via, result: result)
    case .refused(let said):
      return Outcome(.disabled, by: taker.name, via: taker.via, reason: taker.refusal(said))
    case .waiting(let suspension): return dispatcher.wait(self, suspension)
    case .pass: return dispatcher.goOn(after: .passed(context), taker, resolution, as: self)
    case .failed(let failure): return dispatcher.goOn(after: .failed(failure), taker, resolution, as: self)
    }
  }

  /// Tells those who watch what came of it, where that is not for its handler to say.
  func finish(_ outcome: Outcome) -> Outcome {
    guard let general else { return outcome }
    self.general = nil
    var perform = general.perform
    perform.job = self
    return perform.finished(outcome)
  }

  /// Lets go of everything that it took to go on.
  func letGo() {
    general = nil
    taker = nil
    resolution = nil
    plan = nil
  }
}

/// A *reversing* goes through a group of a history, from the last that was done to the first; any of it may wait.
final class Reversing: Suspension {
  private unowned let dispatcher: Dispatcher
  private let group: UndoGroup
  private let stack: UndoStack
  private let direction: UndoStack.Direction
  /// What is still to be reversed, the next one last.
  private var rest: [Reversal]
  private var waiting: Suspension?
  /// What was recorded before, which goes on afterwards.
  private var outer: Recording

  init(_ dispatcher: Dispatcher, _ group: UndoGroup, of stack: UndoStack, _ direction: UndoStack.Direction) {
    self.dispatcher = dispatcher
    self.group = group
    self.stack = stack
    self.direction = direction
    rest = group.reversals
    outer = dispatcher.undo.open(.reversing(stack), base: dispatcher.state.value.depth)
    super.init()
  }

  func run() -> Reply {
    dispatcher.engine?.beginAllowance()
    var reply = reverse()
    dispatcher.engine?.endAllowance()
    switch reply {
    case .waiting: return reply
    case .value, .pass:
      let reversals = dispatcher.undo.takeOwn().map(\.reversal)
      stack.turn(group, direction, into: reversals.filter { !$0.taker.isRemoved })
    case .refused: dispatcher.takeBack()
    case .failed(let failure):
      dispatcher.takeBack()
      if let failed = rest.last { reply = .failed(dispatcher.travelled(failure, from: failed.taker)) }
    }
    dispatcher.undo.continue(outer)
    return reply
  }

  private func reverse() -> Reply {
    while let reversal = rest.last {
      let reply = waiting?.resume() ?? dispatcher.reverse(reversal)
      waiting = nil
      switch reply {
      case .value, .pass: rest.removeLast()
      case .refused, .failed: return reply
      case .waiting(let suspension):
        waiting = suspension
        follow(suspension)
        return .waiting(self)
      }
    }
    return .value(.null)
  }

  override func resume() -> Reply {
    outer = Recording(base: dispatcher.state.value.depth)
    return run()
  }

  override func unwind() { waiting?.unwind() }

  override func suspended() { dispatcher.undo.continue(outer) }
}

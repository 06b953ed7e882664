/// A *reversing* goes through a group of a history, from the last that was done to the first; any of it may wait.
final class Reversing: Suspension {
  /// It lives as long as anything that waits in it.
  private unowned let dispatcher: Dispatcher
  private let group: UndoGroup
  private let stack: UndoStack
  private let direction: UndoStack.Direction
  /// In the order in which they were done, and how many are still to be reversed.
  private let reversals: [Reversal]
  private var left: Int
  private var waiting: Suspension?
  /// What was recorded before, which goes on afterwards.
  private var outer: Recording

  init(_ dispatcher: Dispatcher, _ group: UndoGroup, of stack: UndoStack, _ direction: UndoStack.Direction) {
    self.dispatcher = dispatcher
    self.group = group
    self.stack = stack
    self.direction = direction
    reversals = group.reversals
    left = reversals.count
    outer = dispatcher.undo.open(.reversing(stack), base: dispatcher.depth.value)
    super.init()
  }

  func run() -> Reply {
    dispatcher.engine?.beginAllowance()
    var reply = reverse()
    dispatcher.engine?.endAllowance()
    switch reply {
    case .waiting: return reply
    case .value, .pass:
      stack.swapValues(group, direction, into: dispatcher.undo.takeReversals())
    case .refused: dispatcher.takeBack()
    case .failed(let failure):
      dispatcher.takeBack()
      reply = .failed(dispatcher.travelled(failure, from: reversals[left - 1].taker))
    }
    dispatcher.undo.continue(outer)
    return reply
  }

  private func reverse() -> Reply {
    while left > 0 {
      // Whose code it is may have gone, or been set aside, while this waited.
      if waiting == nil, reversals[left - 1].owner.takesNothingBack || reversals[left - 1].taker.isRemoved {
        left -= 1
        continue
      }
      let reply = waiting?.resume() ?? dispatcher.reverse(reversals[left - 1])
      waiting = nil
      switch reply {
      case .value, .pass: left -= 1
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
    outer = Recording(base: dispatcher.depth.value)
    return run()
  }

  override func unwind() { waiting?.unwind() }

  override var stray: Owner? { waiting?.stray }

  override func suspended() { dispatcher.undo.continue(outer) }
}

/// Reverses an undo group, from its last reversal to its first. Any of them may wait.
final class Reversing: Suspension {
  /// The dispatcher outlives suspensions.
  private unowned let dispatcher: Dispatcher
  private let group: UndoGroup
  private let stack: UndoStack
  private let direction: UndoStack.Direction
  /// The group's reversals in their original order, and how many are left to reverse.
  private let reversals: [Reversal]
  private var left: Int
  private var waiting: Suspension?
  /// The recording that was current before, to restore afterwards.
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
    dispatcher.endAllowance()
    switch reply {
    case .waiting: return reply
    case .value, .pass:
      stack.turn(group, direction, into: dispatcher.undo.takeReversals())
    case .refused:
      standAgain()
      dispatcher.takeBack()
    case .failed(let failure):
      standAgain()
      dispatcher.takeBack()
      reply = .failed(dispatcher.allowing { dispatcher.travelled(failure, from: reversals[left - 1].taker) })
    }
    dispatcher.undo.continue(outer)
    return reply
  }

  /// Marks the writes reversed so far as in effect again, because the host restores the whole group.
  private func standAgain() { for case let write as FieldWrite in reversals[left...] { write.standAgain() } }

  private func reverse() -> Reply {
    // Checked again after each wait: others may have written meanwhile.
    if let write = dispatcher.undo.overwriter(of: reversals[..<left]) {
      return .refused(dispatcher.overwritten(by: write))
    }
    while left > 0 {
      // The responder or owner of the reversal may have been removed or set aside during the wait.
      if waiting == nil, reversals[left - 1].isGone {
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
    return dispatcher.outside { run() }
  }

  override func unwind() {
    waiting?.unwind()
    standAgain()
  }

  override var stray: Owner? { waiting?.stray }

  override func suspended() { dispatcher.undo.continue(outer) }
}

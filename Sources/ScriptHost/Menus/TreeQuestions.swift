/// The items of a tree that can be asked in one go on one walk, and what was drawn of their menus last.
///
/// It stands as long as nobody else answers: as long as the counts of the chain are what they were.
final class TreeQuestions {
  private let walk: Walk
  private let shape: Int
  private let tables: Int
  private(set) var quick: QuickQuestions?
  private var menus: [Menu] = []

  private struct Menu {
    /// The questions of its items.
    let range: Range<Int>
    /// Whether nothing else has a say in how it is drawn.
    let isWhole: Bool
    var drawn: MenuElement?
  }

  /// Those of the items below the roots of a tree, which finds who takes the action of each.
  init(
    below roots: [MenuNode], on pass: ValidationPass, by dispatcher: Dispatcher, subject: Value,
    resolution: (MenuNode) -> Resolution
  ) {
    walk = pass.walk
    shape = dispatcher.chain.shape
    tables = dispatcher.chain.tables
    guard let engine = dispatcher.engine else { return }
    var questions: [QuickQuestions.Question] = []
    func question(_ node: MenuNode) -> QuickQuestions.Question? {
      guard let action = node.element.action, !action.skipsValidation, node.element.look == nil else { return nil }
      let resolution = resolution(node)
      guard let candidate = resolution.candidate(0, witness: nil), resolution.trouble == nil else { return nil }
      let question = QuickQuestions.Question(candidate: candidate, request: node.asked(action, about: subject))
      return engine.canAsk(question) ? question : nil
    }
    for root in roots { _ = collect(root, into: &questions, question) }
    if questions.isEmpty { return }
    quick = engine.layOut(questions)
  }

  func isCurrent(on walk: Walk, by dispatcher: Dispatcher) -> Bool {
    self.walk === walk && shape == dispatcher.chain.shape && tables == dispatcher.chain.tables
  }

  /// Gives the items below a node their numbers; whether all that is drawn of it is said to questions.
  private func collect(
    _ node: MenuNode, into questions: inout [QuickQuestions.Question],
    _ question: (MenuNode) -> QuickQuestions.Question?
  ) -> Bool {
    let first = questions.count
    var isWhole = node.element.menu?.look == nil
    for child in node.children {
      switch child.element.kind {
      case .item:
        child.number = -1
        if let question = question(child) {
          child.number = Int32(truncatingIfNeeded: questions.count)
          questions.append(question)
        }
        for alternate in child.alternates { alternate.number = -1 }
        if child.number < 0 || !child.alternates.isEmpty { isWhole = false }
      case .menu, .section:
        if !collect(child, into: &questions, question) { isWhole = false }
      case .label, .separator: break
      }
    }
    node.number = Int32(truncatingIfNeeded: menus.count)
    menus.append(Menu(range: first..<questions.count, isWhole: isWhole && first < questions.count))
    return isWhole
  }

  // MARK: What was drawn

  /// What was drawn of a menu last, where nothing else was said since.
  func drawn(_ menu: MenuNode) -> MenuElement? {
    let menu = menus[Int(menu.number)]
    guard menu.isWhole, let drawn = menu.drawn, let quick, !quick.hasChanged(menu.range) else { return nil }
    return drawn
  }

  /// What stood in a menu when it was drawn last.
  func lastChildren(_ menu: MenuNode) -> [MenuElement] { menus[Int(menu.number)].drawn?.children ?? [] }

  /// Remembers what was drawn of a menu; nil where something around it had a say.
  func keep(_ element: MenuElement?, of menu: MenuNode) { menus[Int(menu.number)].drawn = element }
}

/// What stood in a menu when it was drawn last, gone through beside what is drawn now.
struct LastChildren {
  private let elements: [MenuElement]
  private var next = 0

  init(_ elements: [MenuElement] = []) { self.elements = elements }

  /// What was drawn of a node then.
  mutating func element(of node: MenuNode) -> MenuElement? {
    while next < elements.count {
      next += 1
      if elements[next - 1].facts === node.element.facts, elements[next - 1].id.hasSameBytes(as: node.id) {
        return elements[next - 1]
      }
    }
    return nil
  }
}

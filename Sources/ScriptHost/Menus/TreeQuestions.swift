/// The items of a tree that can be asked in one go on one walk, those of scripts and those of the embedding program, and what was drawn of
/// their menus last.
///
/// It stands as long as nobody else answers: as long as the counts of the chain are what they were.
final class TreeQuestions {
  private let walk: Walk
  private let shape: Int
  private let tables: Int
  /// Those that an engine asks in one crossing.
  private var ofScripts: QuickQuestions?
  /// Those that the embedding program answers.
  private var native: NativeQuestions?
  /// Where the question of each item stands.
  private var places: [Place] = []
  private var menus: [Menu] = []

  private struct Place {
    let isNative: Bool
    let index: Int
  }

  private struct Menu {
    /// The questions of its items.
    let ofScripts: Range<Int>
    let native: Range<Int>
    /// Whether nothing else has a say in how it is drawn.
    let isWhole: Bool
    var drawn: MenuElement?
  }

  /// What is collected of a tree.
  private struct Collected {
    var ofScripts: [QuickQuestions.Entry] = []
    var native: [QuickQuestions.Entry] = []
    /// Who takes the actions of those that are native.
    var resolutions: [Resolution] = []
  }

  /// Collects the questions below the roots of a tree, which finds who takes the action of each.
  init(
    below roots: [MenuNode], on pass: ValidationPass, by dispatcher: Dispatcher, subject: Value,
    resolution: (MenuNode) -> Resolution
  ) {
    walk = pass.walk
    shape = dispatcher.chain.shape
    tables = dispatcher.chain.tables
    let engine = dispatcher.engine
    func collect(_ node: MenuNode, into all: inout Collected) -> Bool {
      guard let action = node.element.action, !action.skipsValidation else { return false }
      let resolution = resolution(node)
      guard let candidate = resolution.candidate(0, witness: nil), resolution.trouble == nil else { return false }
      let question = QuickQuestions.Entry(candidate: candidate, request: node.asked(action, about: subject))
      if engine?.canAsk(question) ?? false {
        places.append(Place(isNative: false, index: all.ofScripts.count))
        all.ofScripts.append(question)
      } else if NativeQuestions.canAsk(question) {
        places.append(Place(isNative: true, index: all.native.count))
        all.native.append(question)
        all.resolutions.append(resolution)
      } else {
        return false
      }
      return true
    }
    var all = Collected()
    for root in roots { _ = number(root, &all, collect) }
    if !all.ofScripts.isEmpty { ofScripts = engine?.prepare(all.ofScripts) }
    if !all.native.isEmpty { native = NativeQuestions(all.native, along: all.resolutions) }
  }

  func isCurrent(on walk: Walk, by dispatcher: Dispatcher) -> Bool {
    self.walk === walk && shape == dispatcher.chain.shape && tables == dispatcher.chain.tables
  }

  /// Gives the items below a node their numbers; whether all that is drawn of it is said to questions.
  private func number(
    _ node: MenuNode, _ all: inout Collected, _ collect: (MenuNode, inout Collected) -> Bool
  ) -> Bool {
    let first = (ofScripts: all.ofScripts.count, native: all.native.count)
    let firstPlace = places.count
    var isWhole = node.element.menu?.look == nil
    for child in node.children {
      switch child.element.kind {
      case .item:
        child.number = collect(child, &all) ? Int32(truncatingIfNeeded: places.count - 1) : -1
        for alternate in child.alternates { alternate.number = -1 }
        // Its own look is asked each time.
        if child.number < 0 || !child.alternates.isEmpty || child.element.look != nil { isWhole = false }
      case .menu, .section:
        if !number(child, &all, collect) { isWhole = false }
      case .label, .separator: break
      }
    }
    node.number = Int32(truncatingIfNeeded: menus.count)
    menus.append(
      Menu(
        ofScripts: first.ofScripts..<all.ofScripts.count, native: first.native..<all.native.count,
        isWhole: isWhole && firstPlace < places.count))
    return isWhole
  }

  // MARK: Asking

  /// Asks them all in the context of a pass.
  func ask(on pass: ValidationPass, by dispatcher: Dispatcher) {
    if let ofScripts { dispatcher.ask(ofScripts, pass.options) { ofScripts.ask(in: pass.context) } }
    if let native { dispatcher.ask(native, pass.options) { native.ask(in: pass.context, by: dispatcher) } }
  }

  /// Where the question of an item stands; nil where it asks none of these.
  func question(of item: MenuNode) -> (questions: QuickQuestions, index: Int)? {
    guard item.number >= 0 else { return nil }
    let place = places[Int(item.number)]
    return (place.isNative ? native : ofScripts).map { ($0, place.index) }
  }

  // MARK: What was drawn

  /// What was drawn of a menu last, where nothing else was said since.
  func drawn(_ menu: MenuNode) -> MenuElement? {
    let menu = menus[Int(menu.number)]
    guard menu.isWhole, let drawn = menu.drawn, !(ofScripts?.hasChanged(menu.ofScripts) ?? false),
      !(native?.hasChanged(menu.native) ?? false)
    else { return nil }
    return drawn
  }

  /// What stood in a menu when it was drawn last.
  func lastChildren(_ menu: MenuNode) -> [MenuElement] { menus[Int(menu.number)].drawn?.children ?? [] }

  /// Remembers what was drawn of a menu; nil where something around it had a say.
  func keep(_ element: MenuElement?, of menu: MenuNode) { menus[Int(menu.number)].drawn = element }
}

/// A menu's children as drawn last, gone through beside those drawn now.
struct LastChildren {
  private let elements: [MenuElement]
  private var next = 0

  init(_ elements: [MenuElement] = []) { self.elements = elements }

  /// The element drawn of a node then.
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

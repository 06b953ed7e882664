/// The items of a tree that can be validated in one call on one walk, scripts' and the embedding program's; and how their menus were last
/// drawn.
///
/// It is current as long as the candidates are the same, which the chain's counts (`shape`, `tables`) tell.
final class TreeQuestions {
  private let walk: Walk
  private let shape: Int
  private let tables: Int
  /// The questions that an engine asks in one crossing into Lua.
  private var ofScripts: QuickQuestions?
  /// The questions that the embedding program answers.
  private var native: NativeQuestions?
  /// Where each item's question stands, by the item's `number`.
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
    /// Whether its questions alone decide how it is drawn.
    let isWhole: Bool
    var drawn: MenuElement?
  }

  /// The questions collected so far.
  private struct Collected {
    var ofScripts: [QuickQuestions.Entry] = []
    var native: [QuickQuestions.Entry] = []
    /// The resolutions of the native questions.
    var resolutions: [Resolution] = []
  }

  /// Collects the questions below the roots of a tree; `resolution` resolves an item's action.
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
      guard let candidate = resolution.candidate(0, witness: nil), resolution.hookFailure == nil else { return false }
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

  /// Numbers the items and menus at and below a node. Returns whether their questions alone decide how it is drawn.
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
        // An item's own `look` is asked in each pass.
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

  /// Where the question of an item stands; nil if the item is validated by itself.
  func question(of item: MenuNode) -> (questions: QuickQuestions, index: Int)? {
    guard item.number >= 0 else { return nil }
    let place = places[Int(item.number)]
    return (place.isNative ? native : ofScripts).map { ($0, place.index) }
  }

  // MARK: What was drawn

  /// A menu as last drawn; nil if an answer changed since, or if its questions alone don't decide.
  func drawn(_ menu: MenuNode) -> MenuElement? {
    let menu = menus[Int(menu.number)]
    guard menu.isWhole, let drawn = menu.drawn, !(ofScripts?.hasChanged(menu.ofScripts) ?? false),
      !(native?.hasChanged(menu.native) ?? false)
    else { return nil }
    return drawn
  }

  /// What stood in a menu when it was drawn last.
  func lastChildren(_ menu: MenuNode) -> [MenuElement] { menus[Int(menu.number)].drawn?.children ?? [] }

  /// Remembers a menu as drawn; nil if a `single` menu around it had a say.
  func keep(_ element: MenuElement?, of menu: MenuNode) { menus[Int(menu.number)].drawn = element }
}

/// A menu's children as last drawn, read in step with the nodes drawn now.
struct LastChildren {
  private let elements: [MenuElement]
  private var next = 0

  init(_ elements: [MenuElement] = []) { self.elements = elements }

  /// The previous element of a node.
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

@testable import ScriptHost

/// What must hold for whatever menus are declared, edited, drawn and compared; the tests and the fuzzer both ask it.
///
/// The bytes say what is declared, then step by step what becomes of it.
struct MenuCheck {
  /// Finds what changed; another way than the library's shows that a fault would be found.
  var changes: (MenuElement, MenuElement) -> [MenuChange] = { MenuChanges(from: $0, to: $1).all }

  /// How many steps are taken at most.
  private static let steps = 16

  /// Says what does not hold for these bytes, or nil when all does.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var choices = Choices(bytes)
    return choices.isLikely(96) ? faultOfTrees(&choices) : faultOfMenus(&choices)
  }

  // MARK: Snapshots from nowhere

  /// The changes between any two trees make one of the other, and whatever else is applied leaves a tree.
  private func faultOfTrees(_ choices: inout Choices) -> String? {
    var old = SnapshotMaker.tree(&choices)
    for _ in 0..<Self.steps where !choices.isOver {
      let new = SnapshotMaker.tree(&choices)
      if let fault = faultOfChanges(from: old, to: new) { return fault }
      let torn = new.applying(SnapshotMaker.changes(&choices))
      if let fault = torn.faultOfIDs { return "applying anything: \(fault)" }
      old = torn
    }
    return nil
  }

  private func faultOfChanges(from old: MenuElement, to new: MenuElement) -> String? {
    let found = changes(old, new)
    guard old.applying(found) == new else { return "the changes \(found) don't make the new tree of the old one" }
    guard changes(new, new).isEmpty else { return "a tree differs from itself" }
    var placed: Set<String> = []
    for change in found where change.name != "update" {
      if !placed.insert(change.id).inserted { return "'\(change.id)' comes, goes or moves twice" }
    }
    return nil
  }

  // MARK: The menus of a host

  /// What is drawn after each step is whole, and what is told of it is what changed.
  private func faultOfMenus(_ choices: inout Choices) -> String? {
    let scene = MenuScene()
    scene.declare(&choices)
    var drawn = MenuElement(nothingOf: "root")
    for _ in 0..<Self.steps {
      let told = scene.host.changes()
      guard let new = scene.host.drawn else { return "nothing is drawn" }
      guard drawn.applying(told) == new else { return "what is told, \(told), is not what changed" }
      if let fault = faultOfChanges(from: drawn, to: new) ?? new.faultOfIDs ?? new.faultOfDrawing { return fault }
      if !scene.host.changes().isEmpty { return "a pass after which nothing happened changes something" }
      if let fault = faultOfPicking(&choices, new, scene) { return fault }
      drawn = scene.host.drawn ?? new
      if choices.isOver { break }
      scene.step(&choices)
    }
    return nil
  }

  /// An item is done when it is drawn enabled, and refused with its reason when it isn't.
  private func faultOfPicking(_ choices: inout Choices, _ drawn: MenuElement, _ scene: MenuScene) -> String? {
    var items = [drawn]
    for _ in 0..<6 {
      let below = items.flatMap(\.children)
      if below.isEmpty { break }
      items = below
    }
    items = items.filter { $0.kind == .item }
    guard !items.isEmpty else { return nil }
    let item = choices.one(of: items)
    let outcome = scene.host.pick(item.id, confirmed: true)
    if "\(drawn)".contains("xyzzy") { return "what is secret is drawn" }
    if item.asks {
      return outcome.status == .asks && outcome.asks?.arguments.isEmpty == false
        ? nil : "'\(item.id)' is drawn as what asks, and is \(outcome.status)"
    }
    if item.isEnabled {
      // A menu may leave enabling to what is declared, whoever takes the action.
      if outcome.status == .handled || !scene.host.validate(item.action).isEnabled { return nil }
      return "'\(item.id)' is drawn enabled, and is \(outcome.status)"
    }
    guard outcome.status == .disabled, outcome.reason == item.reason else {
      return "'\(item.id)' is drawn disabled, \(item.reason ?? ""), and is \(outcome.status), \(outcome.reason ?? "")"
    }
    return nil
  }
}

@testable import ScriptHost

/// Checks menus that are declared, edited, drawn and compared; the tests and the fuzzer both use it.
///
/// The bytes give the declaration, then the changes step by step.
struct MenuCheck {
  /// Finds the changes; a test passes a faulty function, to show that the check finds it.
  var changes: (MenuElement, MenuElement) -> [MenuChange] = { MenuChanges(from: $0, to: $1).all }

  /// The most steps of a run.
  private static let steps = 16

  /// Returns the fault for these bytes, or nil if there is none.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var choices = Choices(bytes)
    return choices.isLikely(96) ? faultOfTrees(&choices) : faultOfMenus(&choices)
  }

  // MARK: Snapshots from nowhere

  /// The changes between any two trees turn one into the other, and any other changes leave a valid tree.
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

  /// The drawing after each step is valid, and the reported changes are the real changes.
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

  /// A pick performs an item that is drawn enabled, and refuses any other with its reason.
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
      // A menu may enable items only by declaration, with any taker of the action.
      if outcome.status == .handled || !scene.host.validate(item.action).isEnabled { return nil }
      return "'\(item.id)' is drawn enabled, and is \(outcome.status)"
    }
    guard outcome.status == .disabled, outcome.reason == item.reason else {
      return "'\(item.id)' is drawn disabled, \(item.reason ?? ""), and is \(outcome.status), \(outcome.reason ?? "")"
    }
    return nil
  }
}

@testable import ScriptHost

// Checks a snapshot that a host drew.

extension MenuElement {
  /// No two elements have the same id.
  var faultOfIDs: String? {
    var met: Set<ByteText> = []
    var elements = [self]
    while let element = elements.popLast() {
      if !met.insert(ByteText(element.id)).inserted { return "the id '\(element.id)' stands twice" }
      elements += element.children + element.alternates.map(\.element)
    }
    return nil
  }

  /// M8, M9, V3 and V12: separators are between rows, disabled items have a reason, and open menus have items.
  var faultOfDrawing: String? { faultOfDrawing(depth: 0) }

  private func faultOfDrawing(depth: Int) -> String? {
    if depth > Element.depthLimit { return "'\(id)' stands \(depth) deep" }
    let isReadOnly = kind == .separator || kind == .label
    if !isEnabled, !isReadOnly, reason?.isEmpty ?? true { return "'\(id)' is disabled without a reason" }
    let shown = children.filter { !$0.isHidden }
    if shown.first?.kind == .separator || shown.last?.kind == .separator {
      return "a separator is on the edge of '\(id)'"
    }
    for (one, next) in zip(shown, shown.dropFirst()) where one.kind == .separator && next.kind == .separator {
      return "two separators in '\(id)'"
    }
    let isCounted = shown.contains { $0.kind == .item || $0.kind == .menu }
    if depth > 0, kind == .menu, isEnabled, !isCounted { return "'\(id)' is enabled, and empty" }
    for child in children {
      if let fault = child.faultOfDrawing(depth: depth + 1) { return fault }
    }
    return nil
  }
}

extension MenuElement {
  /// The first place where it differs from a menu that should be the same.
  func difference(from other: MenuElement) -> String {
    if alone != other.alone { return "\(alone) is \(other.alone)" }
    for (own, others) in zip(children, other.children) where own != others { return own.difference(from: others) }
    return "'\(id)' has \(children.map(\.id)) instead of \(other.children.map(\.id))"
  }
}

import LiveHost
import ScriptHost

// Marks, filters and selected lines of the panes, as words (P10, P15).

extension PlainFace {
  /// Marks the rows with these numbers, or unmarks them if all of them are marked; or marks all rows of the pane, or
  /// none.
  func mark(_ rest: String) {
    let words = rest.split { $0 == " " || $0 == "," }.map(String.init)
    switch words.first?.lowercased() {
    case nil: say("which rows? As in: mark 2 3, mark all, mark none")
    case "all" where words.count == 1: markPane([("ids", .list([])), ("how", .text(MarkChange.all.rawValue))])
    case "none" where words.count == 1: markPane([("ids", .list([]))])
    default:
      var rows: [String] = []
      for word in words {
        guard let id = idOfRow(word, asIn: "which rows? As in: mark 2 3") else { return }
        rows.append(id)
      }
      let nodes = rows.compactMap { face.menus[$0] }
      guard let first = nodes.first, let pane = first.pane else { return say("'\(words[0])' is no row of a pane") }
      guard nodes.allSatisfy({ $0.pane === pane }) else { return say("mark the rows of one pane at a time") }
      let change: MarkChange = nodes.allSatisfy(\.element.isMarked) ? .remove : .add
      mark([("ids", .list(rows.map { .text($0) })), ("how", .text(change.rawValue))], in: pane)
    }
  }

  private func markPane(_ members: [(String, JSON)]) {
    if let pane = focusedPane { mark(members, in: pane) }
  }

  private func mark(_ members: [(String, JSON)], in pane: ShownMenus.Node) {
    let title = pane.element.titleOfPane
    guard pane.element.area?.hasMarks ?? false else { return say("the rows of '\(title)' can't be marked") }
    face.ask("mark", members + [("pane", .text(pane.id))], for: .narrowing)
    then { [unowned self] in say("\(face.menus[pane.id]?.element.area?.marked ?? 0) marked in \(title)") }
  }

  /// Shows only the rows of the focused pane that have these letters; all rows without a text.
  func filter(_ text: String) {
    guard let pane = focusedPane else { return }
    let title = pane.element.titleOfPane
    guard pane.element.area?.hasFilter ?? false else { return say("the rows of '\(title)' can't be filtered") }
    face.ask("filter", [("pane", .text(pane.id)), ("text", .text(text))], for: .narrowing)
    then { [unowned self] in
      let element = face.menus[pane.id]?.element
      let (filter, rows) = (element?.area?.filter ?? "", element?.area?.rows ?? 0)
      let count = rows == 1 ? "1 row" : "\(rows) rows"
      say(filter.isEmpty ? "\(title): all rows" : "\(title), filtered by '\(filter)': \(count)")
      showAll()
    }
  }

  /// Selects lines of the text whose lines were written last, or else of the only text.
  func select(_ rest: String) {
    let words = rest.split { $0 == " " || $0 == "-" }
    let ends = words.compactMap { Int($0) }
    guard let from = ends.first, let to = ends.last, ends.count == words.count, ends.count <= 2 else {
      return say("which lines? As in: select 2 5")
    }
    let texts = face.panes.compactMap(\.text).map(\.id)
    guard let id = heardText.flatMap({ texts.contains($0) ? $0 : nil }) ?? (texts.count == 1 ? texts[0] : nil),
      let element = face.menus[id]?.element, let text = element.area?.text
    else { return say(texts.isEmpty ? "there is no text" : "of which text? 'lines TEXT' says its lines first") }
    let title = element.titleOfPane
    guard text.current != nil else {
      return say(
        text.lines == 0
          ? "'\(title)' has no lines yet: write 'lines \(title)' first" : "the lines of '\(title)' can't be selected")
    }
    guard text.lines > 0, 1...text.lines ~= from, 1...text.lines ~= to else {
      return say("'\(title)' has the lines 1 to \(text.lines)")
    }
    // Its actions are about the selected lines, so it gets the focus, as when a person moves there.
    face.focusPane(id)
    face.ask("select", [("text", .text(id)), ("from", .integer(from)), ("to", .integer(to))], for: .narrowing)
    then { [unowned self] in
      guard let lines = face.menus[id]?.element.area?.text?.selected else { return }
      let named = lines.count == 1 ? "line \(lines.lowerBound)" : "lines \(lines.lowerBound) to \(lines.upperBound)"
      say("\(named) of \(title) selected")
    }
  }

  /// The pane with the focus; reports that there is none.
  private var focusedPane: ShownMenus.Node? {
    if let pane = face.panel.id.flatMap({ face.menus[$0] }) { return pane }
    say("there is no pane")
    return nil
  }
}

extension ShownMenus.Node {
  /// The pane around a row; nil for other elements.
  var pane: ShownMenus.Node? {
    var node = parent
    while let known = node, known.element.kind != .pane { node = known.parent }
    return node
  }
}

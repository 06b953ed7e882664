@testable import ScriptHost

/// A host with menus that choices declare, edit by a builder and validate.
final class MenuScene {
  let host = ScriptHost()
  /// The answers of `can` and `look` for each action, until the next step changes them.
  private var answers: [Permission] = MenuScene.actions.map { _ in .yes }
  private var looks: [Look] = MenuScene.actions.map { _ in Look() }
  private var edits: [Edit] = []
  private var rows: [String] = []
  private let owner: Owner
  private var declared: [Element] = []
  /// How many elements this step may still make: bytes can ask for many, not for endlessly many.
  private var room = 0
  fileprivate static let actions = ["a", "b", "c", "d"]

  init() {
    owner = host.program
    for (index, name) in Self.actions.enumerated() {
      host.on(name) { _ in }
      host.can(name) { [unowned self] _ in answers[index] }
      host.look(name) { [unowned self] _ in looks[index] }
    }
    host.takes("c", .integer("k", in: 0...3), .string("s").optional().secret())
    host.takes("d", .oneOf("k", ["x", "y"]).preset("x"))
    host.about("d", "About d")
    let builder = MenuEdits(owner: owner) { [unowned self] editor in for edit in edits { edit.apply(to: editor) } }
    _ = host.edit(host.app).set(.build, "main", builder)
    host.onDiagnostic = { _ in }
  }

  /// Declares menus; if they don't fit together, it declares none.
  func declare(_ choices: inout Choices) {
    room = 60
    declared = (0..<choices.below(5)).map { _ in element(&choices, depth: 0) }
    host.menuTrees.setDeclarations([])
    try? host.menuTrees.declare(declared, owner: owner, place: nil)
  }

  /// Changes something, as an app may between two snapshots.
  func step(_ choices: inout Choices) {
    room = 20
    switch choices.below(8) {
    case 0: declare(&choices)
    case 1: edits = (0..<choices.below(6)).map { _ in edit(&choices) }
    case 2: if edits.count < 12 { edits.append(edit(&choices)) }
    case 3: rows = (0..<choices.below(6)).map { _ in "r\(choices.below(6))" }
    case 4, 5:
      answers[choices.below(answers.count)] = choices.one(of: [.yes, .no("not now"), .no(""), .pass])
    default:
      var look = Look()
      look.title = choices.one(of: [nil, nil, "other"])
      look.state = choices.one(of: [nil, .on, .mixed, .off])
      look.hidden = choices.one(of: [nil, true, false])
      look.icon = choices.one(of: [nil, nil, "i"])
      looks[choices.below(looks.count)] = look
    }
    host.rebuild()
  }

  // MARK: Elements

  private func element(_ choices: inout Choices, depth: Int) -> Element {
    room -= 1
    let kinds: [MenuElement.Kind] = [.item, .item, .separator, .label, .menu, .menu, .section]
    let kind = choices.one(of: kinds)
    // A few ids and titles, so that some occur twice and some look like paths.
    let title = kind == .separator ? "" : choices.one(of: ["A", "B", "C", "A/B", "a#2", "", "é"])
    let id = choices.isLikely(60) ? choices.one(of: ["x", "y", "z", "A/B", "A#2", "root"]) : nil
    switch kind {
    case .item: return item(title, id, &choices)
    case .menu:
      let children =
        depth < 4 && room > 0 ? (0..<choices.below(6)).map { _ in element(&choices, depth: depth + 1) } : []
      let part = MenuPart(
        inline: choices.isLikely(64), single: choices.isLikely(64), auto: !choices.isLikely(32), children: children)
      return Element(Facts(.menu, title: title, hidden: choices.isLikely(24)), id: id, menu: part)
    case .section:
      let rows = SceneRows { [unowned self] in self.rows }
      func edge(_ choices: inout Choices, _ title: String) -> Element? {
        choices.isLikely(90) ? Element(Facts(.label, title: title)) : nil
      }
      let part = SectionPart(
        header: edge(&choices, "header"), footer: edge(&choices, "footer"), empty: edge(&choices, "empty"), source: rows
      )
      return Element(Facts(.section), id: id ?? choices.one(of: ["s", "t", "u"]), section: part)
    default: return Element(Facts(kind, title: title), id: kind == .separator ? nil : id)
    }
  }

  private func item(_ title: String, _ id: String?, _ choices: inout Choices) -> Element {
    let raw = choices.one(of: [
      "a", "b", "c(k: 1)", "d", "p.a", "nobody", "b(skip_validation: true)", "", "c", "c(k: 9)", "c(k: 2, s: xyzzy)",
      "d(k: y)", "d(k: z)",
    ])
    let action = (try? Reference.parse(raw)).map { ItemAction($0, raw: raw) }
    var alternates: [Element.Alternate] = []
    if choices.isLikely(24) {
      alternates = [Element.Alternate(modifiers: ["alt"], element: item("alt", nil, &choices))]
    }
    let facts = Facts(
      .item, title: title, isUntitled: choices.isLikely(24), action: raw, key: choices.one(of: [nil, nil, "k", "g g"]),
      state: choices.one(of: [.off, .on]), isStated: choices.isLikely(64),
      hidden: choices.isLikely(24), details: choices.one(of: [nil, nil, nil, Facts.Details(confirm: "sure?")]))
    let disabled = choices.isLikely(24) ? "declared so" : nil
    return Element(facts, id: id, action: action, disabled: disabled, alternates: alternates)
  }

  // MARK: Edits

  private enum Edit {
    case insert(Element, MenuTree.Position, String)
    case replace(String, Element)
    case replaceChildren(String, [Element])
    case remove(String)

    func apply(to editor: TreeEditor) {
      switch self {
      case .insert(let element, let position, let id):
        _ = editor.insert(MenuNode(wholly: element), position, id, at: nil)
      case .replace(let id, let element): _ = editor.replace(id, with: MenuNode(wholly: element), at: nil)
      case .replaceChildren(let id, let elements):
        _ = editor.replaceChildren(of: id, with: elements.map { MenuNode(wholly: $0) }, at: nil)
      case .remove(let id): _ = editor.remove(id, at: nil)
      }
    }
  }

  private func edit(_ choices: inout Choices) -> Edit {
    let ids = host.menuTrees.snapshotTree().all.map(\.id).sorted { $0.precedesByBytes($1) }
    let id = choices.isLikely(24) ? choices.one(of: ["nobody", "root", "x"]) : choices.one(of: Array(ids.prefix(200)))
    switch choices.below(6) {
    case 0: return .replace(id, element(&choices, depth: 2))
    case 1: return .replaceChildren(id, (0..<choices.below(4)).map { _ in element(&choices, depth: 2) })
    case 2: return .remove(id)
    default:
      let position = choices.one(of: [MenuTree.Position.before, .after, .first, .last])
      return .insert(element(&choices, depth: 2), position, id)
    }
  }
}

/// A builder that edits by the choices.
private final class MenuEdits: Handler {
  private let edit: (TreeEditor) -> Void

  init(owner: Owner, _ edit: @escaping (TreeEditor) -> Void) {
    self.edit = edit
    super.init(owner: owner)
  }

  override func build(for responder: Responder, _ editor: AnyObject, _ subject: Value) -> Failure? {
    (editor as? TreeEditor).map(edit)
    return nil
  }
}

/// A section with a row for each current name; a duplicate name is an error.
private final class SceneRows: SectionSource {
  private let names: () -> [String]

  init(_ names: @escaping () -> [String]) { self.names = names }

  override func rows(in context: Context) -> Result<SectionRows, Failure> {
    .success(
      SectionRows(
        names().enumerated().map { index, name in
          let action = (try? Reference.parse("a(row: \(index))")).map { ItemAction($0, raw: "a(row: \(index))") }
          return SectionRows.Row(
            id: name, element: Element(Facts(.item, title: name, action: "a"), action: action), index: index)
        }))
  }
}

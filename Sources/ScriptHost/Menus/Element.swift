/// An *element* is a part of a menu as it was declared. It never changes, and may stand in several places.
final class Element {
  let facts: Facts
  /// The declared id; nil if its path of titles serves as id.
  let id: String?
  /// The keys that pick it.
  let keys: KeySequence?
  /// What picking it performs; nil where it performs nothing.
  let action: ItemAction?
  /// Why it is declared disabled; nil where it is not.
  let disabled: String?
  /// Whether `disabled` is in the script's own words.
  let saysWhy: Bool
  /// The elements that replace it while modifiers are held.
  let alternates: [Alternate]
  let menu: MenuPart?
  let section: SectionPart?
  /// What a pane, or a layout of panes, has beside its children.
  let area: AreaPart?
  /// What is performed when it becomes the current row of a panel, with the arguments of its action.
  let current: ItemAction?
  /// The item's own `look`, which is put over what the action's handler answers.
  let look: MenuLook?
  private let file: String?
  private let line: Int32
  /// Counts what the host keeps of it for a script.
  private let share: KeptBytes.Share?

  struct Alternate {
    let modifiers: [String]
    let element: Element
  }

  init(
    _ facts: Facts, id: String? = nil, keys: KeySequence? = nil, action: ItemAction? = nil, disabled: String? = nil,
    saysWhy: Bool = true, alternates: [Alternate] = [], menu: MenuPart? = nil, section: SectionPart? = nil,
    area: AreaPart? = nil, current: ItemAction? = nil, look: MenuLook? = nil, place: Place? = nil,
    share: KeptBytes.Share? = nil
  ) {
    self.facts = facts
    self.id = id
    self.keys = keys
    self.action = action
    self.disabled = disabled
    self.saysWhy = saysWhy
    self.alternates = alternates
    self.menu = menu
    self.section = section
    self.area = area
    self.current = current
    self.look = look
    self.share = share
    file = place?.file
    line = Int32(clamping: place?.line ?? 0)
  }

  var kind: MenuElement.Kind { facts.kind }
  var title: String { facts.title }

  /// Where it was declared.
  var place: Place? { file.map { Place(file: $0, line: Int(line)) } }

  /// Whether the element or one of its alternates has a `look` of its own, or an argument that is an object.
  var hasObjects: Bool {
    look != nil
      || action?.hasObjects ?? false
      || alternates.contains(where: \.element.hasObjects)
  }

  /// Whether it shows and does what another does, so that the other can stand in its place. One that holds functions or other elements is
  /// only the same as itself.
  func isSame(as other: Element) -> Bool {
    if self === other { return true }
    let isPlain = menu == nil && section == nil && look == nil && alternates.isEmpty
    let isOtherPlain = other.menu == nil && other.section == nil && other.look == nil && other.alternates.isEmpty
    return isPlain && isOtherPlain && facts == other.facts && facts.isStated == other.facts.isStated
      && facts.isUntitled == other.facts.isUntitled && id.map(ByteText.init) == other.id.map(ByteText.init)
      && keys == other.keys && disabled.map(ByteText.init) == other.disabled.map(ByteText.init)
      && saysWhy == other.saysWhy && place == other.place
      && ItemAction.areSame(action, other.action) && ItemAction.areSame(current, other.current)
  }

  /// What a person calls it: its kind and its title.
  var described: String {
    switch kind {
    case .separator: "the separator"
    case .section, .pane, .text: "\(kind.rawValue) '\(id ?? "")'"
    case .beside, .stack, .tabs: id.map { "\(kind.rawValue) '\($0)'" } ?? "a '\(kind.rawValue)'"
    case .menu where menu?.isGroup ?? false: "group '\(title)'"
    default: "\(kind.rawValue) '\(title)'"
    }
  }

  /// The same with other children.
  func holding(_ children: [Element]) -> Element {
    guard let menu else { return self }
    return Element(
      facts, id: id, keys: keys, action: action, disabled: disabled, saysWhy: saysWhy, alternates: alternates,
      menu: menu.holding(children), section: section, area: area, current: current, look: look, place: place,
      share: share)
  }

  static let depthLimit = 64
  static let textLimit = String.longestShown
  static let idLimit = 256
}

/// What picking an item performs.
final class ItemAction {
  let reference: Reference
  /// The reference as it is written.
  let raw: String
  /// The arguments of the reference with those of the item put over them.
  let arguments: Arguments
  /// The item's own arguments.
  let own: Arguments
  /// Whether its arguments turn `skip_validation` on.
  let skipsValidation: Bool

  init(_ reference: Reference, raw: String, own: Arguments = Arguments()) {
    self.reference = reference
    self.raw = raw
    self.own = own
    arguments = Arguments(reference.arguments, under: own)
    skipsValidation = arguments.skipsValidation ?? false
  }

  /// Whether an argument is an object.
  var hasObjects: Bool { own.members.contains { if case .opaque = $0.value { true } else { false } } }

  static func areSame(_ one: ItemAction?, _ other: ItemAction?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one === other
      || one.raw.hasSameBytes(as: other.raw) && Value.object(one.own.members).isSame(as: .object(other.own.members))
  }
}

/// The part of an element that only menus have.
final class MenuPart {
  /// Whether its children are shown in its place.
  let inline: Bool
  /// Whether at most one of its items is on.
  let single: Bool
  /// Whether validation enables its items; if not, items with an action are enabled whatever it says.
  let auto: Bool
  let look: MenuLook?
  /// Whether it only holds together what is drawn between separators: its title names it among what is around (M15).
  let isGroup: Bool
  let children: [Element]

  init(
    inline: Bool = false, single: Bool = false, auto: Bool = true, look: MenuLook? = nil, group isGroup: Bool = false,
    children: [Element] = []
  ) {
    self.isGroup = isGroup
    self.inline = inline || isGroup
    self.single = single
    self.auto = auto
    self.look = look
    self.children = children
  }
}

extension MenuPart {
  /// The same with other children.
  func holding(_ children: [Element]) -> MenuPart {
    MenuPart(inline: inline, single: single, auto: auto, look: look, group: isGroup, children: children)
  }
}

/// The part of an element that only sections have.
final class SectionPart {
  let header: Element?
  let footer: Element?
  /// Shown where there is no row.
  let empty: Element?
  /// What is performed when one of its rows becomes the current one of a panel.
  let current: ItemAction?
  /// The kind of its rows' context menu, whose subject is the value of the row.
  let kind: String?
  /// How the cells of its rows are lined up.
  let columns: [RowColumn]
  /// Whether the palette lists its rows, where it stands in a panel.
  let palette: Bool
  let source: SectionSource

  init(
    header: Element? = nil, footer: Element? = nil, empty: Element? = nil, current: ItemAction? = nil,
    kind: String? = nil, columns: [RowColumn] = [], palette: Bool = false, source: SectionSource
  ) {
    self.header = header
    self.footer = footer
    self.empty = empty
    self.current = current
    self.kind = kind
    self.columns = columns
    self.palette = palette
    self.source = source
  }
}

/// The `look` that a menu or an item declares; each kind of function has a subclass.
class MenuLook {
  func look(in context: Context) -> Result<Look, Failure> { .success(Look()) }

  /// Why the function isn't called; nil if it is.
  var whyNotCalled: String? { nil }

  /// The context keys that the function reads.
  var reads: ContextReads? { nil }
}

/// Makes the rows of a section; each kind of function has a subclass.
class SectionSource {
  func rows(in context: Context) -> Result<SectionRows, Failure> { .success(SectionRows([])) }

  /// Whether its rows are asked for by number (P12): then `count`, `row`, `number` and `numbers` answer in place of `rows`.
  var isCounted: Bool { false }

  /// How many rows there are.
  func count(in context: Context) -> Result<Int, Failure> { .success(0) }

  /// The row with a number, counted from 1, alone; no row if there is no value.
  func row(_ number: Int, in context: Context) -> Result<SectionRows, Failure> { .success(SectionRows([])) }

  /// The number of the row that has an id; nil if the section can't tell.
  func number(of id: String, in context: Context) -> Result<Int?, Failure> { .success(nil) }

  /// The numbers of the rows that a filter leaves; nil if the section can't tell.
  func numbers(with text: String, in context: Context) -> Result<[Int]?, Failure> { .success(nil) }

  /// Why the functions aren't called, so that the section keeps its last rows; nil if they are.
  var whyNotCalled: String? { nil }

  /// The context keys that its functions read, with the section's field in which each function stands.
  var reads: [(field: String, reads: ContextReads)] { [] }

  /// The place of the function that gave no list of values when last called; `isCertain` if it never gives one. Nil if it gave one.
  var listless: (place: Place?, isCertain: Bool)? { nil }
}

/// The rows that a section has now.
class SectionRows {
  struct Row {
    /// The id that the section gives it.
    let id: String?
    let element: Element
    /// The number of the value that it is made of.
    let index: Int

    /// Whether it is the same row as another, so that its element can stay.
    func isSame(as other: Row) -> Bool {
      index == other.index && id.map(ByteText.init) == other.id.map(ByteText.init)
        && element.isSame(as: other.element)
    }
  }

  let rows: [Row]
  init(_ rows: [Row]) { self.rows = rows }

  /// The value that a row is made of, for a message.
  func describe(_ row: Row) -> String { "value \(row.index)" }

  /// The value that a row is made of.
  func value(of row: Row) -> Value { .null }
}

extension Element {
  /// The first pane or layout among it and what stands in it.
  var firstArea: Element? { kind.isArea ? self : menu?.children.lazy.compactMap(\.firstArea).first }
}

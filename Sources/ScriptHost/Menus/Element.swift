/// A part of a menu as declared. It never changes, and may appear in several places.
final class Element {
  let facts: Facts
  /// The declared id; nil if its path of titles is the id.
  let id: String?
  /// The keys that pick the item.
  let keys: KeySequence?
  /// The action that picking performs; nil if there is none.
  let action: ItemAction?
  /// Why the item is declared disabled; nil if it isn't.
  let disabled: String?
  /// Whether the script wrote the text of `disabled`.
  let saysWhy: Bool
  /// The elements that replace it while modifiers are held.
  let alternates: [Alternate]
  let menu: MenuPart?
  let section: SectionPart?
  /// The properties of a pane, text or layout.
  let area: AreaPart?
  /// The action performed when this becomes the current row of a panel, with its arguments.
  let current: ItemAction?
  /// The item's own `look`, applied over that of the action's handler.
  let look: MenuLook?
  private let file: String?
  private let line: Int32
  /// Counts the memory that the host keeps for a script.
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

  /// Where the script declares it.
  var place: Place? { file.map { Place(file: $0, line: Int(line)) } }

  /// Whether the element or an alternate has its own `look`, or an argument that is an object.
  var hasObjects: Bool {
    look != nil
      || action?.hasObjects ?? false
      || alternates.contains(where: \.element.hasObjects)
  }

  /// Returns true if it shows and does the same as another element, so can replace it. An element with functions or
  /// children only equals itself.
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

  /// The kind and the title, for messages.
  var described: String {
    switch kind {
    case .separator: "the separator"
    case .section, .pane, .text: "\(kind.rawValue) '\(id ?? "")'"
    case .beside, .stack, .tabs: id.map { "\(kind.rawValue) '\($0)'" } ?? "a '\(kind.rawValue)'"
    case .menu where menu?.isGroup ?? false: "group '\(title)'"
    default: "\(kind.rawValue) '\(title)'"
    }
  }

  /// Returns a copy with other children.
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

/// The action that picking an item performs.
final class ItemAction {
  let reference: Reference
  /// The reference, as written.
  let raw: String
  /// The arguments of the reference, with those of the item over them.
  let arguments: Arguments
  /// The item's own arguments.
  let own: Arguments
  /// Whether the arguments turn `skip_validation` on.
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

/// The properties that only menus have.
final class MenuPart {
  /// Whether the children appear in place of the menu.
  let inline: Bool
  /// Whether at most one of its items can be on.
  let single: Bool
  /// Whether validation decides if its items are enabled. If not, every item with an action is enabled.
  let auto: Bool
  /// Whether a branch of a pane's tree is open until somebody closes it.
  let isOpen: Bool
  let look: MenuLook?
  /// Whether the menu is only a group between separators, whose title names it for extensions (M15).
  let isGroup: Bool
  let children: [Element]

  init(
    inline: Bool = false, single: Bool = false, auto: Bool = true, open isOpen: Bool = false, look: MenuLook? = nil,
    group isGroup: Bool = false, children: [Element] = []
  ) {
    self.isOpen = isOpen
    self.isGroup = isGroup
    self.inline = inline || isGroup
    self.single = single
    self.auto = auto
    self.look = look
    self.children = children
  }
}

extension MenuPart {
  /// Returns a copy with other children.
  func holding(_ children: [Element]) -> MenuPart {
    MenuPart(
      inline: inline, single: single, auto: auto, open: isOpen, look: look, group: isGroup, children: children)
  }
}

/// The properties that only sections have.
final class SectionPart {
  let header: Element?
  let footer: Element?
  /// Shown if there are no rows.
  let empty: Element?
  /// The action performed when one of its rows becomes the current row of a panel.
  let current: ItemAction?
  /// The kind of its rows' context menu, whose subject is the row's value.
  let kind: String?
  /// The columns that align the cells of its rows.
  let columns: [RowColumn]
  /// Whether the palette lists its rows if the section is in a panel.
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

/// The `look` of a menu or an item. Each kind of function has a subclass.
class MenuLook {
  func look(in context: Context) -> Result<Look, Failure> { .success(Look()) }

  /// Why the function isn't called; nil if it is.
  var whyNotCalled: String? { nil }

  /// The question that the function answers, and the place of the function.
  var question: Witness.Question { .look }
  var place: Place? { nil }

  /// The context keys that the function reads.
  var reads: ContextReads? { nil }
}

/// Produces the rows of a section. Each kind of function has a subclass.
class SectionSource {
  func rows(in context: Context) -> Result<SectionRows, Failure> { .success(SectionRows([])) }

  /// Whether rows are requested by number (P12), with `count`, `row`, `number` and `numbers` in place of `rows`.
  var isCounted: Bool { false }

  /// Returns the number of rows.
  func count(in context: Context) -> Result<Int, Failure> { .success(0) }

  /// Returns the row with a number, from 1; no row if it has no value.
  func row(_ number: Int, in context: Context) -> Result<SectionRows, Failure> { .success(SectionRows([])) }

  /// Whether it can find a row by its id.
  var findsRows: Bool { false }

  /// Returns the number of the row with an id; nil if the section can't search.
  func number(of id: String, in context: Context) -> Result<Int?, Failure> { .success(nil) }

  /// Returns the numbers of the rows that match a filter; nil if the section can't search.
  func numbers(with text: String, in context: Context) -> Result<[Int]?, Failure> { .success(nil) }

  /// Why the functions aren't called, so that the section keeps its last rows; nil if they are called.
  var whyNotCalled: String? { nil }

  /// The context keys that its functions read, with the section field of each function.
  var reads: [(field: String, reads: ContextReads)] { [] }

  /// The place of the function that gave no list of values when last called; `isCertain` if it never gives one. Nil if it gave one.
  var listless: (place: Place?, isCertain: Bool)? { nil }
}

/// The current rows of a section.
class SectionRows {
  struct Row {
    /// The id from the section.
    let id: String?
    let element: Element
    /// The number of the value from which the row is made.
    let index: Int

    /// Returns true if it is the same as another row, so that the element can stay.
    func isSame(as other: Row) -> Bool {
      index == other.index && id.map(ByteText.init) == other.id.map(ByteText.init)
        && element.isSame(as: other.element)
    }
  }

  let rows: [Row]
  /// The first row whose id can't be used, and why. It has an id from its title.
  var unnamed: (row: Row, failure: Failure)?
  init(_ rows: [Row]) { self.rows = rows }

  /// Describes the row's value, for a message.
  func describe(_ row: Row) -> String { "value \(row.index)" }

  /// Returns the row's value.
  func value(of row: Row) -> Value { .null }
}

extension Element {
  /// The first pane, text or layout at or below this element.
  var firstArea: Element? { kind.isArea ? self : menu?.children.lazy.compactMap(\.firstArea).first }
}

// The contents of a panel (P5): panes, texts, and layouts of them.

/// The properties that only panes, texts and layouts have.
final class AreaPart {
  /// Its share of the space, relative to its neighbours.
  let share: Double
  /// The smallest width or height in cells.
  let least: Int?
  /// Whether it is no higher than its rows or lines need.
  let fits: Bool
  /// The responder that gets the focus with the pane.
  private(set) weak var responder: Responder?
  let hasFilter: Bool
  let hasMarks: Bool
  /// The properties that only texts have.
  let text: TextPart?

  init(
    share: Double = 1, least: Int? = nil, fit: Bool = false, responder: Responder? = nil, filter: Bool = false,
    marks: Bool = false, text: TextPart? = nil
  ) {
    self.share = share
    self.least = least
    fits = fit
    self.responder = responder
    hasFilter = filter
    hasMarks = marks
    self.text = text
  }

  /// Returns a copy for a text.
  func with(_ text: TextPart) -> AreaPart {
    AreaPart(
      share: share, least: least, fit: fits, responder: responder, filter: hasFilter, marks: hasMarks, text: text)
  }

  /// The most panes of a panel, and the deepest nesting of layouts.
  static let most = 32, deepest = 8
}

/// The properties that only texts have (P14).
final class TextPart {
  /// The ids of the panes whose current rows the text shows; `focus` is the pane that had the focus last.
  let of: [String]
  let source: TextSource
  /// Whether the text stays scrolled to its end as lines arrive.
  let isFollowing: Bool
  /// Whether long lines wrap.
  let isWrapped: Bool

  init(of: [String] = [], source: TextSource, follow: Bool = false, wrap: Bool = false) {
    self.of = of
    self.source = source
    isFollowing = follow
    isWrapped = wrap
  }

  /// The value in `of` for the pane that had the focus last.
  static let focus = "focus"
}

/// The source of a text's lines. Scripts have a subclass.
class TextSource {
  /// The declared lines; nil if a function produces them.
  var declared: [StyledText]? { [] }
  /// The function that produces lines. It passes them to `text` while it runs, and at its end.
  var handler: Handler? { nil }
  weak var text: LineTaker?
  /// Called before each run of the function.
  func willRun() {}
}

/// Receives the lines that a function produces.
class LineTaker {
  /// - Parameter isReplacing: true if the line replaces the last one.
  func add(_ line: StyledText, replacing isReplacing: Bool) {}
}

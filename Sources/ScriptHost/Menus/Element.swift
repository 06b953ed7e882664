/// An *element* is a part of a menu as it was declared. It never changes, and may stand in several places.
final class Element {
  let facts: Facts
  /// The id that it was given; without one its path of titles is its id.
  let id: String?
  /// The keys that pick it.
  let keys: KeySequence?
  /// What picking it performs; nil where it performs nothing.
  let action: ItemAction?
  /// Why it is declared disabled; nil where it is not.
  let disabled: String?
  /// Whether that is in the script's own words.
  let saysWhy: Bool
  /// What stands in its place while modifiers are held.
  let alternates: [Alternate]
  let menu: MenuPart?
  let section: SectionPart?
  /// What is performed when it becomes the current row of a panel, with the arguments of its action.
  let current: ItemAction?
  /// How an item looks in this place, over what whoever takes its action says.
  let look: MenuLook?
  private let file: String?
  private let line: Int32

  struct Alternate {
    let modifiers: [String]
    let element: Element
  }

  init(
    _ facts: Facts, id: String? = nil, keys: KeySequence? = nil, action: ItemAction? = nil, disabled: String? = nil,
    saysWhy: Bool = true, alternates: [Alternate] = [], menu: MenuPart? = nil, section: SectionPart? = nil,
    current: ItemAction? = nil, look: MenuLook? = nil, place: Place? = nil
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
    self.current = current
    self.look = look
    file = place?.file
    line = Int32(clamping: place?.line ?? 0)
  }

  var kind: MenuElement.Kind { facts.kind }
  var title: String { facts.title }

  /// Where it was declared.
  var place: Place? { file.map { Place(file: $0, line: Int(line)) } }

  /// Whether an argument of its own or of its alternates is an object, or how it looks is a function's to say.
  var hasObjects: Bool {
    look != nil
      || action?.own.members.contains { if case .opaque = $0.value { true } else { false } } ?? false
      || alternates.contains(where: \.element.hasObjects)
  }

  /// What a person calls it: its kind and its title.
  var described: String {
    switch kind {
    case .separator: "the separator"
    case .section: "section '\(id ?? "")'"
    default: "\(kind.rawValue) '\(title)'"
    }
  }

  static let depthLimit = 64
  static let textLimit = 4096
  static let idLimit = 256
}

/// What picking an item performs.
final class ItemAction {
  let reference: Reference
  /// The reference as it is written.
  let raw: String
  /// The arguments of the reference with those of the item put over them.
  let arguments: Arguments
  /// Those of the item alone.
  let own: Arguments
  /// Whether its arguments ask for no validation.
  let skipsValidation: Bool

  init(_ reference: Reference, raw: String, own: Arguments = Arguments()) {
    self.reference = reference
    self.raw = raw
    self.own = own
    arguments = Arguments(reference.arguments).merging(own)
    skipsValidation = arguments.skipsValidation ?? false
  }
}

/// What only menus have.
final class MenuPart {
  /// Whether its children are shown in its place.
  let inline: Bool
  /// Whether one item of it at most is on.
  let single: Bool
  /// Whether its items are enabled as those who take them say.
  let auto: Bool
  let look: MenuLook?
  /// The children that were made, where they wait for nobody.
  private var made: [Element]
  private var make: (() -> [Element])?
  /// How many children there are that nobody has looked at: items without ids and keys, with nothing below them.
  private(set) var unseenCount = 0

  init(
    inline: Bool = false, single: Bool = false, auto: Bool = true, look: MenuLook? = nil, children: [Element] = []
  ) {
    self.inline = inline
    self.single = single
    self.auto = auto
    self.look = look
    made = children
  }

  func setChildren(_ children: [Element]) { made = children }

  /// Has the children made when somebody looks at them.
  func setChildren(count: Int, _ make: @escaping () -> [Element]) {
    unseenCount = count
    self.make = make
  }

  /// The children that may have ids or keys, or something below them.
  var seenChildren: [Element] { unseenCount > 0 ? [] : made }

  var children: [Element] {
    if let make {
      made = make()
      self.make = nil
      unseenCount = 0
    }
    return made
  }
}

/// What only sections have.
final class SectionPart {
  let header: Element?
  let footer: Element?
  /// Shown where there is no row.
  let empty: Element?
  /// What is performed when one of its rows becomes the current one of a panel.
  let current: ItemAction?
  /// The kind of its rows' context menu, of which the value of a row is the subject.
  let kind: String?
  let source: SectionSource

  init(
    header: Element? = nil, footer: Element? = nil, empty: Element? = nil, current: ItemAction? = nil,
    kind: String? = nil, source: SectionSource
  ) {
    self.header = header
    self.footer = footer
    self.empty = empty
    self.current = current
    self.kind = kind
    self.source = source
  }
}

/// Says how a menu or an item looks; each kind of function overrides it.
class MenuLook {
  func look(in context: Context) -> Result<Look, Failure> { .success(Look()) }

  /// Why its function is not asked; nil where it is.
  var trouble: String? { nil }

  /// What its function reads.
  var reads: ContextReads? { nil }
}

/// Makes the rows of a section; each kind of function overrides it.
class SectionSource {
  func rows(in context: Context) -> Result<SectionRows, Failure> { .success(SectionRows([])) }

  /// Why its functions are not asked, so that its rows are those that they said last; nil where they are.
  var trouble: String? { nil }

  /// What its functions read, by the fields that they stand in.
  var reads: [(field: String, reads: ContextReads)] { [] }

  /// Where the function stands that gave no list of values when it was asked last; never gives one, where that is certain.
  var listless: (place: Place?, isCertain: Bool)? { nil }
}

/// The rows that a section has now.
class SectionRows {
  struct Row {
    /// The id that the section gives it.
    let id: String?
    let element: Element
    /// Which of the values it is made of.
    let index: Int
  }

  let rows: [Row]
  /// What these rows were made beside. Only where all of both are items with ids that the section gives.
  var origin: Origin?

  /// The rows before, and which of them each row is, ascending; -1: none.
  struct Origin {
    let rows: SectionRows
    let sources: [Int32]
  }

  init(_ rows: [Row]) { self.rows = rows }

  /// The value that a row is made of, for a message.
  func describe(_ row: Row) -> String { "value \(row.index)" }

  /// The value that a row is made of.
  func value(of row: Row) -> Value { .null }
}

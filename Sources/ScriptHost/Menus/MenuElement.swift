/// A menu with all below it, an item, a label or a separator, as a face draws it.
///
/// A snapshot is an immutable value from one validation pass. The tree is the element `root`, whose children are the
/// menus.
///
/// ```swift
/// try host.load(text: #"menubar { menu "File" { item "Quit" { "quit" } } }"#, name: "app.lua")
/// for item in host.menus().children[0].children {
///   print(item.title, item.isEnabled ? "" : item.reason ?? "")  // Quit there is no terminal UI and no session to end
/// }
/// ```
public struct MenuElement: Sendable {
  /// The kind of element.
  public enum Kind: String, Sendable, Codable {
    case item, menu, separator, label, section
    /// A list of rows in a panel, and the layouts that divide the panel among panes.
    case pane, beside, stack, tabs
    /// A read-only area of lines in a panel.
    case text

    /// The kind with its article, for messages.
    var described: String { self == .item ? "an item" : "a \(rawValue)" }
  }

  /// How a face shows whether an item is on.
  public enum Mark: String, Sendable, Codable {
    case check, radio
  }

  /// The id for finding, picking and redrawing it; unique in a snapshot.
  public let id: String
  let facts: Facts
  /// Whether it can be picked or opened now.
  public internal(set) var isEnabled: Bool
  /// Whether a face hides it.
  public internal(set) var isHidden: Bool
  /// Whether it is ticked.
  public internal(set) var state: Look.State
  /// Why it is disabled; never empty if it is.
  public internal(set) var reason: String?
  /// The name of the responder that handles or refuses the action.
  public internal(set) var by: String?
  /// Whether only a modal session prevents it from being picked.
  public internal(set) var isBlocked = false
  /// If no responder in the chain handles the action, the name of one outside it that would.
  public internal(set) var elsewhere: String?
  /// Whether its action needs a form filled in first.
  public internal(set) var asks = false
  /// The kind of mark for its state: radio for one of several, check for its own; nil if it has no state.
  public internal(set) var mark: Mark?
  /// Whether it is the current row of its pane.
  public internal(set) var isCurrent = false
  /// Whether it is a marked row of its pane.
  public internal(set) var isMarked = false
  /// Whether a branch of a pane's tree is open; nil if it isn't a branch.
  public internal(set) var isOpen: Bool?
  /// The number of open branches around a row of a pane.
  public internal(set) var level: Int16 = 0
  /// Whether a palette lists the item although it is in the panel.
  public internal(set) var isInPalette = false
  /// Keys along the chain that do the same, if the item's own keys don't reach it.
  var boundKey: String?
  /// Whether its own keys do nothing, or something else, because the chain binds them.
  var hasLostKey = false
  /// The children of a menu, in order.
  public internal(set) var children: [MenuElement] = []
  var extras: Extras?

  /// The properties of a pane, text or layout besides its children.
  public struct Area: Sendable, Equatable {
    /// Its share of the space, relative to its neighbours.
    public internal(set) var share = 1.0
    /// The smallest width or height in cells.
    public internal(set) var least: Int?
    /// Whether it is no higher than its rows or lines need.
    public internal(set) var fits = false
    /// Whether the pane has the focus.
    public internal(set) var isFocused = false
    /// Whether its rows can be marked, and filtered.
    public internal(set) var hasMarks = false, hasFilter = false
    /// The current filter; empty if there is none.
    public internal(set) var filter = ""
    /// The number of marked rows that match the filter.
    public internal(set) var marked = 0
    /// The id of the current row, or of the child that a `tabs` shows; nil without rows.
    public internal(set) var current: String?
    /// The number of rows before the visible ones, and of all rows, including headers.
    public internal(set) var first = 0, rows = 0
    /// The place of the current row among them.
    package internal(set) var place: Int?
    /// Whether rows are requested by number. A snapshot of everything then holds only those requested before.
    package internal(set) var isCounted = false
    /// The properties that only a text has.
    public internal(set) var text: Text?
  }

  /// The properties of a text besides its title. Clients request the lines by number.
  public struct Text: Sendable, Equatable {
    /// The panes whose current rows it shows.
    public internal(set) var of: [String] = []
    /// The number of lines.
    public internal(set) var lines = 0
    /// Incremented when the lines or the selection change.
    public internal(set) var version = 0
    /// Incremented when the text shows other rows.
    public internal(set) var subject = 0
    /// Whether its function still runs, so that more lines may come.
    public internal(set) var isRunning = false
    /// Whether the text stays scrolled to its end as lines arrive.
    public internal(set) var follows = false
    /// Whether long lines wrap.
    public internal(set) var wraps = false
    /// The current line, and the first and last selected ones, from 1; nil if lines can't be selected.
    public internal(set) var current: Int?
    public internal(set) var selected: ClosedRange<Int>?

    package static let none = Text()
    /// The most lines that can be selected.
    package static let mostSelected = 10_000
  }

  /// Properties that few elements have.
  final class Extras: Sendable {
    let look: Look
    let alternates: [Alternate]
    /// The panel, only on the tree itself.
    let panel: MenuElement?
    let area: Area?
    let onlyIn: String?
    let cells: RowCells?

    init(
      look: Look, alternates: [Alternate], panel: MenuElement? = nil, area: Area? = nil, onlyIn: String? = nil,
      cells: RowCells? = nil
    ) {
      self.onlyIn = onlyIn
      self.cells = cells
      self.look = look
      self.alternates = alternates
      self.panel = panel
      self.area = area
    }
  }

  /// The replacement of an item while modifiers are held.
  public struct Alternate: Sendable, Codable {
    /// The modifiers, by name.
    public let modifiers: [String]
    /// The item that is shown and picked instead.
    public let element: MenuElement
  }
}

extension MenuElement.Kind {
  /// Whether it divides the space among panes.
  var isLayout: Bool { self == .beside || self == .stack || self == .tabs }
  /// Whether a layout gives it space, and it can have the focus.
  package var isPane: Bool { self == .pane || self == .text }
  /// Whether it can only be in a panel.
  var isArea: Bool { isPane || isLayout }
}

extension MenuElement {
  /// The kind of element.
  public var kind: Kind { facts.kind }
  /// The current title.
  public var title: String { extras?.look.title ?? facts.title }
  /// A second, smaller line.
  public var subtitle: String? {
    (extras?.look.subtitle ?? facts.details?.subtitle).flatMap { $0.isEmpty ? nil : $0 }
  }
  /// The styled title; nil if it has no styles.
  public var spans: StyledText? {
    if let look = extras?.look, look.title != nil { return look.spans }
    return facts.details?.styled?.title
  }
  /// The styled second line; nil if it has no styles.
  public var subtitleSpans: StyledText? {
    if let look = extras?.look, look.subtitle != nil { return look.subtitleSpans }
    return facts.details?.styled?.subtitle
  }
  /// The style of its icon, if that is a glyph with a style.
  public var iconStyle: TextStyle? {
    if let look = extras?.look, look.icon != nil { return look.iconStyle }
    return facts.details?.styled?.icon
  }
  /// The cells of a row, aligned with those of the section's other rows; nil if it has none.
  public var cells: RowCells? { extras?.cells }
  /// The reference that picking it performs, as written; empty if there is none.
  public var action: String { facts.action }
  /// The arguments of its action: those of the reference and its own.
  public var arguments: LiteralObject { facts.details?.arguments ?? LiteralObject() }
  /// The key that picks it now, or else one along the chain that performs the same reference.
  public var key: String? { hasLostKey ? boundKey : facts.key ?? boundKey }
  /// The name of its icon.
  public var icon: String? { extras?.look.icon ?? facts.details?.icon }
  /// Whether it destroys something.
  public var isDestructive: Bool { extras?.look.destructive ?? facts.destructive }
  /// Whether the menu stays open when it is picked.
  public var keepsOpen: Bool { facts.details?.keepsOpen ?? false }
  /// The question for a person before its action is done.
  public var confirm: String? { facts.details?.confirm }
  /// A sentence that describes the item.
  public var help: String? { facts.details?.help }
  /// The character that picks it in an open menu, if declared.
  public var mnemonic: String? { facts.details?.mnemonic }
  /// The replacements while modifiers are held.
  public var alternates: [Alternate] { extras?.alternates ?? [] }
  /// If nobody in the chain handles the action, the title of the pane whose responder would.
  public var onlyIn: String? { extras?.onlyIn }
  /// On a pane, a text or a layout, its properties besides the children.
  public var area: Area? { extras?.area }
  /// On the tree itself, the root of the panel in the body of a face; nil if none is declared.
  public var panel: MenuElement? { extras?.panel }

  /// The lines of the title; a label may have several.
  package var titleLines: [Substring] { title.split(separator: "\n", omittingEmptySubsequences: false) }

  /// Returns the element with an id: this element or one below it.
  public func find(_ id: String) -> MenuElement? {
    if self.id.hasSameBytes(as: id) { return self }
    for alternate in alternates {
      if let found = alternate.element.find(id) { return found }
    }
    for child in children {
      if let found = child.find(id) { return found }
    }
    return panel?.find(id)
  }

  /// Returns the elements with these ids, found in one walk.
  package func find(_ ids: some Sequence<String>) -> [ByteText: MenuElement] {
    var wanted = Set(ids.map(ByteText.init))
    var found: [ByteText: MenuElement] = [:]
    func look(at element: MenuElement) {
      if wanted.isEmpty { return }
      if let id = wanted.remove(ByteText(element.id)) { found[id] = element }
      for alternate in element.alternates { look(at: alternate.element) }
      for child in element.children { look(at: child) }
      if let panel = element.panel { look(at: panel) }
    }
    look(at: self)
    return found
  }

  /// Why a label can't be picked.
  static let reasonOfLabels = "it is only text"

  /// A copy without children.
  var alone: MenuElement {
    var alone = self
    alone.children = []
    return alone
  }

  // MARK: The panel

  /// The id of the panel's root.
  static var panelID: String { MenuView.panel }
  /// An empty panel.
  package static var emptyPanel: MenuElement {
    MenuElement(id: panelID, facts: Facts(.section), isEnabled: true, isHidden: false, state: .off)
  }

  /// The tree with the panel as its last child, to compare both as one tree.
  var joined: MenuElement {
    guard let panel else { return self }
    var joined = withoutPanel
    joined.children.append(panel)
    return joined
  }

  /// A joined tree with the panel separate again.
  var parted: MenuElement {
    guard let last = children.last, last.kind == .section else { return self }
    var parted = self
    parted.children.removeLast()
    parted.extras = Extras(look: Look(), alternates: [], panel: last)
    return parted
  }

  /// The menus with a panel, which is empty if none is declared.
  package var withPanel: MenuElement {
    if panel != nil { return self }
    var both = self
    both.extras = Extras(look: Look(), alternates: [], panel: .emptyPanel)
    return both
  }

  /// The menus without the panel.
  package var withoutPanel: MenuElement {
    var alone = self
    if panel != nil { alone.extras = nil }
    return alone
  }

  /// Returns true if both have the same declaration.
  func isDeclared(as other: MenuElement) -> Bool {
    guard facts == other.facts, alternates.count == other.alternates.count else { return false }
    return zip(alternates, other.alternates).allSatisfy {
      $0.modifiers == $1.modifiers && $0.element.id.hasSameBytes(as: $1.element.id)
        && $0.element.isDeclared(as: $1.element)
    }
  }

  /// Returns true if validation had the same result for both.
  func isValidated(as other: MenuElement) -> Bool {
    guard isEnabled == other.isEnabled, isHidden == other.isHidden, state == other.state, reason == other.reason,
      by == other.by, asks == other.asks, mark == other.mark, isBlocked == other.isBlocked,
      elsewhere == other.elsewhere, isCurrent == other.isCurrent, isMarked == other.isMarked, isOpen == other.isOpen,
      level == other.level, area == other.area,
      isInPalette == other.isInPalette, boundKey == other.boundKey,
      hasLostKey == other.hasLostKey,
      onlyIn == other.onlyIn
    else { return false }
    if extras === other.extras { return true }
    guard extras?.look ?? Look() == other.extras?.look ?? Look(), cells == other.cells,
      alternates.count == other.alternates.count
    else { return false }
    return zip(alternates, other.alternates).allSatisfy { $0.element.isValidated(as: $1.element) }
  }
}

extension MenuElement: Equatable {
  public static func == (left: MenuElement, right: MenuElement) -> Bool {
    left.id.hasSameBytes(as: right.id) && left.isDeclared(as: right) && left.isValidated(as: right)
      && left.children == right.children && left.panel == right.panel
  }
}

extension Validation {
  /// Creates the validation that an element shows.
  public init(_ element: MenuElement) {
    self.init(enabled: element.isEnabled, reason: element.reason, by: element.by)
    look.title = element.title
    look.subtitle = element.subtitle
    look.state = element.state
    look.hidden = element.isHidden
    look.icon = element.icon
    (look.spans, look.subtitleSpans, look.iconStyle) = (element.spans, element.subtitleSpans, element.iconStyle)
    look.destructive = element.isDestructive
  }
}

extension MenuElement {
  /// The element and all below it as JSON, in the format of `menuctl menu --json`, with the fields of its kind only.
  ///
  /// ```swift
  /// try host.load(text: #"menubar { menu "File" { item "Quit" { "quit", key = "ctrl+q" } } }"#, name: "app.lua")
  /// print(host.menus().json.contains(#""action": "quit", "args": {}, "key": "ctrl+q""#))  // true
  /// ```
  public var json: String {
    var writer = JSONWriter(capacity: 4096)
    write(to: &writer)
    return writer.text
  }

  /// - Parameter isWhole: true to write all ids, even of separators and labels. Changes use them.
  package func write(to json: inout JSONWriter, whole isWhole: Bool = false) {
    switch kind {
    case .separator:
      json.raw("{\"kind\": \"separator\"")
      if isWhole { write(", \"id\": ", id, to: &json) }
      return json.raw("}")
    case .label:
      json.raw("{\"kind\": \"label\", \"title\": ")
      json.string(title)
      write(styledMembers, to: &json)
      if isWhole { write(", \"id\": ", id, to: &json) }
      return json.raw("}")
    case .item: json.raw("{\"kind\": \"item\", \"id\": ")
    case .menu: json.raw("{\"kind\": \"menu\", \"id\": ")
    case .section, .pane, .text, .beside, .stack, .tabs:
      json.raw("{\"kind\": ")
      json.string(kind.rawValue)
      json.raw(", \"id\": ")
    }
    json.string(id)
    json.raw(", \"title\": ")
    json.string(title)
    if kind == .item { writeItem(to: &json, isWhole) } else { writeMenu(to: &json, isWhole) }
    json.raw("}")
  }

  private func writeItem(to json: inout JSONWriter, _ isWhole: Bool) {
    write(", \"subtitle\": ", subtitle, to: &json)
    json.raw(", \"action\": ")
    json.string(action)
    json.raw(", \"args\": ")
    if let arguments = facts.details?.arguments { json.object(arguments) } else { json.raw("{}") }
    write(", \"key\": ", key, to: &json)
    writeEnabled(to: &json)
    switch state {
    case .on: json.raw(", \"state\": \"on\"")
    case .off: json.raw(", \"state\": \"off\"")
    case .mixed: json.raw(", \"state\": \"mixed\"")
    }
    write(", \"reason\": ", reason, to: &json)
    write(", \"by\": ", by, to: &json)
    write(", \"elsewhere\": ", elsewhere, to: &json)
    write(", \"only_in\": ", onlyIn, to: &json)
    if isBlocked { json.raw(", \"blocked\": true") }
    write(", \"icon\": ", icon, to: &json)
    if isDestructive { json.raw(", \"destructive\": true") }
    if let details = facts.details { for fact in ItemFact.all { fact.write(details, to: &json) } }
    switch mark {
    case .check?: json.raw(", \"mark\": \"check\"")
    case .radio?: json.raw(", \"mark\": \"radio\"")
    case nil: break
    }
    if asks { json.raw(", \"asks\": true") }
    writeRow(to: &json)
    if !alternates.isEmpty { writeAlternates(to: &json, isWhole) }
  }

  private func writeEnabled(to json: inout JSONWriter) {
    json.raw(isEnabled ? ", \"enabled\": true" : ", \"enabled\": false")
    json.raw(isHidden ? ", \"hidden\": true" : ", \"hidden\": false")
  }

  private func writeMenu(to json: inout JSONWriter, _ isWhole: Bool) {
    writeEnabled(to: &json)
    write(", \"reason\": ", reason, to: &json)
    writeRow(to: &json)
    if let area { write(area, to: &json) }
    json.raw(", \"children\": [")
    for index in children.indices {
      if index > 0 { json.raw(", ") }
      children[index].write(to: &json, whole: isWhole)
    }
    json.raw("]")
  }

  private func writeRow(to json: inout JSONWriter) {
    if isCurrent { json.raw(", \"current\": true") }
    if isMarked { json.raw(", \"marked\": true") }
    if let isOpen { json.raw(isOpen ? ", \"open\": true" : ", \"open\": false") }
    if level > 0 {
      json.raw(", \"level\": ")
      json.integer(Int(level))
    }
    if isInPalette { json.raw(", \"palette\": true") }
    write(styledMembers, to: &json)
  }

  /// The styled texts, as JSON and scripts have them next to the plain texts.
  var styledMembers: [LiteralObject.Member] {
    if extras == nil, facts.details?.styled == nil { return [] }
    var members: [LiteralObject.Member] = []
    func add(_ key: String, _ value: Literal?) { if let value { members.append(.init(key: key, value: value)) } }
    add("spans", spans?.literal)
    add("subtitle_spans", subtitleSpans?.literal)
    add("icon_style", iconStyle.map { .text($0.words) })
    add("section", cells.map { .text($0.section) })
    add("cells", cells.map { .list($0.all.map(\.literal)) })
    return members
  }

  private func write(_ members: [LiteralObject.Member], to json: inout JSONWriter) {
    for member in members {
      json.raw(", ")
      json.string(member.key)
      json.raw(": ")
      json.literal(member.value)
    }
  }

  private func write(_ area: Area, to json: inout JSONWriter) {
    write(", \"subtitle\": ", subtitle, to: &json)
    write(", \"key\": ", key, to: &json)
    write(area.members, to: &json)
  }

  private func writeAlternates(to json: inout JSONWriter, _ isWhole: Bool) {
    json.raw(", \"alternates\": [")
    for (index, alternate) in alternates.enumerated() {
      json.raw(index > 0 ? ", {\"modifiers\": [" : "{\"modifiers\": [")
      for (index, modifier) in alternate.modifiers.enumerated() {
        if index > 0 { json.raw(", ") }
        json.string(modifier)
      }
      json.raw("], \"element\": ")
      alternate.element.write(to: &json, whole: isWhole)
      json.raw("}")
    }
    json.raw("]")
  }

  @inline(__always)
  private func write(_ name: StaticString, _ text: String?, to json: inout JSONWriter) {
    guard let text else { return }
    json.raw(name)
    json.string(text)
  }
}

/// Coded as the tool prints it. Reading makes up the ids of separators and labels, which JSON omits.
extension MenuElement: Codable {
  public func encode(to encoder: any Encoder) throws { try JSONReader.literal(json.utf8).encode(to: encoder) }

  public init(from decoder: any Decoder) throws {
    let path = decoder.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    try self.init(read: try Literal(from: decoder), at: path.joined(separator: "."))
  }

  /// Reads an element with all below it.
  ///
  /// - Parameter place: its path from the outermost element, which is its id if it has none.
  package init(read json: Literal, at place: String) throws(JSONError) {
    guard case .object(let object) = json, let kind = object["kind"]?.text.flatMap(Kind.init) else {
      throw JSONError(message: "an element has a kind", line: 1, column: 1)
    }
    func text(_ name: String) -> String? { object[name]?.text }
    func flag(_ name: String) -> Bool { object[name] == .bool(true) }
    func list(_ name: String) -> [Literal] { if case .list(let values)? = object[name] { values } else { [] } }
    let given: LiteralObject? = if case .object(let given)? = object["args"] { given } else { nil }
    var details = Facts.Details(
      subtitle: text("subtitle"), icon: text("icon"), arguments: given.flatMap { $0.members.isEmpty ? nil : $0 },
      styled: Facts.Styled(
        title: StyledText(object["spans"]), subtitle: StyledText(object["subtitle_spans"]),
        icon: text("icon_style").flatMap { TextStyle(words: $0) }))
    for fact in ItemFact.all { fact.read(object[fact.name], into: &details) }
    facts = Facts(
      kind, title: text("title") ?? "", action: text("action") ?? "", key: text("key"),
      destructive: flag("destructive"), details: details.unlessEmpty)
    id = text("id") ?? place
    isEnabled = object["enabled"].map { $0 == .bool(true) } ?? (kind != .separator && kind != .label)
    isHidden = flag("hidden")
    state = text("state").flatMap(Look.State.init) ?? .off
    reason = text("reason") ?? (kind == .label ? Self.reasonOfLabels : nil)
    by = text("by")
    elsewhere = text("elsewhere")
    isBlocked = flag("blocked")
    mark = text("mark").flatMap(Mark.init)
    asks = flag("asks")
    (isCurrent, isMarked, isInPalette) = (flag("current"), flag("marked"), flag("palette"))
    isOpen = object["open"].map { $0 == .bool(true) }
    if case .integer(let level)? = object["level"] { self.level = Int16(clamping: max(0, level)) }
    children = try Self.list(list("children"), at: "\(place).children")
    let alternates = try list("alternates").enumerated().map { index, alternate throws(JSONError) in
      try Alternate(read: alternate, at: "\(place).alternates.\(index)")
    }
    let area = kind.isArea ? Area(object) : nil
    let (onlyIn, cells) = (text("only_in"), RowCells(object))
    if !alternates.isEmpty || area != nil || onlyIn != nil || cells != nil {
      extras = Extras(look: Look(), alternates: alternates, area: area, onlyIn: onlyIn, cells: cells)
    }
  }

  /// Reads a list of elements.
  ///
  /// - Parameter place: the path of the list; empty if it is outermost.
  package static func list(_ all: [Literal], at place: String = "") throws(JSONError) -> [MenuElement] {
    var elements: [MenuElement] = []
    for (index, json) in all.enumerated() {
      elements.append(try MenuElement(read: json, at: place.isEmpty ? "\(index)" : "\(place).\(index)"))
    }
    return elements
  }
}

extension Literal {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension MenuElement.Area {
  /// The properties as JSON and scripts have them, without defaults. Rows count from 1.
  var members: [LiteralObject.Member] {
    var members: [LiteralObject.Member] = []
    func add(_ key: String, _ value: Literal?) { if let value { members.append(.init(key: key, value: value)) } }
    if share != 1 { add("share", Int(exactly: share).map { .integer($0) } ?? .number(share)) }
    add("least", least.map { .integer($0) })
    if fits { add("fit", .bool(true)) }
    if isFocused { add("focused", .bool(true)) }
    if hasMarks { add("marks", .bool(true)) }
    if marked > 0 { add("marked", .integer(marked)) }
    if hasFilter { add("filter", .text(filter)) }
    add("current", current.map { .text($0) })
    add("number", place.map { .integer($0 + 1) })
    if first > 0 { add("first", .integer(first + 1)) }
    if rows > 0 { add("rows", .integer(rows)) }
    if isCounted { add("counted", .bool(true)) }
    guard let text else { return members }
    if !text.of.isEmpty { add("of", .list(text.of.map { .text($0) })) }
    add("lines", .integer(text.lines))
    add("version", .integer(text.version))
    if text.subject > 0 { add("subject", .integer(text.subject)) }
    if text.isRunning { add("running", .bool(true)) }
    if text.follows { add("follow", .bool(true)) }
    if text.wraps { add("wrap", .bool(true)) }
    add("line", text.current.map { .integer($0) })
    add("selected", text.selected.map { .list([.integer($0.lowerBound), .integer($0.upperBound)]) })
    return members
  }

  fileprivate init(_ object: LiteralObject) {
    // Another program may have written this, so numbers are clamped.
    func integer(_ name: String) -> Int? {
      if case .integer(let value)? = object[name] { min(max(value, 0), 1 << 31) } else { nil }
    }
    if case .number(let value)? = object["share"] {
      share = min(max(value, 0), 1000)
    } else {
      share = min(integer("share").map(Double.init) ?? 1, 1000)
    }
    least = integer("least")
    fits = object["fit"] == .bool(true)
    isFocused = object["focused"] == .bool(true)
    hasMarks = object["marks"] == .bool(true)
    marked = integer("marked") ?? 0
    hasFilter = object["filter"] != nil
    filter = object["filter"]?.text ?? ""
    current = object["current"]?.text
    place = integer("number").map { $0 - 1 }
    first = (integer("first") ?? 1) - 1
    rows = integer("rows") ?? 0
    isCounted = object["counted"] == .bool(true)
    guard let version = integer("version") else { return }
    var text = MenuElement.Text(lines: integer("lines") ?? 0, version: version, current: integer("line"))
    if case .list(let ids)? = object["of"] { text.of = ids.compactMap(\.text) }
    text.subject = integer("subject") ?? 0
    text.isRunning = object["running"] == .bool(true)
    text.follows = object["follow"] == .bool(true)
    text.wraps = object["wrap"] == .bool(true)
    if case .list(let ends)? = object["selected"], ends.count == 2, case .integer(let first) = ends[0],
      case .integer(let last) = ends[1], first <= last
    {
      text.selected = first...last
    }
    self.text = text
  }
}

extension MenuElement.Alternate {
  fileprivate init(read json: Literal, at place: String) throws(JSONError) {
    guard case .object(let object) = json, case .list(let modifiers)? = object["modifiers"] else {
      throw JSONError(message: "an alternate has modifiers", line: 1, column: 1)
    }
    self.modifiers = modifiers.compactMap(\.text)
    element = try MenuElement(read: object["element"] ?? .null, at: "\(place).element")
  }
}

extension Look.State: Codable {}

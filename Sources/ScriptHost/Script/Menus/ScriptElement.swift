import CLua

/// A menu element of a script: it is named first, and called once with its fields.
///
/// The children of a menu are read when the menu is used, so that a list may still grow until then. The element's
/// userdata holds its Lua values, because they may refer to the element. Swift holds them only for elements in a tree.
final class ScriptElement: LuaCallable {
  enum Form {
    /// The element has a name, and was not called with its fields yet.
    case named
    /// The element has no Lua values.
    case whole(Element)
    /// The userdata holds its arguments, its alternates and its `look`.
    case item(ItemFields)
    /// The userdata holds its children and its `look`.
    case menu(MenuFields)
    /// The userdata holds its `items`, `id` and `row`.
    case section(SectionFields)
    /// A place that a builder found in a tree.
    case placed(PlacedNode)
  }

  let kind: MenuElement.Kind
  private(set) var title: String
  /// The title with styles, if it has any.
  let spans: StyledText?
  let place: Place?
  let owner: Owner
  /// Whether it is a menu that only groups elements between separators.
  var isGroup = false
  private(set) var form: Form
  /// Counts its bytes and those of its trees, as long as any of them exists.
  let share: KeptBytes.Share
  /// The element made from it, as long as a tree has it.
  weak var taken: Element?

  init(
    _ kind: MenuElement.Kind, title: String, spans: StyledText? = nil, place: Place?, owner: Owner,
    form: Form = .named, kept: KeptBytes
  ) {
    self.kind = kind
    self.title = title
    self.spans = spans
    self.place = place
    self.owner = owner
    self.form = form
    share = kept.share(Self.base + title.utf8.count + (spans?.keptBytes ?? 0))
  }

  /// The bytes of an element besides its texts.
  static let base = 256

  /// Completes it with its fields, whose texts have that many bytes.
  func complete(_ form: Form, titled title: String? = nil, bytes added: Int) {
    self.form = form
    self.title = title ?? self.title
    share.add(added)
  }

  /// The name for messages.
  var described: String {
    switch kind {
    case .separator: "the separator"
    case .beside where title.isEmpty, .stack where title.isEmpty, .tabs where title.isEmpty: "a '\(kind.rawValue)'"
    default: "\(isGroup ? "group" : kind.rawValue) '\(title)'"
    }
  }
}

/// A place that a builder found in a tree. The tree retains it, or its editor while the tree is being made.
struct PlacedNode {
  weak var node: MenuNode?
  let id: String
  let facts: Facts
}

extension ScriptEngine {
  /// Makes an element. If scripts hold too many, it collects garbage before it refuses.
  func newElement(
    _ kind: MenuElement.Kind, _ title: String, spans: StyledText? = nil, at place: Place?, of owner: ScriptOwner
  ) throws -> ScriptElement {
    try checkKept()
    return ScriptElement(
      kind, title: title, spans: spans, place: place, owner: owner.owner, kept: dispatcher.kept)
  }

  /// Throws if the host can't keep more for scripts, even after a garbage collection.
  func checkKept() throws {
    let limit = lua.limits.memory
    guard dispatcher.kept.bytes > limit else { return }
    lua.collect()
    if dispatcher.kept.bytes > limit {
      throw LuaMisuse(
        "the menu elements, the lines of texts and the results of jobs that the scripts hold have more than \(limit) bytes together"
      )
    }
  }

  /// Returns the place of a declaration. The column and the text of the line are looked up only for an error.
  func declarationPlace(_ call: LuaCall) -> Place? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let line = clua_where(call.L, 1, start, buffer.count)
      guard line > 0 else { return nil }
      let isNamed = start[0] == CChar(bitPattern: UInt8(ascii: "=")) || start[0] == CChar(bitPattern: UInt8(ascii: "@"))
      let bytes = UnsafeRawBufferPointer(buffer).prefix { $0 != 0 }.dropFirst(isNamed ? 1 : 0)
      if !bytes.elementsEqual(elementFile.utf8) { elementFile = String(decoding: bytes, as: UTF8.self) }
      return Place(file: elementFile, line: Int(line))
    }
  }

  /// Returns the element at an index of a stack.
  func element(at index: Int32, on L: OpaquePointer) -> ScriptElement? {
    guard clua_type(L, index) == CLUA_TUSERDATA.rawValue else { return nil }
    return lua.callable(at: index, on: L) as? ScriptElement
  }

  func push(_ element: LuaCallable, on L: OpaquePointer) {
    clua_pushCallable(L, Unmanaged.passRetained(element).toOpaque())
  }

  /// Reports a warning about a script once, however often it occurs.
  func warnOnce(_ code: String, _ message: String, at place: Place?, help: String? = nil) {
    let key = "\(place?.description ?? "") \(message.cut(toBytes: 400))"
    guard !told.contains(key) else { return }
    if told.count == Self.toldLimit { told = [] }
    told.insert(key)
    report(Diagnostic(.warning, code, message, place: place, help: help))
  }

  private static let toldLimit = 1000
}

/// The fields of a menu as the script wrote them.
struct MenuFields {
  var id: String?
  var inline = false
  var single = false
  var hidden = false
  var auto = true
  var isOpen = false
  var cells: [StyledText]?
  var hasLook = false
  /// The further fields of a pane, a text or a layout.
  var area: AreaPart?
  /// The further fields of a text.
  var lines: GivenLines?
  var title: StyledText?
  var keys: KeySequence?
}

/// The fields of a section as the script wrote them.
struct SectionFields {
  var header: Element?
  var footer: Element?
  var empty: Element?
  var current: ItemAction?
  var kind: String?
  var columns: [RowColumn] = []
  var palette = false
  var isListed = false
  /// Whether a function makes its rows by number.
  var isCounted = false
  var hasID = false
}

/// The fields of an item as they are read.
struct ItemFields {
  var id: String?
  var keys: KeySequence?
  var action: ItemAction?
  var arguments: Arguments?
  var state = Look.State.off
  var isStated = false
  var isUntitled = false
  /// The title in the fields, for an item without a title before them.
  var title: String?
  var titleSpans, subtitleSpans: StyledText?
  var iconStyle: TextStyle?
  var cells: [StyledText]?
  var current: ItemAction?
  var hidden = false
  var destructive = false
  var disabled: String?
  var saysWhy = true
  var hasLook = false
  var hasCan = false
  /// Whether only a handler of the reference's whole id counts.
  var isExact = false
  var look: MenuLook?
  var alternates: [Element.Alternate] = []
  var details = Facts.Details()

  func element(titled title: String, at place: Place?, countedBy share: KeptBytes.Share) -> Element {
    let facts = Facts(
      .item, title: self.title ?? title, isUntitled: isUntitled, action: action?.raw ?? "", key: keys?.text,
      state: state, isStated: isStated, hidden: hidden, destructive: destructive,
      details: details.unlessEmpty)
    return Element(
      facts, id: id, keys: keys, action: action, disabled: disabled, saysWhy: saysWhy, alternates: alternates,
      current: current, look: look, place: place, share: share)
  }
}

import CLua
import CScript

// Reads the fields of elements, each with its type. All of them are checked before any takes effect.

extension ScriptEngine {
  /// Visits the fields of a table whose keys are texts, with the value on top of the stack. Known fields come first, in
  /// the order of their names, so that the error is the same each time. Before all, `others` gets every other key.
  func forEachField(
    _ index: Int32, of known: KnownFields, _ L: OpaquePointer, others: ((LuaValue) throws -> Void)? = nil,
    _ visit: (String, OpaquePointer) throws -> Void
  ) throws {
    _ = clua_room(L, 24)
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    var given: UInt64 = 0
    var unknown: [String] = []
    clua_pushNil(L)
    while clua_next(L, index) {
      if let place = known.place(of: clua_identity(L, -2)) {
        given |= 1 << place
      } else if clua_type(L, -2) == CLUA_TSTRING.rawValue, let name = lua.text(at: -2, on: L) {
        unknown.append(name)
      } else {
        try others?(lua.value(at: -2, on: L))
      }
      clua_setTop(L, top + 1)
    }
    clua_setTop(L, top)
    while given != 0 {
      let place = given.trailingZeroBitCount
      given &= given - 1
      clua_pushReference(L, known.keys[place])
      clua_rawGet(L, index)
      try visit(known.names[place], L)
      clua_setTop(L, top)
    }
    if unknown.count > 1 { unknown.sort { $0.precedesByBytes($1) } }
    for name in unknown {
      lua.push(text: name, on: L)
      clua_rawGet(L, index)
      try visit(name, L)
      clua_setTop(L, top)
    }
  }

  /// Warns that an element has no field of that name.
  ///
  /// - Parameter left: the known fields for a suggestion; all of them by default.
  func unknownField(_ name: String, of what: String, _ known: [String], left: [String]? = nil, at place: Place?) {
    let left = left ?? known
    let near = Self.elsewhere(name, among: left) ?? nearest(to: name, among: left).first
    warnOnce(
      "unknown-field", "\(what) has no field '\(name)'",
      at: place.map { self.place(of: name, from: $0, lines: 4) },
      help: Self.otherwise(name, among: known, hasNear: near != nil) ?? near.map { "did you mean '\($0)'?" })
  }

  /// Returns the error for a field with a value of the wrong type. For a text, the error quotes the value.
  private func wrong(
    _ field: String, of element: ScriptElement, _ expected: String, _ value: LuaValue, isText: Bool = false,
    isMeasured: Bool = false
  ) -> LuaMisuse {
    if case .function = value, !["filter", "marks", "follow", "wrap", "ansi"].contains(field) {
      return functionMisuse("'\(field)' of \(element.described)", field: field)
    }
    let found =
      if case .text(let text) = value, isText { "\"\(text.cut(toBytes: 40).visible)\"" } else {
        isMeasured ? value.measured : value.described
      }
    return LuaMisuse("'\(field)' of \(element.described) must be \(expected), not \(found)")
  }

  private func text(_ field: String, of element: ScriptElement, _ L: OpaquePointer) throws -> String {
    let value = try lua.value(at: -1, on: L)
    if let text = shownText(value, "'\(field)' of \(element.described)", at: element.place) { return text }
    throw wrong(field, of: element, "a string", value)
  }

  private func styled(_ field: String, of element: ScriptElement, _ L: OpaquePointer) throws -> StyledText {
    if let styled = try styledText(at: -1, "'\(field)' of \(element.described)", at: element.place) { return styled }
    throw wrong(field, of: element, "a string", try lua.value(at: -1, on: L))
  }

  private func flag(_ field: String, of element: ScriptElement, _ L: OpaquePointer) throws -> Bool {
    if clua_type(L, -1) == CLUA_TBOOLEAN.rawValue { return clua_bool(L, -1) }
    throw wrong(field, of: element, "a boolean", try lua.value(at: -1, on: L))
  }

  private func id(of element: ScriptElement, _ L: OpaquePointer) throws -> String {
    let value = try lua.value(at: -1, on: L)
    if case .function = value { throw functionMisuse("'id' of \(element.described)") }
    return try elementID(value, "the id of \(element.described)")
  }

  // MARK: Items

  func readItem(_ element: ScriptElement, untitled isUntitled: Bool = false, _ L: OpaquePointer) throws {
    var item = ItemFields()
    item.isUntitled = isUntitled
    let known = fieldNames.item
    try forEachField(2, of: known, L) { field, L in
      switch field {
      case "id": item.id = try id(of: element, L)
      case "key": item.keys = try keys(of: element, L)
      case "args": item.arguments = try itemArguments(of: element, L)
      case "title" where isUntitled:
        let title = try styled(field, of: element, L)
        (item.title, item.titleSpans, item.isUntitled) = (title.text, title.unlessPlain, false)
      case "cells": item.cells = try cells(of: element, L)
      case "subtitle":
        let subtitle = try styled(field, of: element, L)
        (item.details.subtitle, item.subtitleSpans) = (subtitle.text, subtitle.unlessPlain)
      case "icon":
        let icon = try styled(field, of: element, L)
        (item.details.icon, item.iconStyle) = (icon.text, icon.unlessPlain?.spans.first?.style)
      case "current": item.current = try current(of: element, L)
      case "mnemonic": item.details.mnemonic = try mnemonic(of: element, L)
      case "look":
        try checkLook(of: element, L)
        item.hasLook = true
      case "can":
        guard clua_type(L, -1) == CLUA_TFUNCTION.rawValue else {
          throw wrong("can", of: element, "a function", try lua.value(at: -1, on: L))
        }
        item.hasCan = true
      case "state": (item.state, item.isStated) = (try itemState(of: element, L), true)
      case "hidden": item.hidden = try flag(field, of: element, L)
      case "exact": item.isExact = try flag(field, of: element, L)
      case "destructive": item.destructive = try flag(field, of: element, L)
      case "enabled": (item.disabled, item.saysWhy) = try disabled(element, L)
      case "alternates": item.alternates = try alternates(of: element, L)
      default:
        if let fact = ItemFact.named(field) { return try read(fact, of: element, into: &item.details, L) }
        let names = isUntitled ? known.names : known.names.filter { $0 != "title" }
        unknownField(field, of: element.described, names, at: element.place)
      }
    }
    if item.isUntitled, let cells = item.cells {
      (item.title, item.isUntitled) = (cells.joinedAsTitle.title.cut(toBytes: Element.textLimit), false)
    }
    item.details.styled = Facts.Styled(
      title: isUntitled ? item.titleSpans : element.spans, subtitle: item.subtitleSpans, icon: item.iconStyle,
      cells: item.cells)
    item.action = try action(of: element, item.arguments, exact: item.isExact, L)
    warnOfPositions(of: element, L)
    item.details.arguments = item.action.flatMap { shownArguments($0, item.arguments) }
    let whole = item.element(titled: element.title, at: element.place, countedBy: element.share)
    let bytes = [
      item.id, whole.facts.key, item.details.subtitle, item.details.icon, item.disabled, item.action?.raw, item.title,
    ].reduce(item.details.plainBytes + (item.arguments?.textBytes ?? 0) + (item.details.styled?.keptBytes ?? 0)) {
      $0 + ($1?.utf8.count ?? 0)
    }
    let isHeld = whole.hasObjects || item.hasLook || item.hasCan
    if isHeld { hold(&item, L) }
    element.complete(isHeld ? .item(item) : .whole(whole), titled: item.title, bytes: bytes)
  }

  private func read(
    _ fact: ItemFact, of element: ScriptElement, into details: inout Facts.Details, _ L: OpaquePointer
  ) throws {
    switch fact.kind {
    case .text(let path): details[keyPath: path] = try text(fact.name, of: element, L)
    case .flag(let path): details[keyPath: path] = try flag(fact.name, of: element, L)
    }
  }

  /// Stores the Lua values of the fields at 2 in the userdata at 1, so that the item doesn't hold them.
  private func hold(_ item: inout ItemFields, _ L: OpaquePointer) {
    for name in ["args", "alternates"] {
      lua.push(text: name, on: L)
      clua_rawGet(L, 2)
      if clua_type(L, -1) == CLUA_TTABLE.rawValue { clua_copyTable(L) }
    }
    for name in ["look", "can"] {
      lua.push(text: name, on: L)
      clua_rawGet(L, 2)
    }
    clua_hold(L, 1, 4)
    item.arguments = nil
    item.alternates = []
    item.action = item.action.map { ItemAction($0.reference, raw: $0.raw) }
  }

  /// Returns the item of the userdata at the index, with the Lua values of the userdata.
  func item(_ element: ScriptElement, _ fields: ItemFields, at index: Int32, _ L: OpaquePointer) throws -> Element {
    var item = fields
    clua_pushHeld(L, index, 1)
    if clua_type(L, -1) == CLUA_TTABLE.rawValue { item.arguments = try itemArguments(of: element, L) }
    clua_pushHeld(L, index, 2)
    if clua_type(L, -1) == CLUA_TTABLE.rawValue { item.alternates = try alternates(of: element, L) }
    clua_pop(L, 2)
    item.action = item.action.map { ItemAction($0.reference, raw: $0.raw, own: item.arguments ?? Arguments()) }
    let look = item.hasLook ? ScriptItemLook(function(3, of: element, at: index, L)) : nil
    item.look = item.hasCan ? ScriptItemCan(function(4, of: element, at: index, L), and: look) : look
    return item.element(titled: element.title, at: element.place, countedBy: element.share)
  }

  /// Returns the cells of a row: texts, lists of texts and spans, and false for an empty cell.
  private func cells(of element: ScriptElement, _ L: OpaquePointer) throws -> [StyledText] {
    guard clua_type(L, -1) == CLUA_TTABLE.rawValue, clua_hostNumber(L, -1) < 0 else {
      throw wrong("cells", of: element, "a list of texts", try lua.value(at: -1, on: L))
    }
    let table = clua_top(L)
    let count = Int(clamping: clua_rawLength(L, table))
    guard count <= RowColumn.limit else {
      throw LuaMisuse("\(element.described) can have \(RowColumn.limit) cells at most, and has \(count)")
    }
    return try (1..<count + 1).map { number in
      clua_rawGetAt(L, table, Int64(number))
      defer { clua_setTop(L, table) }
      if clua_type(L, -1) == CLUA_TBOOLEAN.rawValue, !clua_bool(L, -1) { return StyledText("") }
      if clua_type(L, -1) == CLUA_TNUMBER.rawValue { return StyledText(try lua.describeTop(on: L)) }
      let what = "cell \(number) of \(element.described)"
      if let text = try styledText(at: -1, what, at: element.place) { return text }
      throw LuaMisuse(
        "\(what) must be a text, a number, a list of texts and spans, or false for an empty cell, not "
          + "\(try lua.value(at: -1, on: L).described)")
    }
  }

  private func checkLook(of element: ScriptElement, _ L: OpaquePointer) throws {
    if clua_type(L, -1) == CLUA_TFUNCTION.rawValue { return }
    throw LuaMisuse("'look' of \(element.described) must be a function, not \(try lua.value(at: -1, on: L).described)")
  }

  private func mnemonic(of element: ScriptElement, _ L: OpaquePointer) throws -> String {
    let value = try lua.value(at: -1, on: L)
    if case .text(let text) = value, text.count == 1, text.unicodeScalars.count == 1,
      let scalar = text.unicodeScalars.first, scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    {
      return text
    }
    throw wrong("mnemonic", of: element, "a letter or a digit", value, isText: true)
  }

  /// Returns the item's action: the reference in the first entry.
  private func action(
    of element: ScriptElement, _ own: Arguments?, exact isExact: Bool, _ L: OpaquePointer
  ) throws -> ItemAction? {
    clua_rawGetAt(L, 2, 1)
    defer { clua_pop(L, 1) }
    let value = try lua.value(at: -1, on: L)
    do {
      var reference: Reference
      let raw: String
      switch value {
      case .nil: return nil
      case .text(let text): (reference, raw) = (try Reference.parse(text), text)
      case .bytes(let bytes): (reference, raw) = (try bytes.withUnsafeBufferPointer(Reference.parse), "")
      default: throw wrong("1", of: element, "an action's reference as a string", value)
      }
      for member in reference.arguments?.members ?? [] { warnOfHostName(member.key, of: element) }
      for member in own?.members ?? [] { warnOfHostName(member.key, of: element) }
      reference.isExact = isExact
      return ItemAction(reference, raw: raw, own: own ?? Arguments())
    } catch let error as ReferenceError {
      let text = if case .text(let text) = value { text } else { "" }
      let sentence = "the action of \(element.described): \(error.message)"
      throw unreadable(text, sentence, column: error.column, near: element.place)
    }
  }

  private func warnOfHostName(_ name: String, of element: ScriptElement) {
    guard HostNames.contains(name) else { return }
    warnOnce(
      "shadowed-argument",
      "\(element.described) has an argument '\(name)', which hides behind a name of the host: read it as ctx.args.\(name)",
      at: element.place)
  }

  private func warnOfPositions(of element: ScriptElement, _ L: OpaquePointer) {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    clua_pushNil(L)
    while clua_next(L, 2) {
      clua_pop(L, 1)
      if clua_type(L, -1) == CLUA_TSTRING.rawValue || clua_isInteger(L, -1) && clua_integer(L, -1) == 1 { continue }
      warnOnce(
        "unknown-field", "\(element.described) takes one action and named fields: the host skips the rest",
        at: element.place)
    }
  }

  private func keys(of element: ScriptElement, _ L: OpaquePointer) throws -> KeySequence {
    let value = try lua.value(at: -1, on: L)
    guard case .text(let text) = value else {
      if case .table = value, element.kind == .item {
        throw LuaMisuse(
          "'key' of \(element.described) must be a string, not a table; bind another key with app.keys.x = \"action\"")
      }
      throw wrong("key", of: element, "a string", value)
    }
    do {
      let keys = try KeySequence.parse(text)
      warnOfCapitals(text, element.place)
      return keys
    } catch {
      let sentence = "the key of \(element.described): \(error.message)"
      throw unreadable(text, sentence, column: error.column, near: element.place)
    }
  }

  /// The most bytes of all texts in an item's arguments: each tree with the item copies them.
  private static let mostArgumentBytes = 64 << 10

  private func itemArguments(of element: ScriptElement, _ L: OpaquePointer) throws -> Arguments {
    guard clua_type(L, -1) == CLUA_TTABLE.rawValue, clua_hostNumber(L, -1) < 0 else {
      throw wrong("args", of: element, "a table", try lua.value(at: -1, on: L))
    }
    var arguments: [(key: String, value: Value)] = []
    let table = clua_top(L)
    var bytes = 0
    _ = clua_room(L, 24)
    clua_pushNil(L)
    while clua_next(L, table) {
      guard clua_type(L, -2) == CLUA_TSTRING.rawValue, let name = lua.text(at: -2, on: L) else {
        throw LuaMisuse(
          "the args of \(element.described) have names, not \(try lua.value(at: -2, on: L).described) as key")
      }
      for index: Int32 in [-2, -1] where clua_type(L, index) == CLUA_TSTRING.rawValue {
        bytes += Int(clamping: clua_rawLength(L, index))
      }
      if bytes > Self.mostArgumentBytes {
        throw LuaMisuse(
          "the args of \(element.described) have texts of more than \(Self.mostArgumentBytes) bytes together")
      }
      arguments.append((name, value(at: -1, on: L)))
      clua_pop(L, 1)
    }
    charge(bytes)
    // Lua's order differs each time.
    return Arguments(arguments.sorted { $0.key.precedesByBytes($1.key) })
  }

  /// Returns the arguments for a snapshot; nil if there are none.
  func shownArguments(_ action: ItemAction, _ own: Arguments?) -> LiteralObject? {
    guard let own, !own.isEmpty else { return action.reference.arguments.flatMap { $0.members.isEmpty ? nil : $0 } }
    // The reference's arguments come first, in its order. The item's arguments replace those of the same name.
    let declared = action.reference.arguments?.members ?? []
    let members = action.arguments.members.enumerated().map { index, member in
      index < declared.count && !own.has(member.key)
        ? declared[index] : LiteralObject.Member(key: member.key, value: literal(member.value))
    }
    return LiteralObject(members)
  }

  /// Returns the action that is performed when a row becomes the current row.
  private func current(of element: ScriptElement, _ L: OpaquePointer) throws -> ItemAction {
    let value = try lua.value(at: -1, on: L)
    guard case .text(let text) = value else {
      throw wrong("current", of: element, "an action's reference as a string", value)
    }
    do {
      return ItemAction(try Reference.parse(text), raw: text)
    } catch {
      throw unreadable(
        text, "'current' of \(element.described): \(error.message)", column: error.column, near: element.place)
    }
  }

  private func itemState(of element: ScriptElement, _ L: OpaquePointer) throws -> Look.State {
    let value = try lua.value(at: -1, on: L)
    if let state = Look.State(value) { return state }
    throw wrong("state", of: element, Look.State.kinds, value, isText: true)
  }

  /// Returns why an item is declared disabled, and whether the script declares that reason.
  private func disabled(_ element: ScriptElement, _ L: OpaquePointer) throws -> (reason: String?, isSaid: Bool) {
    let derived = declaredDisabled(element.described)
    if clua_type(L, -1) == CLUA_TBOOLEAN.rawValue { return (clua_bool(L, -1) ? nil : derived, false) }
    let value = try lua.value(at: -1, on: L)
    guard let reason = shownText(value, "'enabled' of \(element.described)", at: element.place) else {
      throw wrong("enabled", of: element, "a boolean, or a string with the reason why not", value)
    }
    return reason.isEmpty ? (derived, false) : (reason, true)
  }

  /// Returns the reason for a disabled item without a declared reason.
  func declaredDisabled(_ what: String) -> String { "\(what) is declared disabled" }

  private func alternates(of element: ScriptElement, _ L: OpaquePointer) throws -> [Element.Alternate] {
    guard clua_type(L, -1) == CLUA_TTABLE.rawValue else {
      throw wrong("alternates", of: element, "a table of items by modifier", try lua.value(at: -1, on: L))
    }
    var alternates: [Element.Alternate] = []
    let table = clua_top(L)
    _ = clua_room(L, 24)
    clua_pushNil(L)
    while clua_next(L, table) {
      guard clua_type(L, -2) == CLUA_TSTRING.rawValue, let name = lua.text(at: -2, on: L) else {
        throw LuaMisuse("the alternates of \(element.described) need modifiers as names: { alt = item \"…\" { … } }")
      }
      guard let other = self.element(at: -1, on: L), other.kind == .item else {
        throw LuaMisuse(
          "the alternate '\(name)' of \(element.described) must be an item, not \(try lua.value(at: -1, on: L).described)"
        )
      }
      var taking = Taking()
      alternates.append(
        Element.Alternate(
          modifiers: try modifierNames(name, of: element), element: try take(other, at: clua_top(L), L, &taking)))
      clua_pop(L, 1)
    }
    return alternates.sorted { $0.modifiers.lexicographicallyPrecedes($1.modifiers) }
  }

  /// Returns the modifiers of an alternate, as `alt` or `ctrl+alt`, in canonical order.
  private func modifierNames(_ name: String, of element: ScriptElement) throws -> [String] {
    do {
      return try KeySequence.parse("\(name)+x").strokes[0].modifiers.names
    } catch {
      throw LuaMisuse("the alternates of \(element.described) need modifiers as names: \(error.message)")
    }
  }

  // MARK: Menus

  func readMenu(_ element: ScriptElement, _ L: OpaquePointer) throws {
    var menu = MenuFields()
    clua_copy(L, 2)
    clua_pushNil(L)
    let look = clua_top(L)
    let known = fieldNames.menu
    try forEachField(2, of: known, L) { field, L in
      switch field {
      case "id": menu.id = try id(of: element, L)
      case "inline": menu.inline = try flag(field, of: element, L)
      case "single": menu.single = try flag(field, of: element, L)
      case "hidden": menu.hidden = try flag(field, of: element, L)
      case "auto": menu.auto = try flag(field, of: element, L)
      case "open": menu.isOpen = try flag(field, of: element, L)
      case "cells": menu.cells = try cells(of: element, L)
      case "look":
        try checkLook(of: element, L)
        menu.hasLook = true
        clua_copy(L, -1)
        clua_replace(L, look)
      default: unknownField(field, of: element.described, known.names, at: element.place)
      }
    }
    clua_hold(L, 1, 2)
    let bytesOfCells = menu.cells?.reduce(0) { $0 + $1.keptBytes } ?? 0
    element.complete(.menu(menu), bytes: (menu.id?.utf8.count ?? 0) + bytesOfCells)
  }

  // MARK: Panes

  /// Reads the fields of a pane, a text, or a layout of a panel.
  func readArea(_ element: ScriptElement, _ L: OpaquePointer) throws {
    var fields = MenuFields()
    clua_copy(L, 2)
    for _ in 0..<2 { clua_pushNil(L) }
    let look = clua_top(L) - 1
    let known = fieldNames.area(element.kind)
    var lines = GivenLines()
    var (share, least, responder): (Double, Int?, Responder?) = (1, nil, nil)
    var (hasFilter, hasMarks, fits) = (false, false, false)
    try forEachField(2, of: known, L) { field, L in
      guard known.names.contains(field) else {
        return unknownField(field, of: element.described, known.names, at: element.place)
      }
      switch field {
      case "title": fields.title = try styled(field, of: element, L)
      case "key": fields.keys = try keys(of: element, L)
      case "responder": responder = try self.responder(lua.value(at: -1, on: L), "'responder' of \(element.described)")
      case "filter": hasFilter = try flag(field, of: element, L)
      case "marks": hasMarks = try flag(field, of: element, L)
      case "share": share = try self.share(of: element, L)
      case "least": least = try self.least(of: element, L)
      case "fit": fits = try flag(field, of: element, L)
      case "of": lines.of = try subjects(of: element, L)
      case "follow": lines.isFollowing = try flag(field, of: element, L)
      case "wrap": lines.isWrapped = try flag(field, of: element, L)
      case "ansi": lines.isPrinted = try flag(field, of: element, L)
      case "style": lines.style = try style(lua.value(at: -1, on: L), "'style' of \(element.described)")
      case "lines":
        try checkLines(of: element, L)
        lines.isGiven = true
        clua_copy(L, -1)
        clua_replace(L, look + 1)
      default:
        try checkLook(of: element, L)
        fields.hasLook = true
        clua_copy(L, -1)
        clua_replace(L, look)
      }
    }
    if let keys = fields.keys, keys.strokes.count > 1 {
      throw wrong("key", of: element, "one stroke", .text(keys.text), isText: true)
    }
    fields.id = element.title.isEmpty ? nil : element.title
    if element.kind == .text {
      guard lines.isGiven else {
        throw LuaMisuse("\(element.described) needs 'lines': a text, a list of texts, or a function that returns them")
      }
      fields.lines = lines
    }
    fields.area = AreaPart(
      share: share, least: least, fit: fits, responder: responder, filter: hasFilter, marks: hasMarks)
    clua_hold(L, 1, 3)
    element.complete(.menu(fields), bytes: fields.title?.keptBytes ?? 0)
  }

  /// Returns the panes that a text is about: one id, or a list of ids.
  private func subjects(of element: ScriptElement, _ L: OpaquePointer) throws -> [String] {
    let value = try lua.value(at: -1, on: L)
    switch value {
    case .text: return [try elementID(value, "'of' of \(element.described)")]
    case .table(let list):
      return try (0..<min(try lua.rawCount(of: list), AreaPart.most)).map {
        try elementID(try lua.rawGet(.integer($0 + 1), of: list), "the id of a pane in 'of' of \(element.described)")
      }
    default: throw wrong("of", of: element, "the id of a pane, or a list of ids", value)
    }
  }

  private func checkLines(of element: ScriptElement, _ L: OpaquePointer) throws {
    let value = try lua.value(at: -1, on: L)
    switch value {
    case .text, .bytes, .table, .function: return
    default: throw wrong("lines", of: element, "a text, a list of texts, or a function that returns them", value)
    }
  }

  private func share(of element: ScriptElement, _ L: OpaquePointer) throws -> Double {
    let value = try lua.value(at: -1, on: L)
    switch value {
    case .integer(let share) where share > 0 && share <= 1000: return Double(share)
    case .number(let share) where share > 0 && share <= 1000: return share
    default: throw wrong("share", of: element, "a number above 0, 1000 at most", value, isMeasured: true)
    }
  }

  private func least(of element: ScriptElement, _ L: OpaquePointer) throws -> Int {
    let value = try lua.value(at: -1, on: L)
    if case .integer(let least) = value, 1...1000 ~= least { return least }
    throw wrong("least", of: element, "a number of cells from 1 to 1000", value, isMeasured: true)
  }

  // MARK: Sections

  func readSection(_ element: ScriptElement, _ L: OpaquePointer) throws {
    var section = SectionFields()
    let held = clua_top(L) + 1
    for _ in 0..<3 { clua_pushNil(L) }
    var (given, unknown): ([String], [String]) = ([], [])
    let known = fieldNames.section
    try forEachField(2, of: known, L) { field, L in
      given.append(field)
      switch field {
      case "current": section.current = try current(of: element, L)
      case "kind": section.kind = try text(field, of: element, L)
      case "palette": section.palette = try flag(field, of: element, L)
      case "header": section.header = try label(field, of: element, L)
      case "footer": section.footer = try label(field, of: element, L)
      case "empty": section.empty = try label(field, of: element, L)
      case "columns": section.columns = try columns(of: element, L)
      case "count", "value", "index", "find":
        let type = clua_type(L, -1)
        guard type == CLUA_TFUNCTION.rawValue || field == "count" && clua_isInteger(L, -1) else {
          let value = try lua.value(at: -1, on: L)
          throw LuaMisuse(
            field == "count"
              ? "'count' of \(element.described) must be a whole number or a function, not \(value.measured)"
              : "'\(field)' of \(element.described) must be a function, not \(value.described)")
        }
        section.isCounted = true
      case "items", "id", "row":
        let type = clua_type(L, -1)
        let isList = field == "items" && type == CLUA_TTABLE.rawValue && clua_hostNumber(L, -1) < 0
        guard type == CLUA_TFUNCTION.rawValue || isList else {
          let expected = field == "items" ? "a function or a list" : "a function"
          throw LuaMisuse(
            "'\(field)' of \(element.described) must be \(expected), not \(try lua.value(at: -1, on: L).described)")
        }
        if isList { section.isListed = true }
        if field == "id" { section.hasID = true }
        clua_copy(L, -1)
        clua_replace(L, field == "items" ? held : field == "id" ? held + 1 : held + 2)
      default: unknown.append(field)
      }
    }
    // A field that the script uses already is no suggestion.
    let left = known.names.filter { !given.contains($0) }
    for field in unknown {
      unknownField(field, of: element.described, known.names, left: left, at: element.place)
    }
    func meant(_ field: String) -> String {
      let other = unknown.first { (Self.elsewhere($0, among: left) ?? nearest(to: $0, among: left).first) == field }
      return other.map { "; rename '\($0)' to '\(field)'" } ?? ""
    }
    guard clua_type(L, held + 2) != CLUA_TNIL.rawValue else {
      throw LuaMisuse(
        "\(element.described) needs 'row', a function that makes an element of each value\(meant("row"))")
    }
    if section.isCounted {
      if given.contains("items") {
        throw LuaMisuse("\(element.described) has 'items' and also 'count' and 'value': remove one of the two")
      }
      for field in ["count", "value"] where !given.contains(field) {
        let what =
          field == "count" ? "the number of rows" : "a function that returns the value of a row by its number"
        throw LuaMisuse("\(element.described) needs '\(field)', \(what)\(meant(field))")
      }
      clua_copy(L, 2)
      clua_copyTable(L)
      clua_replace(L, held)
    }
    guard clua_type(L, held) != CLUA_TNIL.rawValue else {
      throw LuaMisuse(
        "\(element.described) needs 'items', a list of values or a function that returns one\(meant("items"))")
    }
    clua_hold(L, 1, 3)
    element.complete(.section(section), bytes: 0)
  }

  private func label(_ field: String, of element: ScriptElement, _ L: OpaquePointer) throws -> Element {
    let title = try styled(field, of: element, L)
    element.share.add(ScriptElement.base + title.keptBytes)
    return Element(Facts(.label, styled: title), place: element.place, share: element.share)
  }

  /// Returns the section of the userdata at the index, with the Lua values of the userdata.
  func section(_ element: ScriptElement, _ fields: SectionFields, at index: Int32, _ L: OpaquePointer) -> Element {
    let list = fields.isListed || fields.isCounted ? LuaTable(reference: held(1, at: index, L)) : nil
    let id = fields.hasID ? function(2, of: element, at: index, L) : nil
    let row = function(3, of: element, at: index, L)
    let source: ScriptSection =
      if fields.isCounted {
        ScriptCountedSection(element, fields: list, id: id, row: row, engine: self)
      } else {
        ScriptSection(
          element, items: fields.isListed ? nil : function(1, of: element, at: index, L), list: list, id: id, row: row,
          engine: self)
      }
    let part = SectionPart(
      header: fields.header, footer: fields.footer, empty: fields.empty, current: fields.current,
      kind: fields.kind, columns: fields.columns, palette: fields.palette, source: source)
    return Element(
      Facts(.section), id: element.title, section: part, place: element.place, share: element.share)
  }

  /// Returns a function in the element's userdata at the index.
  func function(_ number: Int32, of element: ScriptElement, at index: Int32, _ L: OpaquePointer) -> ElementFunction {
    ElementFunction(
      LuaFunction(reference: held(number, at: index, L)), owner: element.owner, at: element.place, engine: self)
  }

  private func held(_ number: Int32, at index: Int32, _ L: OpaquePointer) -> LuaReference {
    clua_pushHeld(L, index, number)
    return lua.takeReference()
  }
}

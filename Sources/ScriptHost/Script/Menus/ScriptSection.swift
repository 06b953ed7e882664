import CLua
import CScript

/// A function of an element. The host calls it with the context, which is read-only.
final class ElementFunction {
  let function: LuaFunction
  let owner: Owner
  unowned let engine: ScriptEngine
  /// The place of the function's element, for errors: the function itself may be the host's.
  private let elementPlace: Place?
  var place: Place? { engine.place(engine.lua.place(of: function)) ?? elementPlace }

  init(_ function: LuaFunction, owner: Owner, at elementPlace: Place?, engine: ScriptEngine) {
    self.function = function
    self.elementPlace = elementPlace
    self.owner = owner
    self.engine = engine
  }

  /// Calls the function with the value on top of the stack, if any, and the context. The result is on top then.
  func ask(_ context: ScriptContext?, hasValue: Bool) -> Failure? {
    let L = engine.lua.L
    _ = clua_room(L, 24)
    clua_pushReference(L, function.reference.id)
    if hasValue { clua_insert(L, -2) }
    let arguments: Int32 = hasValue ? 1 : 0
    context?.show(to: engine.script(of: owner))
    let status =
      context?.ask(arguments: arguments, results: 1)
      ?? engine.lua.inPhase(CLUA_ASKING) { clua_call(L, arguments, 1) }
    guard status != CLUA_OK.rawValue else { return nil }
    return failure(engine.lua.takeError(status, on: L))
  }

  /// Calls the function to decide whether an action can be done: nil for yes, else the reason, which may be empty.
  func refusal(in context: ScriptContext) -> Result<String?, Failure> {
    let L = engine.lua.L
    _ = clua_room(L, 24)
    clua_pushReference(L, function.reference.id)
    context.show(to: engine.script(of: owner))
    let status = context.ask(arguments: 0, results: 2)
    guard status == CLUA_OK.rawValue else { return .failure(failure(engine.lua.takeError(status, on: L))) }
    defer { clua_pop(L, 2) }
    return .success(clua_bool(L, -2) ? nil : engine.reason(at: -1, on: L) ?? "")
  }

  /// Returns the failure of a call. If no line of a script called the failed function, the place is the element's.
  func failure(_ error: LuaError) -> Failure {
    var failure = engine.failure(error, owner: owner)
    if failure.place == nil {
      failure.place = place
      failure.text = failure.place.flatMap { engine.lua.line($0.line, of: $0.file) }
    }
    return failure
  }

  /// Returns the fields that the function reads of the context, its only parameter or the one after a value.
  func reads(parameter: Int) -> ContextReads {
    ContextReads(
      keys: engine.lua.fieldUse(of: function, parameter: parameter).reads, place: place,
      lineCount: engine.lua.lines(of: function)?.count ?? 1)
  }

  /// Returns the failure for an unusable result.
  func misuse(_ error: any Error) -> Failure {
    let message = (error as? LuaMisuse)?.message ?? "\(error)"
    let place = place
    return Failure(
      .misuse, message, place: place, text: place.flatMap { engine.lua.line($0.line, of: $0.file) }, owner: owner.name)
  }
}

final class ScriptItemLook: ScriptMenuLook {
  // An item's own `can` sees secrets, its `look` doesn't (A7).
  override func look(in context: Context) -> Result<Look, Failure> {
    // A `look` reads a missing argument as nil: only a `can` is left undecided by it.
    context.unknown = nil
    return function.engine.dispatcher.hidingSecrets(in: context) { super.look(in: context) }
  }

  override func said(by function: ElementFunction) -> Result<Look, Failure> {
    function.engine.itemLook(at: -1, of: function)
  }
}

/// The `can` of an item, with its `look` if it has one.
final class ScriptItemCan: MenuLook {
  private let can: ElementFunction
  private let itemLook: ScriptItemLook?

  init(_ can: ElementFunction, and itemLook: ScriptItemLook?) {
    self.can = can
    self.itemLook = itemLook
  }

  override func look(in context: Context) -> Result<Look, Failure> {
    guard let context = context as? ScriptContext else { return .success(Look()) }
    var refusal: String?
    context.unknown?.isRead = false
    switch can.refusal(in: context) {
    // A 'can' that reads an argument whose value isn't known yet can't decide (A13).
    case .success where context.unknown?.isRead == true: break
    case .failure(let failure) where failure.limit == nil && context.unknown?.isRead == true: break
    case .success(let said): refusal = said
    case .failure(let failure): return .failure(failure)
    }
    let look = itemLook?.look(in: context) ?? .success(Look())
    return look.map { look in
      var look = look
      look.refusal = refusal
      return look
    }
  }

  override var whyNotCalled: String? { can.owner.whySetAside ?? itemLook?.whyNotCalled }
  override var question: Witness.Question { .can }
  override var place: Place? { can.place }

  override var reads: ContextReads? { can.reads(parameter: 1) }
}

final class ScriptPaneLook: ScriptMenuLook {
  override func said(by function: ElementFunction) -> Result<Look, Failure> {
    function.engine.paneLook(at: -1, of: function)
  }
}

/// The `look` of a menu.
class ScriptMenuLook: MenuLook {
  fileprivate let function: ElementFunction

  init(_ function: ElementFunction) { self.function = function }

  override func look(in context: Context) -> Result<Look, Failure> {
    guard let context = context as? ScriptContext else { return .success(Look()) }
    if let failure = function.ask(context, hasValue: false) { return .failure(failure) }
    defer { clua_pop(function.engine.lua.L, 1) }
    return said(by: function)
  }

  /// Returns the look in the function's result, which is on top of the stack.
  func said(by function: ElementFunction) -> Result<Look, Failure> { function.engine.menuLook(at: -1, of: function) }

  override var whyNotCalled: String? { function.owner.whySetAside }
  override var place: Place? { function.place }

  override var reads: ContextReads? { function.reads(parameter: 1) }
}

/// The `when` of a binding.
final class ScriptKeyCondition: KeyCondition {
  private let function: ElementFunction

  init(_ function: ElementFunction) { self.function = function }

  override func holds(in context: Context) -> Result<Bool, Failure> {
    if let failure = function.ask(context as? ScriptContext, hasValue: false) { return .failure(failure) }
    defer { clua_pop(function.engine.lua.L, 1) }
    return .success(clua_bool(function.engine.lua.L, -1))
  }
}

/// A section with functions of a script.
class ScriptSection: SectionSource {
  fileprivate unowned let engine: ScriptEngine
  fileprivate let described: String
  private let items: ElementFunction?
  private let list: LuaTable?
  private let id: ElementFunction?
  fileprivate let row: ElementFunction
  /// The last rows.
  private var last: ScriptRows?
  /// True if the last call of `items` returned nil.
  private var saidNil = false

  init(
    _ element: ScriptElement, items: ElementFunction?, list: LuaTable?, id: ElementFunction?, row: ElementFunction,
    engine: ScriptEngine
  ) {
    described = element.described
    self.items = items
    self.list = list
    self.id = id
    self.row = row
    self.engine = engine
  }

  override var reads: [(field: String, reads: ContextReads)] {
    (items.map { [("items", $0.reads(parameter: 1))] } ?? []) + [("row", row.reads(parameter: 2))]
  }

  override var listless: (place: Place?, isCertain: Bool)? {
    guard let items else { return nil }
    if engine.lua.answers(of: items.function).isNothing { return (items.place, true) }
    return saidNil ? (items.place, false) : nil
  }

  override var whyNotCalled: String? { row.owner.whySetAside }

  override func rows(in context: Context) -> Result<SectionRows, Failure> {
    if whyNotCalled != nil { return .success(last ?? SectionRows([])) }
    guard let context = context as? ScriptContext else { return .success(SectionRows([])) }
    let L = engine.lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    if let failure = pushItems(context) { return .failure(failure) }
    saidNil = clua_type(L, top + 1) == CLUA_TNIL.rawValue
    guard clua_type(L, top + 1) == CLUA_TTABLE.rawValue, clua_hostNumber(L, top + 1) < 0 else {
      if saidNil { return .success(SectionRows([])) }
      let found = (try? engine.lua.value(at: top + 1, on: L).described) ?? "a value"
      return .failure(row.misuse(LuaMisuse("'items' of \(described) must return a list, not \(found)")))
    }
    if clua_rawLength(L, top + 1) == 0, let name = engine.lua.firstName(inTableAt: top + 1, on: L) {
      return .failure(
        row.misuse(LuaMisuse("'items' of \(described) must return a list, not a table with the name '\(name)'")))
    }
    return rows(of: top + 1, context)
  }

  private func pushItems(_ context: ScriptContext) -> Failure? {
    if let items { return items.ask(context, hasValue: false) }
    guard let list, (try? engine.lua.push(list.reference, on: engine.lua.L)) != nil else {
      clua_pushNil(engine.lua.L)
      return nil
    }
    return nil
  }

  /// Returns the rows for the values in the list. If they are unchanged, returns the last rows, so that the tree stays
  /// as it is.
  private func rows(of list: Int32, _ context: ScriptContext) -> Result<SectionRows, Failure> {
    let L = engine.lua.L
    guard clua_room(L, 24) else { return .failure(row.misuse(LuaMisuse("questions are nested too deep"))) }
    var rows: [SectionRows.Row] = []
    var unnamed: (row: SectionRows.Row, failure: Failure)?
    var isSame = true
    do throws(Failure) {
      for index in 0..<Int(clamping: clua_rawLength(L, list)) {
        clua_setTop(L, list)
        clua_rawGetAt(L, list, Int64(index) + 1)
        var misuse: Failure?
        guard let made = try self.row(index + 1, context, &misuse) else { continue }
        if let misuse, unnamed == nil { unnamed = (made, misuse) }
        if rows.count > MenuTree.limit { break }
        isSame = isSame && last.map { rows.count < $0.rows.count && $0.rows[rows.count].isSame(as: made) } ?? false
        rows.append(made)
      }
    } catch {
      return .failure(error)
    }
    clua_setTop(L, list)
    clua_copy(L, list)
    let values = LuaTable(reference: engine.lua.takeReference())
    if let last, isSame, last.rows.count == rows.count {
      last.values = values
      return .success(last)
    }
    let made = ScriptRows(rows, of: values, engine: engine)
    made.unnamed = unnamed
    last = made
    return .success(made)
  }

  /// Returns the row of the value on top of the stack; nil if the function `row` returns none.
  ///
  /// - Parameter misuse: why the row's id can't be used. The row has none then.
  fileprivate func row(
    _ index: Int, _ context: ScriptContext, _ misuse: inout Failure?
  ) throws(Failure) -> SectionRows.Row? {
    let L = engine.lua.L
    let value = clua_top(L)
    clua_copy(L, value)
    if let failure = row.ask(context, hasValue: true) { throw failure }
    guard clua_bool(L, -1) else { return nil }
    do {
      guard let answer = engine.element(at: -1, on: L) else {
        let answer = try engine.lua.value(at: -1, on: L)
        let hint = if case .table = answer { "; write item(\"…\") before the braces" } else { "" }
        let ofText = if case .text = answer { "; make an item of it: item(text) { \"action\" }" } else { "" }
        throw LuaMisuse("'row' of \(described) must return a menu element, not \(answer.described)\(hint)\(ofText)")
      }
      var taking = Taking()
      let element = try engine.take(answer, at: clua_top(L), L, &taking)
      if element.section != nil {
        throw LuaMisuse(
          "'row' of \(described) returns \(element.described), but that is already in a menu: make a new element")
      }
      return SectionRows.Row(id: try id(ofValueAt: value, &misuse), element: element, index: index)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw row.misuse(error)
    }
  }

  /// Returns the id of the value from the function `id`; nil if there is no `id`, or it returns no usable id.
  private func id(ofValueAt value: Int32, _ misuse: inout Failure?) throws -> String? {
    guard let id else { return nil }
    let L = engine.lua.L
    clua_copy(L, value)
    if let failure = id.ask(nil, hasValue: true) { throw failure }
    do {
      return try engine.elementID(try engine.lua.value(at: -1, on: L), "the id of a row of \(described)")
    } catch let error as LuaMisuse {
      misuse = row.misuse(error)
      return nil
    }
  }
}

/// A section whose rows a script makes by number (P12).
final class ScriptCountedSection: ScriptSection {
  /// The last result of `count`, or its constant value.
  private var lastCount: Int
  private let count, value, index, find: ElementFunction?

  /// - Parameter fields: the fields `count`, `value`, `index` and `find`.
  init(
    _ element: ScriptElement, fields: LuaTable?, id: ElementFunction?, row: ElementFunction, engine: ScriptEngine
  ) {
    func given(_ name: String) -> LuaValue { fields.flatMap { try? engine.lua.rawGet(.text(name), of: $0) } ?? .nil }
    func function(_ name: String) -> ElementFunction? {
      guard case .function(let function) = given(name) else { return nil }
      return ElementFunction(function, owner: element.owner, at: element.place, engine: engine)
    }
    lastCount = if case .integer(let number) = given("count") { Int(clamping: number) } else { 0 }
    (count, value, index, find) = (function("count"), function("value"), function("index"), function("find"))
    super.init(element, items: nil, list: nil, id: id, row: row, engine: engine)
  }

  override var isCounted: Bool { true }

  override var reads: [(field: String, reads: ContextReads)] {
    [("count", count, 1), ("value", value, 2), ("row", row, 2), ("index", index, 2), ("find", find, 2)]
      .compactMap { field, function, parameter in function.map { (field, $0.reads(parameter: parameter)) } }
  }

  override var listless: (place: Place?, isCertain: Bool)? { nil }

  override func count(in context: Context) -> Result<Int, Failure> {
    guard let count, whyNotCalled == nil else { return .success(min(max(lastCount, 0), CountedRows.mostRows)) }
    return answer(count, nil, in: context) { value in
      guard case .integer(let number) = value, 0...CountedRows.mostRows ~= Int(clamping: number) else {
        throw LuaMisuse(
          "'count' of \(described) must return a whole number from 0 to \(CountedRows.mostRows), not \(value.measured)"
        )
      }
      lastCount = Int(number)
      return lastCount
    }
  }

  override var findsRows: Bool { index != nil }

  override func number(of id: String, in context: Context) -> Result<Int?, Failure> {
    guard let index, whyNotCalled == nil else { return .success(nil) }
    return answer(index, .text(id), in: context) { value in
      switch value {
      case .nil: return nil
      case .integer(let number): return Int(clamping: number)
      default: throw LuaMisuse("'index' of \(described) must return the number of a row or nil, not \(value.described)")
      }
    }
  }

  override func numbers(with text: String, in context: Context) -> Result<[Int]?, Failure> {
    guard let find, whyNotCalled == nil else { return .success(nil) }
    return answer(find, .text(text), in: context) { value in
      guard case .table(let list) = value else {
        throw LuaMisuse("'find' of \(described) must return a list of row numbers, not \(value.described)")
      }
      return try (0..<min(try engine.lua.rawCount(of: list), MenuTree.limit)).map { place in
        let value = try engine.lua.rawGet(.integer(place + 1), of: list)
        if case .integer(let number) = value { return Int(clamping: number) }
        throw LuaMisuse(
          "'find' of \(described) must return a list of row numbers, but number \(place + 1) is \(value.described)")
      }
    }
  }

  override func row(_ number: Int, in context: Context) -> Result<SectionRows, Failure> {
    guard whyNotCalled == nil, let value, let context = context as? ScriptContext else {
      return .success(SectionRows([]))
    }
    let L = engine.lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 24) else { return .failure(row.misuse(LuaMisuse("questions are nested too deep"))) }
    clua_pushInteger(L, Int64(number))
    if let failure = value.ask(context, hasValue: true) { return .failure(failure) }
    if clua_type(L, -1) == CLUA_TNIL.rawValue { return .success(SectionRows([])) }
    let kept = engine.value(at: -1, on: L)
    do throws(Failure) {
      var misuse: Failure?
      guard let made = try row(number, context, &misuse) else { return .success(SectionRows([])) }
      return if let misuse { .failure(misuse) } else { .success(LoneRow(made, of: kept)) }
    } catch {
      return .failure(error)
    }
  }

  /// Returns the result of one of its functions.
  private func answer<Answer>(
    _ function: ElementFunction, _ argument: LuaValue?, in context: Context, _ read: (LuaValue) throws -> Answer
  ) -> Result<Answer, Failure> {
    let L = engine.lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    do {
      let context = context as? ScriptContext
      if let argument { try engine.lua.push(argument, on: L) }
      if let failure = function.ask(context, hasValue: argument != nil) { return .failure(failure) }
      return .success(try read(try engine.lua.value(at: -1, on: L)))
    } catch {
      return .failure(function.misuse(error))
    }
  }
}

/// Rows for the values of a script.
final class ScriptRows: SectionRows {
  /// The list of the values.
  var values: LuaTable
  private unowned let engine: ScriptEngine

  init(_ rows: [Row], of values: LuaTable, engine: ScriptEngine) {
    self.values = values
    self.engine = engine
    super.init(rows)
  }

  override func value(of row: Row) -> Value {
    (try? engine.lua.rawGet(.integer(row.index), of: values)).map(engine.value) ?? .null
  }

  /// Returns the value in short form: a table by its fields.
  override func describe(_ row: Row) -> String {
    guard let value = try? engine.lua.rawGet(.integer(row.index), of: values) else { return "value \(row.index)" }
    switch value {
    case .text(let text): return "value \(row.index) ('\(text.prefix(60))')"
    case .integer(let number): return "value \(row.index) (\(number))"
    case .number(let number): return "value \(row.index) (\(number))"
    case .table:
      let fields = (try? engine.lua.tree(value, depth: 2, size: 50)).flatMap(\.shortFields) ?? ""
      return "value \(row.index)\(fields)"
    default: return "value \(row.index) (\(value.described))"
    }
  }
}

extension LuaTree {
  /// The plain fields of a table, ` { name = "x" }`.
  fileprivate var shortFields: String? {
    guard case .map(let entries) = self else { return nil }
    let fields: [String] = entries.compactMap { entry in
      guard case .text(let key) = entry.key else { return nil }
      switch entry.value {
      case .text(let text): return "\(key) = \"\(text.prefix(40))\""
      case .integer(let number): return "\(key) = \(number)"
      case .number(let number): return "\(key) = \(number)"
      case .bool(let value): return "\(key) = \(value)"
      default: return nil
      }
    }
    return fields.isEmpty ? nil : " { \(fields.sorted { $0.precedesByBytes($1) }.prefix(4).joined(separator: ", ")) }"
  }
}

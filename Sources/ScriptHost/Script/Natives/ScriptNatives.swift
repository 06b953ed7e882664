import CLua

/// The *script natives* are the program's functions and types in scripts. The first registration creates them.
final class ScriptNatives: NativeTables {
  let natives = Natives()
  private unowned let engine: ScriptEngine
  /// The tables of functions that scripts have seen, by their paths. Scripts have a read-only proxy.
  private var tables: [String: (content: LuaTable, proxy: LuaTable)] = [:]
  /// The methods that scripts have read.
  private var methods: [ObjectIdentifier: (method: NativeFunction, function: LuaFunction)] = [:]
  private let arguments: ScriptArguments
  /// The executor of calls outside of the host. The tests set it, because they occupy every thread of tasks.
  var executor: (any TaskExecutor)?
  /// The calls that run outside of the host, made at the first call.
  private var returns: NativeReturns?

  private var lua: LuaState { engine.lua }

  init(_ engine: ScriptEngine) throws {
    self.engine = engine
    arguments = ScriptArguments(engine)
    try prepareObjects()
  }

  // MARK: Functions

  /// Adds a function to the tables that scripts have seen.
  func add(_ function: NativeFunction) throws(Misuse) {
    try natives.add(function)
    changed(function.name)
  }

  func remove(_ function: NativeFunction) {
    if natives.remove(function) { changed(function.name) }
  }

  /// Refills the tables that contain a name. If the outermost table is gone, owners look it up again.
  private func changed(_ name: String) {
    let paths = Natives.tables(of: name)
    for path in paths where tables[path] != nil { try? fill(path) }
    guard let root = paths.first, !natives.roots.contains(root) else { return }
    for script in engine.owners { try? lua.rawSet(.text(root), .nil, of: script.language) }
  }

  /// Returns the table of functions at a path.
  func table(_ path: String) throws -> LuaTable {
    if let known = tables[path] { return known.proxy }
    let content = lua.newTable()
    let proxy = try engine.frozen(content)
    tables[path] = (content, proxy)
    try fill(path)
    return proxy
  }

  private func fill(_ path: String) throws {
    guard let table = tables[path]?.content else { return }
    let (functions, inner) = natives.content(of: path)
    var gone: [LuaValue] = []
    try lua.forEach(in: table) { key, _ in
      gone.append(key)
      return true
    }
    for key in gone { try lua.rawSet(key, .nil, of: table) }
    for (name, function) in functions { try lua.rawSet(.text(name), .function(made(function)), of: table) }
    for (name, path) in inner { try lua.rawSet(.text(name), .table(try self.table(path)), of: table) }
  }

  private func made(_ function: NativeFunction) -> LuaFunction {
    lua.function { [unowned self] in try call(function, $0) }
  }

  // MARK: Calls

  private func call(_ function: NativeFunction, _ call: LuaCall) throws -> LuaReturn {
    try checkMay(function, call)
    let first: Int32 = function.isMethod ? 2 : 1
    try spread(call, of: function, from: first)
    // A nested call has its own arguments.
    let outer = (arguments.L, arguments.position)
    defer { (arguments.L, arguments.position) = outer }
    (arguments.L, arguments.position) = (call.L, nil)
    do {
      switch function.body {
      case .call(let body): return try give(try body(arguments), of: function, to: call)
      case .start(let start, let finish): return try wait(function, call, finish) { try start(arguments) }
      }
    } catch let wrong as Mismatch {
      if hasColon(call, function) { throw LuaMisuse(sentenceOfColon(function)) }
      throw LuaMisuse(sentence(wrong, function, at: arguments.position))
    } catch let closed as ClosedObject {
      throw LuaMisuse(closed.description)
    } catch let error where Mirror(reflecting: error).displayStyle == .enum && !(error is any CustomStringConvertible) {
      // The name of a case alone says too little.
      throw Failure(
        .script, "'\(function.name)' failed: \(error)", place: engine.place(call.place), text: call.place?.text,
        owner: engine.caller(on: call.L).owner.name, cause: error)
    }
  }

  /// Begins a call that runs outside of the host, and waits for its end.
  private func wait(
    _ function: NativeFunction, _ call: LuaCall, _ finish: @escaping (any Sendable) throws -> Value,
    _ start: () throws -> @Sendable () async throws -> any Sendable
  ) throws -> LuaReturn {
    if let reason = engine.whyNoReturn(call.L) { throw LuaMisuse("'\(function.name)' waits, and \(reason)") }
    let returns = try self.returns ?? NativeReturns(engine.dispatcher)
    self.returns = returns
    let body = try start()
    let subject = Job.Subject(
      action: function.name, responder: engine.chain.app, owner: engine.caller(on: call.L).owner, isReentrant: true)
    let job = NativeJob(subject, in: returns) { try finish($0) }
    returns.begin(job, on: executor, body)
    return try engine.wait(forValuesOf: job, call)
  }

  /// Throws if a function was removed, or the caller may not call it here.
  private func checkMay(_ function: NativeFunction, _ call: LuaCall) throws {
    if function.isRemoved { throw LuaMisuse("'\(function.name)' is gone: the program has removed it") }
    if !function.reads, engine.dispatcher.isAsking {
      throw LuaMisuse(
        "'\(function.name)' is not possible here: the host only asks this function, so it must not change anything. Call only functions declared with 'reads: true'"
      )
    }
    guard let needs = function.needs else { return }
    let script = engine.caller(on: call.L)
    guard !script.grants.contains(where: { $0.capability.kind == .program && $0.capability.subject == needs }) else {
      return
    }
    let name = script.owner.name
    var refusal = engine.refusal(
      "'\(function.name)' is not granted to '\(name)'", nil, needs, at: call.place, owner: name)
    refusal.message += script.plugin == nil ? "; add it to app.allow" : "; add it to 'allow' of its manifest"
    throw refusal
  }

  /// Moves the arguments of a table to the places of the parameters by name. Throws if there are too many arguments.
  private func spread(_ call: LuaCall, of function: NativeFunction, from first: Int32) throws {
    let given = clua_top(call.L) - first + 1
    let parameters = function.parameters
    if given == 1, clua_type(call.L, first) == CLUA_TTABLE.rawValue, function.takesNames,
      clua_hostNumber(call.L, first) < 0, case .table(let table) = try call[Int(first) - 1]
    {
      try lua.forEach(in: table) { key, _ in
        guard case .text(let name) = key, parameters.contains(where: { $0.name.hasSameBytes(as: name) }) else {
          throw LuaMisuse(unknown(key, of: function))
        }
        return true
      }
      clua_setTop(call.L, first - 1)
      try lua.room(Int32(clamping: parameters.count + 4), on: call.L)
      for parameter in parameters { try lua.push(try lua.rawGet(.text(parameter.name), of: table), on: call.L) }
    } else if given > parameters.count {
      if hasColon(call, function) { throw LuaMisuse(sentenceOfColon(function)) }
      let count = parameters.count == 1 ? "1 argument" : "\(parameters.count) arguments"
      throw LuaMisuse("'\(function.name)' takes \(parameters.isEmpty ? "no arguments" : count), not \(given)")
    }
  }

  /// Whether the script's line calls a function with a colon, as if it were a method of its table.
  private func hasColon(_ call: LuaCall, _ function: NativeFunction) -> Bool {
    guard !function.isMethod, clua_type(call.L, 1) == CLUA_TTABLE.rawValue, let text = call.place?.text,
      let last = function.name.split(separator: ".").last
    else { return false }
    return text.contains(":\(last)")
  }

  private func sentenceOfColon(_ function: NativeFunction) -> String {
    "call it with a dot: \(function.name)(\(function.parameters.map(\.name).joined(separator: ", ")))"
  }

  private func unknown(_ key: LuaValue, of function: NativeFunction) -> String {
    let names = function.parameters.map(\.name)
    guard case .text(let name) = key else {
      return
        "'\(function.name)' takes arguments by name (\(names.joined(separator: ", "))): \(key.described) can't be a name"
    }
    return "'\(function.name)' has no parameter '\(name.shortened(toBytes: 40))'\(meant(name, among: names))"
  }

  private func sentence(_ wrong: Mismatch, _ function: NativeFunction, at position: Int?) -> String {
    guard let position else { return "'\(function.name)' returned a value that a script can't have: \(wrong.found)" }
    let place = position - (function.isMethod ? 1 : 0)
    guard function.parameters.indices.contains(place) else {
      let names = function.parameters.map(\.name).joined(separator: ", ")
      return "call it with a colon, on \(wrong.expected): \(function.name.lowercasedFirst)(\(names))"
    }
    let name = function.parameters[place].name + wrong.path
    return "'\(name)' of '\(function.name)' must be \(wrong.expected), not \(natives.found(wrong))\(wrong.help)"
  }

  /// Pushes the result of a function.
  func give(_ value: Value, of function: NativeFunction, to call: LuaCall) throws -> LuaReturn {
    try engine.checkSize(of: value, from: function.name)
    engine.push(value, on: call.L)
    return .pushed(1)
  }

  // MARK: Objects

  /// Lets scripts read the fields of the program's objects, whose userdata share a metatable.
  private func prepareObjects() throws {
    clua_pushObject(lua.L, Unmanaged.passRetained(BoxedValue(())).toOpaque())
    _ = clua_metatable(lua.L, -1)
    let metatable = LuaTable(reference: lua.takeReference())
    clua_pop(lua.L, 1)
    let bodies: [(String, (LuaCall) throws -> LuaReturn)] = [
      ("__index", { [unowned self] in try read($0) }), ("__newindex", { [unowned self] in try write($0) }),
      ("__eq", { [unowned self] in .values([.bool(isSame($0))]) }),
      ("__tostring", { [unowned self] in .values([.text(described($0))]) }),
    ]
    for (name, body) in bodies { try lua.rawSet(.text(name), .function(lua.function(body)), of: metatable) }
  }

  private func object(at index: Int32, on L: OpaquePointer) -> AnyObject? {
    clua_object(L, index, Int32(CLUA_OBJECT.rawValue)).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the object of a call with its types. Throws if the object is closed.
  private func subject(_ call: LuaCall) throws -> (native: Any, types: [NativeType]) {
    guard let object = object(at: 1, on: call.L) else { throw LuaMisuse("this is no object of the program's") }
    do { try natives.checkOpen(object) } catch { throw LuaMisuse("\(error)") }
    let native = unboxed(object)
    let types = natives.types(of: native)
    if types.isEmpty {
      let name = Value.opaque(object).typeName
      throw LuaMisuse(
        "the program registers no fields or methods of \(name.withArticle): it needs host.type(\(name).self, …)")
    }
    return (native, types)
  }

  private func read(_ call: LuaCall) throws -> LuaReturn {
    let (native, types) = try subject(call)
    let name = try call[1]
    if case .text(let name) = name {
      for type in types {
        if let property = type.properties[name] {
          let value = try property.read(native)
          try engine.checkSize(of: value, from: "\(type.name).\(name)")
          engine.push(value, on: call.L)
          return .pushed(1)
        }
        if let method = type.methods[name] { return .values([.function(function(of: method))]) }
      }
    }
    throw LuaMisuse(missing(name, in: types))
  }

  private func function(of method: NativeFunction) -> LuaFunction {
    if let known = methods[ObjectIdentifier(method)] { return known.function }
    let function = made(method)
    methods[ObjectIdentifier(method)] = (method, function)
    return function
  }

  private func missing(_ name: LuaValue, in types: [NativeType]) -> String {
    let holder = types.first?.described ?? "an object"
    guard case .text(let name) = name else { return "\(holder) has only named fields, none under \(name.described)" }
    let known = types.flatMap(\.names)
    let near = nearest(to: name, among: known).first.map { "; did you mean '\($0)'?" }
    let all = known.isEmpty || known.count > 12 ? "" : ": it has \(Set(known).sorted().joined(separator: ", "))"
    return "\(holder) has no field '\(name.shortened(toBytes: 40))'\(near ?? all)"
  }

  private func write(_ call: LuaCall) throws -> LuaReturn {
    try engine.refuseWhileAsking("writing a field of an object")
    let (native, types) = try subject(call)
    try prepared(try call[1], at: 3, on: call.L, of: native, types).apply()
    return .nothing
  }

  /// Checks a value for a field. Returns the change for undo, and a closure that writes it.
  private func prepared(
    _ name: LuaValue, at index: Int32, on L: OpaquePointer, of native: Any, _ types: [NativeType]
  ) throws -> (change: NativeChange, apply: () -> Void) {
    guard case .text(let field) = name else { throw LuaMisuse(missing(name, in: types)) }
    guard let type = types.first(where: { $0.properties[field] != nil || $0.methods[field] != nil }) else {
      throw LuaMisuse(missing(name, in: types))
    }
    guard let write = type.properties[field]?.write else {
      throw LuaMisuse("'\(field)' of \(type.described) can only be read")
    }
    do {
      return try write(native, try engine.deepValue(at: index, on: L))
    } catch let wrong as Mismatch {
      throw LuaMisuse("'\(field + wrong.path)' must be \(wrong.expected), not \(natives.found(wrong))")
    } catch let closed as ClosedObject {
      throw LuaMisuse(closed.description)
    }
  }

  /// `ctx:set(object, key, value)` and `ctx:set(object, fields)`: checks all fields before it writes any.
  func set(_ call: LuaCall) throws -> [(change: NativeChange, apply: () -> Void)] {
    let (native, types) = try subject(call)
    guard case .table(let fields) = try call[1] else {
      return [try prepared(try call[1], at: 3, on: call.L, of: native, types)]
    }
    var changes: [(name: String, change: NativeChange, apply: () -> Void)] = []
    try lua.forEach(in: fields) { key, value in
      try lua.push(value, on: call.L)
      defer { clua_pop(call.L, 1) }
      let (change, apply) = try prepared(key, at: clua_top(call.L), on: call.L, of: native, types)
      changes.append((key.described, change, apply))
      return true
    }
    return changes.map { ($0.change, $0.apply) }
  }

  private func isSame(_ call: LuaCall) -> Bool {
    guard let left = object(at: 1, on: call.L), let right = object(at: 2, on: call.L) else { return false }
    if left === right { return true }
    let native = unboxed(left)
    guard !natives.types(of: native).isEmpty, let value = native as? any Equatable else { return false }
    return value.isEqual(to: unboxed(right))
  }

  private func described(_ call: LuaCall) -> String {
    guard let object = object(at: 1, on: call.L) else { return "object" }
    let native = unboxed(object)
    if (try? natives.checkOpen(object)) == nil { return "closed \(natives.types(of: native).first?.name ?? "object")" }
    guard let type = natives.types(of: native).first else { return "object" }
    return (native as? any CustomStringConvertible)?.description ?? type.name
  }
}

/// The arguments of a script's call, on its stack.
private final class ScriptArguments: NativeArguments {
  var L: OpaquePointer?
  private unowned let engine: ScriptEngine

  init(_ engine: ScriptEngine) { self.engine = engine }

  override func value(at place: Int) throws -> Value {
    guard let L else { return .null }
    let index = Int32(truncatingIfNeeded: place + 1)
    return try scalar(at: index, on: L) ?? engine.deepValue(at: index, on: L)
  }
}

extension ScriptEngine {
  /// The deepest nesting of a table for the program, and the most values in it.
  private static let (deepest, mostParts) = (64, 100_000)

  /// Returns the value at an index of a stack, with tables as lists and objects, and objects as they are.
  func deepValue(at index: Int32, on L: OpaquePointer) throws -> Value {
    var parts = 0
    defer { charge(parts) }
    return try deep(try lua.value(at: index, on: L), 0, &parts)
  }

  private func deep(_ given: LuaValue, _ depth: Int, _ parts: inout Int) throws -> Value {
    parts += 1
    if parts > Self.mostParts { throw LuaMisuse("a table for the program can have \(Self.mostParts) values at most") }
    guard case .table(let table) = given, !(try isHostTable(table)) else { return value(given) }
    if depth == Self.deepest { throw LuaMisuse("a table for the program can be \(Self.deepest) deep at most") }
    var (list, members): ([Int: Value], [(key: String, value: Value)]) = ([:], [])
    try lua.forEach(in: table) { key, value in
      switch key {
      case .integer(let place): list[place] = try deep(value, depth + 1, &parts)
      case .text(let name): members.append((name, try deep(value, depth + 1, &parts)))
      default: throw LuaMisuse("a table for the program has names or places as keys, not \(key.described)")
      }
      return true
    }
    if list.isEmpty { return .object(members.sorted { $0.key.precedesByBytes($1.key) }) }
    if !members.isEmpty { throw LuaMisuse("a table for the program must be a list or have names, not both") }
    return .list(
      try (1...list.count).map { place in
        guard let value = list[place] else {
          throw LuaMisuse("a list for the program must have no gaps: place \(place) is nil")
        }
        return value
      })
  }

  /// Throws if scripts can't hold a value of the program.
  func checkSize(of value: Value, from name: String) throws {
    switch value {
    case .text(let text):
      guard text.utf8.count <= lua.limits.block - 64 else {
        throw LuaMisuse(
          "'\(name)' returned a text of \(text.utf8.count) bytes, and a text can have \(lua.limits.block - 64)")
      }
    case .list(let values): for value in values { try checkSize(of: value, from: name) }
    case .object(let members): for member in members { try checkSize(of: member.value, from: name) }
    default: return
    }
    try lua.checkRoom(for: value.textBytes)
  }
}

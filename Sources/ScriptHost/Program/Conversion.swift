/// A *conversion* converts the values of scripts to a Swift type and back.
///
/// It is made once, when a function or a property is registered, so that a call only runs its closures.
struct Conversion<Native> {
  /// Computed on demand, because the names of types may be registered later.
  let form: () -> NativeForm
  /// Converts a value of a script. Throws `Mismatch` if the type doesn't fit.
  let read: (Value) throws -> Native
  /// Converts a value for scripts.
  let write: (Native) throws -> Value
}

/// The types that the program registered, for conversions.
protocol KnownTypes: AnyObject {
  func form(of type: Any.Type) -> NativeForm
  /// Returns true if a type is converted by its `Codable`. A registered type is a value by itself.
  func isCoded(_ type: Any.Type) -> Bool
  /// Throws if an object was closed.
  func checkOpen(_ object: AnyObject) throws
}

/// The description of a Swift type for people and editors.
struct NativeForm {
  /// The expected value in words: "a string", "a list".
  var expected: String
  /// The type in annotations for editors.
  var annotation: String
  /// Whether a script's table is a value of this type. If so, a table can't hold the arguments by name.
  var takesTable = false
  /// Whether the value may be missing.
  var isOptional = false
}

/// The error for a value of a wrong type, in a function, property or field of the program.
struct Mismatch: Error {
  let expected: String
  let found: String
  /// The type of the value, if the program registered it.
  let type: ObjectIdentifier?
  /// The path within the value: `[3]`, `.name`.
  var path = ""
  /// The end of the sentence: what the program can do about it.
  var help = ""

  init(_ expected: String, _ value: Value, help: String = "") {
    self.expected = expected
    self.help = help
    found = value.isNull ? "nil" : value.shown
    type = if case .opaque(let object) = value { ObjectIdentifier(Swift.type(of: unboxed(object))) } else { nil }
  }

  /// Returns the same mismatch within an outer value.
  func within(_ step: String) -> Mismatch {
    var outer = self
    outer.path = step + path
    return outer
  }
}

/// A type with its own conversion.
private protocol Converted {
  /// Returns a `Conversion` of this type; nil if its parts can't be converted.
  static func conversion(in natives: any KnownTypes) -> Any?
}

extension Conversion {
  /// Creates the conversion of a type: its own, else through its raw value, as an object, or through `Codable`.
  init(in natives: any KnownTypes) {
    if let own = (Native.self as? any Converted.Type)?.conversion(in: natives) as? Conversion<Native> {
      self = own
    } else if let raw = (Native.self as? any RawRepresentable.Type).flatMap({ Self.raw($0, natives) }) {
      self = raw
    } else if Native.self == Void.self {
      self.init(
        form: { NativeForm(expected: "nothing", annotation: "nil") }, read: { throw Mismatch("nothing", $0) },
        write: { _ in .null })
    } else if Native.self is AnyObject.Type {
      self = .object(in: natives)
    } else {
      self = .structure(in: natives)
    }
  }

  private static func raw<Raw: RawRepresentable>(_ type: Raw.Type, _ natives: any KnownTypes) -> Conversion<Native>? {
    let raw = Conversion<Raw.RawValue>(in: natives)
    let cases = (type as? any CaseIterable.Type).map { allCases($0) }?.compactMap { ($0 as? Raw)?.rawValue }
    let shown = cases?.compactMap { try? raw.write($0).shown }
    var form = raw.form()
    if let shown, !shown.isEmpty {
      form.expected = "one of " + shown.joined(separator: ", ")
      form.annotation = shown.map { $0.replacing("'", with: "\"") }.joined(separator: "|")
    }
    let made = Conversion<Raw>(
      form: { form },
      read: { value in
        guard let known = (try? raw.read(value)).flatMap(Raw.init(rawValue:)) else {
          throw Mismatch(form.expected, value)
        }
        return known
      }, write: { try raw.write($0.rawValue) })
    return made as? Conversion<Native>
  }

  private static func allCases<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { Array(type.allCases) }

  /// Returns the conversion of an object of the program, which keeps its identity.
  private static func object(in natives: any KnownTypes) -> Conversion<Native> {
    Conversion(
      form: { [unowned natives] in natives.form(of: Native.self) },
      read: { [unowned natives] value in
        guard case .opaque(let object) = value, let native = object as? Native else {
          throw Mismatch(natives.form(of: Native.self).expected, value)
        }
        try natives.checkOpen(object)
        return native
      }, write: { .opaque($0 as AnyObject) })
  }

  /// Returns the conversion of a value that is no object: boxed if its type is registered, else through its `Codable`.
  private static func structure(in natives: any KnownTypes) -> Conversion<Native> {
    Conversion(
      form: { [unowned natives] in
        natives.isCoded(Native.self)
          ? NativeForm(expected: "a table for \(Native.self)", annotation: "table", takesTable: true)
          : natives.form(of: Native.self)
      },
      read: { [unowned natives] value in
        if case .opaque(let object) = value, let native = (object as? BoxedValue)?.value as? Native { return native }
        guard natives.isCoded(Native.self), let type = Native.self as? any Decodable.Type else {
          throw Mismatch(natives.form(of: Native.self).expected, value, help: help(for: value))
        }
        guard let native = try ValueDecoder(value, in: natives).decode(type) as? Native else {
          throw Mismatch("a table for \(Native.self)", value)
        }
        return native
      },
      write: { [unowned natives] native in
        guard natives.isCoded(Native.self), let encodable = native as? any Encodable else { return .boxed(native) }
        return try ValueEncoder.encode(encodable, in: natives)
      })
  }

  /// Returns the end of an error for a value that no script can convert to this type.
  private static func help(for value: Value) -> String {
    if "\(Native.self)".contains("->") { return "; a script can't pass a function to the program" }
    return value.members == nil && value.listed == nil
      ? "" : "; to take tables, the program makes \(Native.self) Codable"
  }
}

// MARK: Types that are converted by themselves

extension Conversion {
  fileprivate init(
    _ expected: String, _ annotation: String, _ read: @escaping (Value) -> Native?,
    _ write: @escaping (Native) -> Value
  ) {
    let form = NativeForm(expected: expected, annotation: annotation)
    self.init(
      form: { form },
      read: { value in
        guard let native = read(value) else { throw Mismatch(expected, value) }
        return native
      }, write: write)
  }
}

extension Value: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    Conversion<Value>(
      form: { NativeForm(expected: "any value", annotation: "any", takesTable: true, isOptional: true) }, read: { $0 },
      write: { $0 })
  }
}

extension Bool: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    Conversion<Bool>("a boolean", "boolean", Bool.init(value:), Value.bool)
  }
}

extension String: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    Conversion<String>("a string", "string", String.init(value:), Value.text)
  }
}

extension Double: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    Conversion<Double>("a number", "number", Double.init(value:), Value.number)
  }
}

extension Float: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    Conversion<Float>("a number", "number", { Double(value: $0).map(Float.init) }, { .number(Double($0)) })
  }
}

extension FixedWidthInteger {
  fileprivate static var wholeNumber: Any {
    let bounds = Self.bitWidth < Int.bitWidth ? " from \(Self.min) to \(Self.max)" : ""
    return Conversion<Self>(
      form: { NativeForm(expected: "an integer\(bounds)", annotation: "integer") },
      read: { value in
        guard let whole = Int(value: value), let native = Self(exactly: whole) else {
          throw Mismatch("an integer\(bounds)", value)
        }
        return native
      },
      write: { native in
        // Lua has only signed integers of 64 bits.
        guard let whole = Int(exactly: native) else { throw Mismatch("an integer of Lua's", .text("\(native)")) }
        return .integer(whole)
      })
  }
}

extension Int: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension Int8: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension Int16: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension Int32: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension Int64: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension UInt: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension UInt8: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension UInt16: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension UInt32: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }
extension UInt64: Converted { fileprivate static func conversion(in natives: any KnownTypes) -> Any? { wholeNumber } }

// MARK: Types that hold others

extension Optional: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    let inner = Conversion<Wrapped>(in: natives)
    return Conversion<Wrapped?>(
      form: {
        var form = inner.form()
        form.isOptional = true
        if !form.annotation.hasSuffix("?") {
          form.annotation = form.annotation.contains("|") ? "(\(form.annotation))?" : form.annotation + "?"
        }
        return form
      }, read: { $0.isNull ? .none : try inner.read($0) }, write: { try $0.map(inner.write) ?? .null })
  }
}

extension Array: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    let inner = Conversion<Element>(in: natives)
    return Conversion<[Element]>(
      form: {
        let element = inner.form()
        let isUnion = element.annotation.contains("|") && !element.annotation.hasPrefix("(")
        let annotation = isUnion ? "(\(element.annotation))[]" : "\(element.annotation)[]"
        return NativeForm(expected: "a list", annotation: annotation, takesTable: true)
      },
      read: { value in
        guard let values = value.listed else { throw Mismatch("a list", value) }
        var natives: [Element] = []
        natives.reserveCapacity(values.count)
        for value in values {
          do { natives.append(try inner.read(value)) } catch let wrong as Mismatch {
            throw wrong.within("[\(natives.count + 1)]")
          }
        }
        return natives
      }, write: { .list(try $0.map(inner.write)) })
  }
}

extension Dictionary: Converted {
  fileprivate static func conversion(in natives: any KnownTypes) -> Any? {
    guard Key.self == String.self else { return nil }
    let inner = Conversion<Value>(in: natives)
    return Conversion<[String: Value]>(
      form: {
        NativeForm(
          expected: "a table", annotation: "table<string, \(inner.form().annotation)>", takesTable: true)
      },
      read: { given in
        guard let members = given.members else { throw Mismatch("a table", given) }
        var natives: [String: Value] = [:]
        for (key, value) in members {
          do { natives[key] = try inner.read(value) } catch let wrong as Mismatch { throw wrong.within(".\(key)") }
        }
        return natives
      },
      write: { natives in
        .object(try natives.sorted { $0.key.precedesByBytes($1.key) }.map { ($0.key, try inner.write($0.value)) })
      })
  }
}

extension Value {
  /// The values of a list. An empty table counts as a list.
  var listed: [Value]? {
    switch self {
    case .list(let values): values
    case .object(let members) where members.isEmpty: []
    default: nil
    }
  }

  /// The members of a table with names. An empty list counts as a table.
  var members: [(key: String, value: Value)]? {
    switch self {
    case .object(let members): members
    case .list(let values) where values.isEmpty: []
    default: nil
    }
  }
}

/// A *native type* declares the properties and methods that scripts see on the program's values of one type.
final class NativeType {
  let name: String
  let type: Any.Type
  /// A sentence about the values.
  let about: String?
  /// Returns true if a value is of this type or a subtype.
  let includes: (Any) -> Bool
  /// Returns true if another type is this type or a subtype.
  let isAbove: (Any.Type) -> Bool
  var properties: [String: NativeProperty] = [:]
  var methods: [String: NativeFunction] = [:]

  init<Native>(_ type: Native.Type, name: String, about: String?) {
    self.type = type
    self.name = name
    self.about = about
    includes = { $0 is Native }
    isAbove = { $0 is Native.Type }
  }

  /// The name of a value for messages.
  var described: String { name.withArticle }

  /// The names of all properties and methods.
  var names: [String] { Array(properties.keys) + Array(methods.keys) }
}

/// A *native property* is a field of a native type.
struct NativeProperty {
  let name: String
  let about: String?
  let form: () -> NativeForm
  let read: (Any) throws -> Value
  /// Checks a value. Returns the change for undo, and a closure that writes it. Nil if scripts can't write the field.
  let write: ((Any, Value) throws -> (change: NativeChange, apply: () -> Void))?
}

/// Declares the properties and methods that scripts see on a type of the program.
///
/// ```swift
/// let host = ScriptHost()
/// host.type(Photo.self, name: "Photo") { photo in
///   photo.property("rating", \.rating, in: 0...5)
///   photo.method("reset") { $0.rating = 0 }
/// }
/// ```
public struct TypeEditor<Native> {
  let type: NativeType
  let natives: any KnownTypes
  /// Reports a name that can't be declared.
  let check: (String, _ parameters: [String]?, Int) -> Bool

  /// Declares a field that scripts read.
  public func property<Field>(_ name: String, _ path: KeyPath<Native, Field>, about: String? = nil) {
    let conversion = Conversion<Field>(in: natives)
    add(
      NativeProperty(
        name: name, about: about, form: conversion.form, read: { try conversion.write(Self.native($0)[keyPath: path]) },
        write: nil))
  }

  /// Declares a field that scripts read and write.
  public func property<Field>(
    _ name: String, writable path: ReferenceWritableKeyPath<Native, Field>, about: String? = nil
  ) where Native: AnyObject {
    add(name, path, about, Conversion<Field>(in: natives))
  }

  /// Declares a field that scripts read, and write within a range.
  public func property<Field: Comparable>(
    _ name: String, _ path: ReferenceWritableKeyPath<Native, Field>, in range: ClosedRange<Field>, about: String? = nil
  ) where Native: AnyObject {
    let whole = Conversion<Field>(in: natives)
    let form: () -> NativeForm = {
      var form = whole.form()
      form.expected += " from \(range.lowerBound) to \(range.upperBound)"
      return form
    }
    let read: (Value) throws -> Field = { value in
      guard let field = try? whole.read(value), range.contains(field) else { throw Mismatch(form().expected, value) }
      return field
    }
    add(name, path, about, Conversion(form: form, read: read, write: whole.write))
  }

  /// Declares a method. The closure's first parameter is the object.
  public func method<each Argument, Result>(
    _ name: String, _ parameters: String..., reads: Bool = false, needs: String? = nil, about: String? = nil,
    _ body: @escaping (Native, repeat each Argument) throws -> Result
  ) {
    let facts = NativeFunction.Facts(
      name: "\(type.name):\(name)", parameters: parameters, reads: reads, needs: needs, about: about)
    add(name, NativeFunction(facts, of: Native.self, in: natives, body), named: parameters)
  }

  /// Declares a method that runs outside of the host's isolation. A script waits for its result, as in `sleep`.
  public func method<each Argument: Sendable, Result: Sendable>(
    _ name: String, _ parameters: String..., reads: Bool = false, needs: String? = nil, about: String? = nil,
    _ body: @escaping @Sendable (Native, repeat each Argument) async throws -> Result
  ) where Native: Sendable {
    let facts = NativeFunction.Facts(
      name: "\(type.name):\(name)", parameters: parameters, reads: reads, needs: needs, about: about)
    add(name, NativeFunction(facts, of: Native.self, in: natives, awaiting: body), named: parameters)
  }

  private func add<Field>(
    _ name: String, _ path: ReferenceWritableKeyPath<Native, Field>, _ about: String?, _ conversion: Conversion<Field>
  ) where Native: AnyObject {
    add(
      NativeProperty(
        name: name, about: about, form: conversion.form, read: { try conversion.write(Self.native($0)[keyPath: path]) },
        write: { object, value in
          let (native, field) = (try Self.native(object), try conversion.read(value))
          return (.set(native, path, from: native[keyPath: path]), { native[keyPath: path] = field })
        }))
  }

  private func add(_ property: NativeProperty) {
    guard check(property.name, nil, 0) else { return }
    type.methods[property.name] = nil
    type.properties[property.name] = property
  }

  func add(_ name: String, _ method: NativeFunction, named parameters: [String]) {
    guard check(name, parameters, method.parameters.count) else { return }
    type.properties[name] = nil
    type.methods[name] = method
  }

  private static func native(_ object: Any) throws -> Native {
    guard let native = object as? Native else { throw Mismatch("a \(Native.self)", .boxed(object)) }
    return native
  }
}

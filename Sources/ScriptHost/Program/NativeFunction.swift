/// The arguments of a script's call of a native function.
class NativeArguments {
  /// The place of the argument that is being converted, from 0; nil before and after.
  final var position: Int?

  /// Returns the argument at a place, from 0; null if it is missing.
  func value(at place: Int) throws -> Value { .null }

  /// Converts the next argument.
  final func next<Native>(_ conversion: Conversion<Native>) throws -> Native {
    let place = position.map { $0 + 1 } ?? 0
    position = place
    return try conversion.read(try value(at: place))
  }
}

/// A *native function* is a closure of the embedding program that scripts call.
final class NativeFunction {
  /// A named parameter.
  struct Parameter {
    let name: String
    let form: () -> NativeForm
  }

  /// The closure of a function.
  enum Body {
    case call((NativeArguments) throws -> Value)
    /// Converts the arguments, and returns a closure that runs outside of the host. `finish` converts its result.
    case start(
      (NativeArguments) throws -> @Sendable () async throws -> any Sendable, finish: (any Sendable) throws -> Value)
  }

  /// The name as scripts write it: `library.photos`, `photo:rotate`.
  let name: String
  let parameters: [Parameter]
  let result: () -> NativeForm
  /// Whether scripts may call it where they may only read, as in `can`.
  let reads: Bool
  /// The capability that a script needs to call it.
  let needs: String?
  /// A sentence about the function.
  let about: String?
  /// Whether its first argument is the object of the method, which is no parameter.
  let isMethod: Bool
  let body: Body
  /// Whether it was removed.
  var isRemoved = false
  /// Whether the first argument may be a table of all arguments by their names.
  private(set) lazy var takesNames = parameters.first.map { !$0.form().takesTable } ?? false

  init(
    _ facts: Facts, _ parameters: [Parameter], isMethod: Bool = false, result: @escaping () -> NativeForm, _ body: Body
  ) {
    name = facts.name
    reads = facts.reads
    needs = facts.needs
    about = facts.about
    self.parameters = parameters
    self.isMethod = isMethod
    self.result = result
    self.body = body
  }

  /// The facts about a function beside its types.
  struct Facts {
    let name: String
    let parameters: [String]
    let reads: Bool
    let needs: String?
    let about: String?
  }
}

extension NativeFunction {
  /// Creates a function from a closure, with the closure's types.
  convenience init<each Argument, Result>(
    _ facts: Facts, in natives: any KnownTypes, _ body: @escaping (repeat each Argument) throws -> Result
  ) {
    let arguments = (repeat Conversion<each Argument>(in: natives))
    let result = Conversion<Result>(in: natives)
    self.init(
      facts, Self.parameters(facts.parameters, repeat each arguments), result: result.form,
      .call { given in
        let value = try Self.called(given, body, repeat each arguments)
        return try result.write(value)
      })
  }

  /// Creates a method from a closure whose first parameter is the object.
  convenience init<Object, each Argument, Result>(
    _ facts: Facts, of object: Object.Type, in natives: any KnownTypes,
    _ body: @escaping (Object, repeat each Argument) throws -> Result
  ) {
    let arguments = (repeat Conversion<each Argument>(in: natives))
    let object = Conversion<Object>(in: natives)
    let result = Conversion<Result>(in: natives)
    self.init(
      facts, Self.parameters(facts.parameters, repeat each arguments), isMethod: true, result: result.form,
      .call { given in
        let value = try Self.called(given, body, object, repeat each arguments)
        return try result.write(value)
      })
  }

  /// Creates a function from a closure that runs outside of the host.
  convenience init<each Argument: Sendable, Result: Sendable>(
    _ facts: Facts, in natives: any KnownTypes,
    awaiting body: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) {
    let arguments = (repeat Conversion<each Argument>(in: natives))
    let result = Conversion<Result>(in: natives)
    self.init(
      facts, Self.parameters(facts.parameters, repeat each arguments), result: result.form,
      .start(
        { given in
          let converted = (repeat try given.next(each arguments))
          given.position = nil
          return { try await body(repeat each converted) }
        }, finish: { try ($0 as? Result).map(result.write) ?? .null }))
  }

  /// Creates a method from a closure that runs outside of the host, and whose first parameter is the object.
  convenience init<Object: Sendable, each Argument: Sendable, Result: Sendable>(
    _ facts: Facts, of object: Object.Type, in natives: any KnownTypes,
    awaiting body: @escaping @Sendable (Object, repeat each Argument) async throws -> Result
  ) {
    let arguments = (repeat Conversion<each Argument>(in: natives))
    let object = Conversion<Object>(in: natives)
    let result = Conversion<Result>(in: natives)
    self.init(
      facts, Self.parameters(facts.parameters, repeat each arguments), isMethod: true, result: result.form,
      .start(
        { given in
          let object = try given.next(object)
          let converted = (repeat try given.next(each arguments))
          given.position = nil
          return { try await body(object, repeat each converted) }
        }, finish: { try ($0 as? Result).map(result.write) ?? .null }))
  }

  private static func called<each Argument, Result>(
    _ given: NativeArguments, _ body: (repeat each Argument) throws -> Result,
    _ arguments: repeat Conversion<each Argument>
  ) throws -> Result {
    let converted = (repeat try given.next(each arguments))
    given.position = nil
    return try body(repeat each converted)
  }

  /// Returns the parameters with their names. A parameter without a name is named by its place.
  static func parameters<each Argument>(
    _ names: [String], _ arguments: repeat Conversion<each Argument>
  ) -> [Parameter] {
    var parameters: [Parameter] = []
    for argument in repeat each arguments {
      let place = parameters.count
      parameters.append(
        Parameter(name: names.indices.contains(place) ? names[place] : "argument\(place + 1)", form: argument.form))
    }
    return parameters
  }
}

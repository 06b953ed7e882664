import CLua
import CScript

// Pushes the arguments, info and other fields of a call; C writes them into the context.

extension FusedPlan {
  /// The fields of the request that the handler and the `can` may read; nil where their code doesn't tell, or where one of them may pass the context
  /// on. Computed when first asked for.
  @inline(__always)
  var fieldsRead: RequestFields? {
    if !isReadKnown { lookForFieldsRead() }
    return readFields
  }

  @inline(never)
  private func lookForFieldsRead() {
    isReadKnown = true
    readFields = slot == nil && hasPlainArguments ? RequestFields(readBy: [candidate.handler, candidate.can]) : nil
  }

  /// Pushes what a call gives beside the reference: a new context, if there is none yet, and above it keys with their values, which C writes into it,
  /// the last first. What nobody reads is left out. Returns nil, and pushes nothing, where Swift has to write it.
  func pushGiven(_ options: PerformOptions, hasContext: Bool = false) -> GivenKeys? {
    if options.isUsual { return GivenKeys(hasContext: hasContext) }
    let (arguments, info) = (options.arguments.members, options.info.members)
    guard engine.viewer == nil, let fields = fieldsRead else { return nil }
    let count = arguments.count + info.count + fields.count
    if count == 0 { return GivenKeys(hasContext: hasContext) }
    let L = lua.L
    guard count <= CLUA_GIVEN, clua_room(L, 2 * Int32(CLUA_GIVEN) + 10) else { return nil }
    if !hasContext { clua_newContextOf(L, pointer, Int32(truncatingIfNeeded: count)) }
    var given = GivenKeys(hasContext: true)
    if !fields.isEmpty { push(fields, of: options, &given.count) }
    for index in arguments.indices { push(arguments[index].key, arguments[index].value, L, &given.count) }
    for index in info.indices where literals?[info[index].key] == nil {
      push(info[index].key, info[index].value, L, &given.count)
    }
    return given
  }

  /// What `pushGiven` left on the stack for a run.
  struct GivenKeys {
    /// Whether the context is on the stack.
    let hasContext: Bool
    /// How many of the call's own keys are above it, each with its value.
    var count: Int32 = 0
  }

  @inline(never)
  func push(_ fields: RequestFields, of options: PerformOptions, _ given: inout Int32) {
    let request = request(options)
    let keys = engine.requestKeys
    engine.speaking(to: nil) {
      if fields.contains(.args), options.givesArguments {
        push(keys.args, .object(request.arguments.given), &given)
      }
      if fields.contains(.modifiers), !options.modifiers.isEmpty {
        push(keys.modifiers, .object(request.modifiers.map { ($0, .bool(true)) }), &given)
      }
      if fields.contains(.subject), !options.subject.isNull { push(keys.subject, options.subject, &given) }
      if fields.contains(.sender), options.sender != .app {
        push(keys.sender, engine.sender(options.sender), &given)
      }
    }
  }

  func push(_ key: Int32, _ value: Value, _ given: inout Int32) {
    clua_pushReference(lua.L, key)
    engine.push(value, on: lua.L)
    given += 1
  }

  /// Pushes a key and its value, unless the key is one of the host's names.
  @inline(__always)
  func push(_ key: String, _ value: Value, _ L: OpaquePointer, _ given: inout Int32) {
    let isFree = key.withBytes { bytes in
      if HostNames.contains(bytes) { return false }
      clua_pushBytes(L, bytes.baseAddress, bytes.count)
      return true
    }
    guard isFree else { return }
    given += 1
    switch value {
    case .integer(let number): clua_pushInteger(L, Int64(number))
    case .text(let text): text.withBytes { clua_pushBytes(L, $0.baseAddress, $0.count) }
    default: engine.push(value, on: L)
    }
  }
}

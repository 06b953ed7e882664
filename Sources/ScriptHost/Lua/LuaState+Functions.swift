import CLua

/// A script's call of a Swift function, with its arguments. Valid only during the call.
struct LuaCall {
  let L: OpaquePointer
  let state: LuaState

  /// The place of the call in the script.
  var place: LuaError.Place? { state.place(level: 1, on: L) }

  /// The number of arguments.
  var count: Int { Int(clua_top(L)) }

  /// The argument at an index, from 0; nil if there is none.
  subscript(index: Int) -> LuaValue {
    get throws(LuaError) {
      guard index >= 0, index < count, let index = Int32(exactly: index + 1) else { return .nil }
      return try state.value(at: index, on: L)
    }
  }

  var arguments: [LuaValue] {
    get throws(LuaError) { try state.values(from: 1, on: L) }
  }
}

/// The result of a Swift function for a script.
enum LuaReturn {
  case values([LuaValue])
  /// This many results are already on the stack.
  case pushed(Int)
  /// A function and this many arguments are on the stack. Its results are the results.
  case call(Int)
  /// Suspends the calling coroutine, which gets the values with which it is resumed.
  case yield([LuaValue])

  static var nothing: LuaReturn { .values([]) }
}

/// A Swift function that Lua holds.
final class LuaFunctionBox {
  unowned let state: LuaState
  let body: (LuaCall) throws -> LuaReturn

  init(state: LuaState, body: @escaping (LuaCall) throws -> LuaReturn) {
    self.state = state
    self.body = body
  }
}

extension LuaState {
  /// Creates a function for scripts. Its errors travel through the script and arrive unchanged.
  func function(_ body: @escaping (LuaCall) throws -> LuaReturn) -> LuaFunction {
    function(body) { clua_pushFunction($0, $1) }
  }

  /// Creates a function that `push` pushes itself. C calls the body only for cases that C doesn't handle.
  func function(
    _ body: @escaping (LuaCall) throws -> LuaReturn, pushed push: (OpaquePointer, UnsafeMutableRawPointer) -> Void
  ) -> LuaFunction {
    self.push(function: body, on: L, by: push)
    return LuaFunction(reference: takeReference())
  }

  /// Pushes a function for scripts.
  func push(
    function body: @escaping (LuaCall) throws -> LuaReturn, on L: OpaquePointer,
    by push: (OpaquePointer, UnsafeMutableRawPointer) -> Void = { clua_pushFunction($0, $1) }
  ) {
    push(L, Unmanaged.passRetained(LuaFunctionBox(state: self, body: body)).toOpaque())
  }
}

/// Runs a Swift function for Lua. It catches all errors, because only C may raise, after this frame is gone.
func runSwift(_ L: OpaquePointer?, _ object: UnsafeMutableRawPointer?) -> Int32 {
  guard let L, let object else { return 0 }
  let box = Unmanaged<LuaFunctionBox>.fromOpaque(object).takeUnretainedValue()
  return box.state.run(box.body, on: L)
}

/// Releases an object that Lua held.
func releaseSwift(_ object: UnsafeMutableRawPointer?) {
  guard let object else { return }
  Unmanaged<AnyObject>.fromOpaque(object).release()
}

extension LuaState {
  fileprivate func run(_ body: (LuaCall) throws -> LuaReturn, on L: OpaquePointer) -> Int32 {
    settleDropped()
    do {
      switch try copying({ try on(L, { try body(LuaCall(L: L, state: self)) }) }) {
      case .values(let values):
        try push(values, on: L)
        return Int32(values.count)
      case .pushed(let count):
        return Int32(clamping: count)
      case .call(let count):
        clua_pushInteger(L, Int64(count))
        return Int32(CLUA_CALL)
      case .yield(let values):
        try push(values, on: L)
        clua_pushInteger(L, Int64(values.count))
        return Int32(CLUA_YIELD)
      }
    } catch let misuse as LuaMisuse {
      lastMisuse = misuse.message
      clua_setTop(L, 0)  // the results so far may have left no room
      push(text: misuse.message, on: L)
      return Int32(CLUA_RAISE_AT)
    } catch let error as LuaError where error.kind == .refused {
      clua_setTop(L, 0)
      clua_pushRefusal(L)
      return Int32(CLUA_RAISE)
    } catch {
      clua_setTop(L, 0)
      push(LuaFailure(error), on: L)
      return Int32(CLUA_RAISE)
    }
  }
}

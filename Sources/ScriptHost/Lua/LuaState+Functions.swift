import CLua

/// A call of a Swift function by a script, with its arguments.
///
/// It is good only during the call.
struct LuaCall {
  let L: OpaquePointer
  let state: LuaState

  /// Where in the script the call stands.
  var place: LuaError.Place? { state.place(level: 1, on: L) }

  /// How many arguments there are.
  var count: Int { Int(clua_top(L)) }

  /// An argument, counted from 0; nil where there is none.
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

/// What a function of Swift's gives back to the script.
enum LuaReturn {
  case values([LuaValue])
  /// The results are so many values, already on the stack.
  case pushed(Int)
  /// A function and so many arguments are on the stack; it is called, and its results are the results.
  case call(Int)
  /// Suspends the coroutine that called, which gets what it is resumed with.
  case yield([LuaValue])

  static var nothing: LuaReturn { .values([]) }
}

/// A function of Swift's that Lua holds.
final class LuaFunctionBox {
  unowned let state: LuaState
  let body: (LuaCall) throws -> LuaReturn

  init(state: LuaState, body: @escaping (LuaCall) throws -> LuaReturn) {
    self.state = state
    self.body = body
  }
}

extension LuaState {
  /// Makes a function that scripts can call. What it throws travels through the script and comes out as the same error.
  func function(_ body: @escaping (LuaCall) throws -> LuaReturn) -> LuaFunction {
    function(body) { clua_pushFunction($0, $1) }
  }

  /// Makes a function that `push` pushes in its own way; C calls the body for what it doesn't do itself.
  func function(
    _ body: @escaping (LuaCall) throws -> LuaReturn, pushed push: (OpaquePointer, UnsafeMutableRawPointer) -> Void
  ) -> LuaFunction {
    self.push(function: body, on: L, by: push)
    return LuaFunction(reference: takeReference())
  }

  /// Pushes a function that scripts can call.
  func push(
    function body: @escaping (LuaCall) throws -> LuaReturn, on L: OpaquePointer,
    by push: (OpaquePointer, UnsafeMutableRawPointer) -> Void = { clua_pushFunction($0, $1) }
  ) {
    push(L, Unmanaged.passRetained(LuaFunctionBox(state: self, body: body)).toOpaque())
  }
}

/// Runs a Swift function for Lua. Everything it throws is caught here: only C raises, after this frame is gone.
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

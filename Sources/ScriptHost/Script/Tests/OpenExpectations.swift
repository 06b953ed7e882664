/// The expectations of a test that no method was called on: `expect(x)` with nothing after it checks nothing.
struct OpenExpectations {
  private var places: [Int64: LuaError.Place] = [:]
  private var last: Int64 = 0

  /// Adds an expectation, and returns its number.
  mutating func open(at place: LuaError.Place?) -> Int64 {
    last += 1
    if let place { places[last] = place }
    return last
  }

  mutating func close(_ number: Int64) { places[number] = nil }

  /// The place of the first open expectation.
  var firstOpen: LuaError.Place? { places.min { $0.key < $1.key }?.value }
}

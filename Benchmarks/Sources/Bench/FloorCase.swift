import Floor

/// A floor of C's, closed with its last user.
final class FloorCase {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer?) throws {
    guard let pointer else { throw BenchError("a floor's script doesn't load") }
    self.pointer = pointer
  }

  deinit { floor_close(pointer) }

  var body: Body { { Int(floor_run(self.pointer, Int64($0))) } }
}

/// Why there is no result.
struct BenchError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

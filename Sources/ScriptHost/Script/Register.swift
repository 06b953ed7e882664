/// A *register* finds objects by the number in the table of Lua's that stands for them. It doesn't keep them: each takes itself out.
final class Register<Object: AnyObject> {
  private var objects: [Int64: Unmanaged<Object>] = [:]
  /// Some that were found already, each in the place that the end of its number names.
  private let found: UnsafeMutablePointer<Found>

  private struct Found {
    var number: Int64 = -1
    var object: Unmanaged<Object>?
  }

  private static var places: Int { 16 }

  init() {
    found = .allocate(capacity: Self.places)
    found.initialize(repeating: Found(), count: Self.places)
  }

  deinit { found.deallocate() }

  var count: Int { objects.count }

  @inline(__always)
  private func place(of number: Int64) -> UnsafeMutablePointer<Found> { found + Int(number) & (Self.places - 1) }

  subscript(number: Int64) -> Object? {
    get {
      let place = place(of: number)
      if place.pointee.number != number { place.pointee = Found(number: number, object: objects[number]) }
      return place.pointee.object?.takeUnretainedValue()
    }
    set {
      objects[number] = newValue.map(Unmanaged.passUnretained)
      place(of: number).pointee = Found()
    }
  }
}

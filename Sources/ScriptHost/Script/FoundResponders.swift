/// A cache of the responders found last by the numbers of their tables. The last bits of a number choose its slot.
final class FoundResponders {
  private let places: UnsafeMutablePointer<Place>
  private var isEmpty = true

  struct Place {
    var number: Int64 = -1
    unowned(unsafe) var responder: Responder?
    unowned(unsafe) var owner: ScriptOwner?
  }

  private static var count: Int { 16 }

  init() {
    places = .allocate(capacity: Self.count)
    places.initialize(repeating: Place(), count: Self.count)
  }

  deinit { places.deallocate() }

  @inline(__always)
  private func place(of number: Int64) -> UnsafeMutablePointer<Place> { places + Int(number) & (Self.count - 1) }

  subscript(number: Int64) -> (responder: Responder, owner: ScriptOwner)? {
    let place = place(of: number)
    guard place.pointee.number == number, let responder = place.pointee.responder, let owner = place.pointee.owner
    else {
      return nil
    }
    return (responder, owner)
  }

  func note(_ number: Int64, _ responder: Responder, _ owner: ScriptOwner) {
    place(of: number).pointee = Place(number: number, responder: responder, owner: owner)
    isEmpty = false
  }

  func forget() {
    guard !isEmpty else { return }
    places.update(repeating: Place(), count: Self.count)
    isEmpty = true
  }
}

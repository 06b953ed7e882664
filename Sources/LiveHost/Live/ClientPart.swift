import ScriptHost

/// A *client part* is what a client has in the host: its responders, its objects, and the calls that it has still to answer.
final class ClientPart {
  let owner: Owner
  let objects: ClientObjects
  var responders: [String: ClientResponder] = [:]
  private(set) var calls: [Int: ClientCall] = [:]
  private var lastCall = 0

  init(_ owner: Owner, _ objects: ClientObjects) {
    self.owner = owner
    self.objects = objects
  }

  /// Keeps a call until it is answered. Returns its number, which no other call of this client has.
  func add(_ call: ClientCall) -> Int {
    lastCall += 1
    calls[lastCall] = call
    return lastCall
  }

  /// Takes out a call that is over; returns its number, nil if it isn't there any more.
  func take(_ call: ClientCall) -> Int? {
    guard let number = calls.first(where: { $0.value === call })?.key else { return nil }
    calls[number] = nil
    return number
  }

  func take(_ number: Int) -> ClientCall? { calls.removeValue(forKey: number) }
}

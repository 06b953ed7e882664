import ScriptHost

/// A *client part* is what a client has in the host: responders, objects, and the calls that it must still answer.
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

  /// Keeps a call until the client answers it. Returns a number, unique within this client.
  func add(_ call: ClientCall) -> Int {
    lastCall += 1
    calls[lastCall] = call
    return lastCall
  }

  /// Removes a call that is over. Returns its number; nil if the call was removed already.
  func take(_ call: ClientCall) -> Int? {
    guard let number = calls.first(where: { $0.value === call })?.key else { return nil }
    calls[number] = nil
    return number
  }

  func take(_ number: Int) -> ClientCall? { calls.removeValue(forKey: number) }
}

/// A *client object* is an object of a client's, a program outside of the host. Scripts pass it on and compare it, and can't look into it.
package final class ClientObject: Sendable {
  /// The number by which its client knows it.
  package let id: Int
  /// The number of the client that has it.
  package let client: Int

  package init(_ id: Int, of client: Int) {
    self.id = id
    self.client = client
  }
}

/// A variable behind a constant pointer.
///
/// It avoids the exclusivity check on each access to a class's variable, which costs as much as what a perform does with it.
/// The code that makes a cell frees it.
struct Cell<Value> {
  private let memory: UnsafeMutablePointer<Value>

  var pointer: UnsafePointer<Value> { UnsafePointer(memory) }

  init(_ value: Value) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: value)
  }

  @inline(__always)
  var value: Value {
    unsafeAddress { UnsafePointer(memory) }
    nonmutating unsafeMutableAddress { memory }
  }

  /// Takes out what the cell holds, and leaves nil.
  @inline(__always)
  func take<Wrapped>() -> Wrapped? where Value == Wrapped? {
    let value = memory.move()
    memory.initialize(to: nil)
    return value
  }

  func free() {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}

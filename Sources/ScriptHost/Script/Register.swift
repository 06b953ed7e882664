/// A *register* finds objects by the number in the Lua table that stands for them. It doesn't retain them: each removes itself.
final class Register<Object: AnyObject> {
  private var objects: [Int64: Unmanaged<Object>] = [:]

  var count: Int { objects.count }
  /// All objects; one with several numbers is there several times.
  var all: [Object] { objects.values.map { $0.takeUnretainedValue() } }

  subscript(number: Int64) -> Object? {
    get { objects[number]?.takeUnretainedValue() }
    set { objects[number] = newValue.map(Unmanaged.passUnretained) }
  }
}

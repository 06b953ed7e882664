/// A *register* finds objects by the number in the table of Lua's that stands for them. It doesn't keep them: each takes itself out.
final class Register<Object: AnyObject> {
  private var objects: [Int64: Unmanaged<Object>] = [:]
  /// Told when what was found by a number may be another now.
  var onChange: (() -> Void)?

  var count: Int { objects.count }
  /// All of them; one that is found by several numbers is there several times.
  var all: [Object] { objects.values.map { $0.takeUnretainedValue() } }

  subscript(number: Int64) -> Object? {
    get { objects[number]?.takeUnretainedValue() }
    set {
      objects[number] = newValue.map(Unmanaged.passUnretained)
      onChange?()
    }
  }
}

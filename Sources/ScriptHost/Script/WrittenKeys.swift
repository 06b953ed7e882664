import CScript

/// The keys that each of several providers may write; C looks at them to note what was supplied.
final class WrittenKeys {
  private let keys: UnsafeMutableBufferPointer<Int32>
  private let written: UnsafeMutableBufferPointer<clua_Written>

  var pointer: UnsafePointer<clua_Written>? { UnsafePointer(written.baseAddress) }

  /// - Parameter reference: gives the reference of a name as Lua's string.
  init(_ names: [[String]], reference: (String) -> Int32) {
    keys = .allocate(capacity: names.reduce(0) { $0 + $1.count })
    written = .allocate(capacity: names.count)
    var first = 0
    for (index, names) in names.enumerated() {
      for (key, name) in names.enumerated() { keys.initializeElement(at: first + key, to: reference(name)) }
      let start = keys.baseAddress.map { UnsafePointer($0 + first) }
      written.initializeElement(at: index, to: clua_Written(keys: start, count: Int32(clamping: names.count)))
      first += names.count
    }
  }

  deinit {
    keys.deallocate()
    written.deallocate()
  }
}

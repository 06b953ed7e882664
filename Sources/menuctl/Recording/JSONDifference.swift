import LiveHost
import ScriptHost

/// A part in which one JSON value differs from another.
struct JSONDifference: Equatable {
  /// Which part: `.status`, `.changes[0].element.state`; empty for the whole.
  let path: String
  /// What was to be there; nil where nothing was.
  let expected: JSON?
  /// What is there; nil where nothing is.
  let found: JSON?

  /// The parts in which two values differ, in the order of the first.
  static func all(_ expected: JSON, _ found: JSON, at path: String = "") -> [JSONDifference] {
    switch (expected, found) {
    case (.object(let left), .object(let right)):
      // By name, because a recording could have tens of thousands.
      let others = Dictionary(right.map { (ByteText($0.0), $0.1) }) { first, _ in first }
      let missing = left.flatMap { name, value in
        let part = "\(path).\(name)"
        guard let other = others[ByteText(name)] else {
          return [JSONDifference(path: part, expected: value, found: nil)]
        }
        return all(value, other, at: part)
      }
      let names = Set(left.map { ByteText($0.0) })
      let added = right.filter { !names.contains(ByteText($0.0)) }
      return missing + added.map { JSONDifference(path: "\(path).\($0.0)", expected: nil, found: $0.1) }
    case (.list(let left), .list(let right)):
      return (0..<max(left.count, right.count)).flatMap { index in
        let part = "\(path)[\(index)]"
        guard left.indices.contains(index), right.indices.contains(index) else {
          return [
            JSONDifference(
              path: part, expected: left.indices.contains(index) ? left[index] : nil,
              found: right.indices.contains(index) ? right[index] : nil)
          ]
        }
        return all(left[index], right[index], at: part)
      }
    default: return expected == found ? [] : [JSONDifference(path: path, expected: expected, found: found)]
    }
  }
}

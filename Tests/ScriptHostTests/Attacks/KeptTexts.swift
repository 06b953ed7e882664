@testable import ScriptHost

/// Finds every text that a host or a result holds: in fields, collections, superclasses and enums.
struct KeptTexts {
  /// The bytes of all texts together.
  private(set) var bytes = 0
  /// The longest of them, with the way to it.
  private(set) var longest = (bytes: 0, path: "")
  private var seen: Set<ObjectIdentifier> = []
  private var open: [(value: Any, path: String)] = []

  init(in roots: [Any]) {
    open = roots.map { ($0, "\(type(of: $0))") }
    while let (value, path) = open.popLast() { look(at: value, path) }
  }

  private mutating func look(at value: Any, _ path: String) {
    switch value {
    case let text as String: return note(text.utf8.count, path)
    case let text as Substring: return note(text.base.utf8.count, path)
    // The sources of scripts are kept as bytes, and are bounded when they are loaded.
    case is [UInt8], is LuaState, is ScriptHost.Type: return
    default: break
    }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class {
      guard type(of: value) is AnyClass, seen.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
    }
    var kind: Mirror? = mirror
    while let known = kind {
      for child in known.children {
        let step = child.label.map { ".\($0)" } ?? ""
        open.append((child.value, path.utf8.count > 400 ? path : "\(path)\(step)"))
      }
      kind = known.superclassMirror
    }
  }

  private mutating func note(_ count: Int, _ path: String) {
    bytes += count
    if count > longest.bytes { longest = (count, path) }
  }
}

/// The *modifiers* are the keys that are held while another is struck.
public struct Modifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let ctrl = Modifiers(rawValue: 1)
  public static let alt = Modifiers(rawValue: 2)
  public static let shift = Modifiers(rawValue: 4)
  /// The key with the system's sign: Windows, command.
  public static let `super` = Modifiers(rawValue: 8)

  /// The modifier of an app's commands: ctrl here, command on Apple's systems.
  #if canImport(Darwin)
    public static let mod = Modifiers.super
  #else
    public static let mod = Modifiers.ctrl
  #endif
}

extension Modifiers {
  /// What can be written for a modifier.
  static let spellings = ["ctrl", "alt", "shift", "super", "mod"]

  /// The modifier of a name in any case; nil where there is none of that name.
  public init?(name: String) {
    let name = name.lowercased()
    switch name {
    case "ctrl": self = .ctrl
    case "alt": self = .alt
    case "shift": self = .shift
    case "super": self = .super
    case "mod": self = .mod
    default: return nil
    }
  }

  /// The error for a name that no modifier has.
  ///
  /// - Parameter others: other words that may stand where the name does.
  static func unknown(_ name: String, beside others: [String] = []) -> String {
    let near = nearest(to: name, among: spellings + others).first
    let known =
      "the modifiers are \(spellings.dropLast().joined(separator: ", ")) and \(spellings[spellings.count - 1])"
    return "there is no modifier '\(name)'\(near.map { "; did you mean '\($0)'?" } ?? ": \(known)")"
  }

  /// The names of those that are held, in the order in which they are written.
  public var names: [String] {
    var names: [String] = []
    if contains(.ctrl) { names.append("ctrl") }
    if contains(.alt) { names.append("alt") }
    if contains(.shift) { names.append("shift") }
    if contains(.super) { names.append("super") }
    return names
  }
}

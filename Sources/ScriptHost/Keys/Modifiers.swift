/// The *modifiers* are the keys that are held while another is struck.
public struct Modifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let ctrl = Modifiers(rawValue: 1)
  public static let alt = Modifiers(rawValue: 2)
  public static let shift = Modifiers(rawValue: 4)
  /// The key with the system's sign: Windows, command.
  public static let `super` = Modifiers(rawValue: 8)

  /// The one that commands of an app are given with: ctrl here, command on Apple's systems.
  #if canImport(Darwin)
    public static let mod = Modifiers.super
  #else
    public static let mod = Modifiers.ctrl
  #endif
}

extension Modifiers {
  /// All of them, in the order in which they are written.
  private static let inOrder: [(name: String, modifier: Modifiers)] = [
    ("ctrl", .ctrl), ("alt", .alt), ("shift", .shift), ("super", .super),
  ]

  /// What can be written for a modifier.
  static var spellings: [String] { inOrder.map(\.name) + ["mod"] }

  /// The modifier of a name in any case; nil where there is none of that name.
  public init?(name: String) {
    let name = name.lowercased()
    if name == "mod" {
      self = .mod
    } else if let known = Self.inOrder.first(where: { $0.name == name }) {
      self = known.modifier
    } else {
      return nil
    }
  }

  /// The names of those that are held, in the order in which they are written.
  public var names: [String] { Self.inOrder.filter { contains($0.modifier) }.map(\.name) }
}

/// The tables of a responder that a script writes handlers into.
enum ObjectTable: Int64, CaseIterable {
  case on = 1
  case can, look, needs, keys, build, takes, confirm, about

  /// The tables that are indexed by the names of actions.
  static let byAction: [ObjectTable] = [.on, .can, .look, .needs, .takes, .confirm, .about]

  var name: String {
    switch self {
    case .on: "on"
    case .can: "can"
    case .look: "look"
    case .needs: "needs"
    case .keys: "keys"
    case .build: "build"
    case .takes: "takes"
    case .confirm: "confirm"
    case .about: "about"
    }
  }

  /// A declaration that writes into it, for messages.
  var declaration: String {
    switch self {
    case .on, .can, .look: "function NAME.\(name):ACTION(ctx) … end"
    case .build: "function NAME.build:KIND(menu, subject) … end"
    case .keys: "NAME.keys[\"ctrl+k\"] = \"ACTION\""
    case .needs, .takes, .confirm, .about: "NAME.\(name).ACTION = …"
    }
  }

  /// The content of the table, for messages.
  var contents: String {
    switch self {
    case .on, .can, .look, .build: "functions"
    case .needs: "context keys"
    case .keys: "action references"
    case .takes: "what arguments may be"
    case .confirm: "questions"
    case .about: "titles"
    }
  }
}

/// A value for each table of a responder that exists.
struct ByTable<Value> {
  private var values: [Value?] = []

  subscript(table: ObjectTable) -> Value? {
    get { values.isEmpty ? nil : values[Int(table.rawValue) - 1] }
    set {
      if values.isEmpty { values = Array(repeating: nil, count: ObjectTable.allCases.count) }
      values[Int(table.rawValue) - 1] = newValue
    }
  }
}

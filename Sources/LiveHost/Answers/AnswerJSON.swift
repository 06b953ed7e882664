import ScriptHost

/// Writes answers and their values as JSON, for programs and for clients that read them back.
package struct AnswerJSON {
  var coding = Coding()

  package init(whole isWhole: Bool = false) { coding.isWhole = isWhole }

  package func members<Type: Coded>(_ answer: Type) -> [(String, JSON)] where Type.Whole == Type {
    MemberWriter.members(answer, Type.self, coding)
  }

  package func json<Type: Coded>(_ answer: Type) -> JSON where Type.Whole == Type { .object(members(answer)) }

  package func members(_ done: Answer.Done) -> [(String, JSON)] {
    switch done {
    case .performed(let performed): members(performed)
    case .evaluated(let evaluated): members(evaluated)
    case .focused(let focused): members(focused)
    }
  }

  func members(_ performed: Answer.Performed) -> [(String, JSON)] {
    MemberWriter.members(performed, Answer.Performed.self, coding)
  }

  package func json(_ done: Answer.Done) -> JSON { .object(members(done)) }
  package func json(_ element: MenuElement) -> JSON { .element(element, isWhole: coding.isWhole) }
  package func json(_ changes: [MenuChange]) -> JSON { .changes(changes, isWhole: coding.isWhole) }
  package func json(_ value: LuaTree) -> JSON { value.json(whole: coding.isWhole) }

  package func members(_ place: Place?) -> [(String, JSON)] {
    guard let place else { return [] }
    return [("file", .text(place.file)), ("line", .integer(place.line))]
      + (place.column.map { [("column", .integer($0))] } ?? [])
  }
}

/// Reads answers from the JSON that `AnswerJSON` wrote.
package struct AnswerReader {
  private var coding = Coding(isWhole: true)

  package init() {}

  /// Called with the lines of scripts that diagnostics and failures contain.
  var onLine: ((Place, String) -> Void)? {
    get { coding.onLine }
    set { coding.onLine = newValue }
  }

  package func read<Type: Coded>(_ json: JSON, as type: Type.Type = Type.self) throws -> Type
  where Type.Whole == Type {
    try MemberReader.read(json, type, coding)
  }

  package func list<Type: Coded>(_ json: JSON?, of type: Type.Type = Type.self) throws -> [Type]
  where Type.Whole == Type {
    try (json?.list ?? []).map { try read($0, as: type) }
  }

  /// Reads an answer.
  ///
  /// - Parameter before: the menus before the deed, to which the answer's changes apply.
  package func read<Type: Coded>(_ json: JSON, before: MenuElement, as type: Type.Type = Type.self) throws -> Type
  where Type.Whole == Type {
    var coding = coding
    coding.before = before
    return try MemberReader.read(json, type, coding)
  }

  package func menus(_ json: JSON?) throws -> [MenuElement] {
    guard let json, json.list != nil else { throw Unreadable() }
    return try MenuElement.list(json)
  }

  package func changes(_ json: JSON?) throws -> [MenuChange] { try [MenuChange](coded: json) }
  package func place(_ json: JSON) -> Place? { Place(coded: json) }

  /// Returns a number of seconds; nil for anything else.
  func seconds(_ json: JSON) -> Double? {
    switch json {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// Returns the finished part of a job, limited to 0 through 1; nil if the app sends no number.
  package func fraction(_ json: JSON?) -> Double? {
    switch json {
    case .integer(let value): Double(min(1, max(0, value)))
    case .number(let value): value.isNaN ? 0 : min(1, max(0, value))
    default: nil
    }
  }
}

extension Place {
  init?(coded json: JSON) {
    guard let file = json["file"]?.text, let line = json["line"]?.integer else { return nil }
    self.init(file: file, line: line, column: json["column"]?.integer)
  }
}

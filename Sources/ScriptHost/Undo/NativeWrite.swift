/// Undoes a write by a handler of the embedding program to a property of an object.
final class NativeWrite: FieldWrite {
  /// Nil after it was handed over to a later write.
  private var change: NativeChange?

  init(_ change: NativeChange, taker: Responder, undo: Undo, isUndone: Bool = false, isApart: Bool = false) {
    self.change = change
    super.init(taker: taker, undo: undo, isUndone: isUndone, isApart: isApart)
  }

  override func takeBack(for direction: UndoStack.Direction) -> Failure? {
    if let opposite = change?.takeBack() {
      undo.register(NativeWrite(opposite, taker: taker, undo: undo, isUndone: direction == .undo))
    }
    return nil
  }

  // MARK: Later writes

  /// The later writes, by property.
  private final class Index {
    var changes: [NativeField: [(number: Int, change: NativeChange)]] = [:]
  }

  override var fields: FieldBits { change.map { FieldBits(hash: $0.field.hashValue) } ?? FieldBits() }

  override func note(in later: LaterWrites, as number: Int) {
    guard let change else { return }
    let id = ObjectIdentifier(NativeWrite.self)
    let known = later.notes[id] as? Index ?? Index()
    known.changes[change.field, default: []].append((number, change))
    later.notes[id] = known
  }

  override func overwriter(in later: LaterWrites) -> Int {
    guard let change, let known = later.notes[ObjectIdentifier(NativeWrite.self)] as? Index else { return 0 }
    return known.changes[change.field]?.last { change.isOverwritten(by: $0.change) }?.number ?? 0
  }

  override func split(_ number: Int, in later: LaterWrites) -> FieldWrite? {
    defer { change = nil }
    return change.map { NativeWrite($0, taker: taker, undo: undo, isUndone: isUndone, isApart: true) }
  }
}

/// A property of an object.
struct NativeField: Hashable {
  private let object: ObjectIdentifier
  private let path: AnyKeyPath

  init(_ object: AnyObject, _ path: AnyKeyPath) {
    self.object = ObjectIdentifier(object)
    self.path = path
  }
}

/// A change of a property that can undo itself.
struct NativeChange {
  let field: NativeField
  /// The value inserted into a list or removed from it; nil if the property was set.
  private var moved: Any?
  private var isMoved: (Any) -> Bool = { _ in false }
  /// Restores the previous value. Returns the opposite change; nil if there was nothing to undo.
  let takeBack: () -> NativeChange?

  /// Creates the change of a property that had the value `old`.
  static func set<Root: AnyObject, Property>(
    _ object: Root, _ path: ReferenceWritableKeyPath<Root, Property>, from old: Property
  ) -> NativeChange {
    NativeChange(field: NativeField(object, path)) {
      let now = object[keyPath: path]
      object[keyPath: path] = old
      return .set(object, path, from: now)
    }
  }

  /// Creates an insertion at a place, before it is done. Undoing finds the value wherever it is then.
  static func inserted<Root: AnyObject, Member: Equatable>(
    _ value: Member, at place: Int, into object: Root, _ path: ReferenceWritableKeyPath<Root, [Member]>
  ) -> NativeChange {
    let neighbours = Neighbours(place - 1, place, in: object[keyPath: path])
    return .moved(value, of: object, path) {
      guard let place = neighbours.place(of: value, in: object[keyPath: path], near: place) else { return nil }
      let removal = removed(value, at: place, from: object, path)
      object[keyPath: path].remove(at: place)
      return removal
    }
  }

  /// Creates a removal from a place, before it is done. Undoing inserts the value between its neighbours.
  static func removed<Root: AnyObject, Member: Equatable>(
    _ value: Member, at place: Int, from object: Root, _ path: ReferenceWritableKeyPath<Root, [Member]>
  ) -> NativeChange {
    let neighbours = Neighbours(place - 1, place + 1, in: object[keyPath: path])
    return .moved(value, of: object, path) {
      let place = neighbours.place(of: nil, in: object[keyPath: path], near: place) ?? 0
      let insertion = inserted(value, at: place, into: object, path)
      object[keyPath: path].insert(value, at: place)
      return insertion
    }
  }

  private static func moved<Root: AnyObject, Member: Equatable>(
    _ value: Member, of object: Root, _ path: ReferenceWritableKeyPath<Root, [Member]>,
    _ takeBack: @escaping () -> NativeChange?
  ) -> NativeChange {
    var change = NativeChange(field: NativeField(object, path), takeBack: takeBack)
    change.moved = value
    change.isMoved = { $0 as? Member == value }
    return change
  }

  /// Returns true if undoing this would discard a later change of the property.
  func isOverwritten(by later: NativeChange) -> Bool {
    guard moved != nil, let other = later.moved else { return true }
    return isMoved(other)
  }
}

/// The neighbours of an element in a list when it was inserted or removed; nil at the ends of the list.
private struct Neighbours<Member: Equatable> {
  private let front, behind: Member?

  init(_ front: Int, _ behind: Int, in list: [Member]) {
    self.front = Self.member(of: list, at: front)
    self.behind = Self.member(of: list, at: behind)
  }

  /// Returns the place with both neighbours, or with that in front, or with that behind. Among equal places it is the
  /// nearest. It is a place of the value, or if that is nil a place between two elements.
  func place(of value: Member?, in list: [Member], near place: Int) -> Int? {
    let places = 0..<(value == nil ? list.count + 1 : list.count)
    return places.filter { value == nil || list[$0] == value }.map { (at: $0, fit: fit(of: $0, value, in: list)) }
      .min { ($1.fit, abs($0.at - place)) < ($0.fit, abs($1.at - place)) }?.at
  }

  private func fit(of place: Int, _ value: Member?, in list: [Member]) -> Int {
    (Self.member(of: list, at: place - 1) == front ? 2 : 0)
      + (Self.member(of: list, at: value == nil ? place : place + 1) == behind ? 1 : 0)
  }

  private static func member(of list: [Member], at place: Int) -> Member? {
    list.indices.contains(place) ? list[place] : nil
  }
}

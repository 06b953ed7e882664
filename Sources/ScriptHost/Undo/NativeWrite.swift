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

  /// Creates an insertion at a place. Undoing finds the value wherever it is then.
  static func inserted<Root: AnyObject, Member: Equatable>(
    _ value: Member, at place: Int, into object: Root, _ path: ReferenceWritableKeyPath<Root, [Member]>
  ) -> NativeChange {
    .moved(value, of: object, path) {
      let list = object[keyPath: path]
      guard let place = nearestPlace(of: value, in: list, to: place) else { return nil }
      let before = object[keyPath: path][..<place].last
      object[keyPath: path].remove(at: place)
      return .removed(value, at: place, behind: before, from: object, path)
    }
  }

  /// Creates a removal from a place. Undoing inserts the value after its predecessor, if that is still there.
  static func removed<Root: AnyObject, Member: Equatable>(
    _ value: Member, at place: Int, behind before: Member?, from object: Root,
    _ path: ReferenceWritableKeyPath<Root, [Member]>
  ) -> NativeChange {
    .moved(value, of: object, path) {
      let list = object[keyPath: path]
      let behind = before.flatMap { nearestPlace(of: $0, in: list, to: place - 1) }.map { $0 + 1 }
      let place = behind ?? min(place, list.count)
      object[keyPath: path].insert(value, at: place)
      return .inserted(value, at: place, into: object, path)
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

/// Returns the index of a value that is nearest to a place.
private func nearestPlace<Member: Equatable>(of value: Member, in list: [Member], to place: Int) -> Int? {
  list.indices.filter { list[$0] == value }.min { abs($0 - place) < abs($1 - place) }
}

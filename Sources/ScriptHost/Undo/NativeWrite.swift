/// A *native write* takes back what a handler of the embedding program wrote into a property of an object.
final class NativeWrite: FieldWrite {
  /// Nil once it was handed over to a later write.
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

  /// What was written later, by property.
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

/// A *native change* of a property knows how to take itself back.
struct NativeChange {
  let field: NativeField
  /// The value that was inserted into a list or removed from it; nil if the property was set.
  private var moved: Any?
  private var isMoved: (Any) -> Bool = { _ in false }
  /// Puts back what was there. Returns the change that this was; nil if nothing was left to be taken back.
  let takeBack: () -> NativeChange?

  /// The change of a property that had this value before.
  static func set<Root: AnyObject, Property>(
    _ object: Root, _ path: ReferenceWritableKeyPath<Root, Property>, from old: Property
  ) -> NativeChange {
    NativeChange(field: NativeField(object, path)) {
      let now = object[keyPath: path]
      object[keyPath: path] = old
      return .set(object, path, from: now)
    }
  }

  /// An insertion at a place, taken back wherever the value is by then.
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

  /// A removal from a place; the value comes back behind the one that was in front of it, if that is there.
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

  /// Whether taking this back would take away what a later change of the property did.
  func isOverwritten(by later: NativeChange) -> Bool {
    guard moved != nil, let other = later.moved else { return true }
    return isMoved(other)
  }
}

/// The place of a value in a list that is nearest to another place.
private func nearestPlace<Member: Equatable>(of value: Member, in list: [Member], to place: Int) -> Int? {
  list.indices.filter { list[$0] == value }.min { abs($0 - place) < abs($1 - place) }
}

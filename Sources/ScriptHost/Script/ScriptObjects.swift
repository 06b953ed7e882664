/// The tables that stand for one responder; they live as long as it does.
final class ScriptObjects {
  let number: Int64
  /// The table of each owner that met the responder: rarely more than a few.
  private var objects: [(owner: Int, object: ScriptObject)] = []
  private let register: Register<Responder>

  /// The numbers by which the tables are found: the responder's own, and those of responders that it replaced.
  private var numbers: [Int64]

  init(number: Int64, register: Register<Responder>) {
    self.number = number
    self.register = register
    numbers = [number]
  }

  deinit { for number in numbers { register[number] = nil } }

  /// The table in the scripts of an owner, by its index.
  subscript(owner: Int) -> ScriptObject? {
    get { objects.first { $0.owner == owner }?.object }
    set {
      // Not in place: then each reading would be checked for exclusivity.
      objects = objects.filter { $0.owner != owner } + (newValue.map { [(owner, $0)] } ?? [])
    }
  }

  /// Takes over the tables that stand for another responder in the scripts of all owners but its maker.
  func adopt(_ other: ScriptObjects, except maker: ScriptOwner, for responder: Responder) {
    for (index, object) in other.objects where index != maker.index && self[index] == nil {
      self[index] = object
      other[index] = nil
      other.numbers.removeAll { $0 == object.number }
      if !numbers.contains(object.number) { numbers.append(object.number) }
      register[object.number] = responder
    }
  }
}

/// The table that stands for a responder in the scripts of one owner.
final class ScriptObject {
  let reference: LuaReference
  /// The number of the responder for which it was made.
  let number: Int64
  /// The tables `on`, `can` … of it, made when first read.
  var tables = ByTable<LuaReference>()

  init(reference: LuaReference, number: Int64) {
    self.reference = reference
    self.number = number
  }
}

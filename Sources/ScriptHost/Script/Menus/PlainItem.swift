import CScript

/// An item that C read when it was declared, at its place in memory; it has only plain data.
struct PlainItem {
  private let start: UnsafeRawPointer
  fileprivate let facts: clua_PlainItem

  init(_ item: UnsafePointer<clua_PlainItem>) { self.init(at: UnsafeRawPointer(item)) }

  init(at start: UnsafeRawPointer) {
    self.start = start
    facts = start.load(as: clua_PlainItem.self)
  }

  /// All of its bytes: two items are equal if these are.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(facts.size)) }

  var title: String { text(facts.title) ?? "" }
  var hasID: Bool { facts.id.at > 0 }

  fileprivate func bytes(_ text: clua_ItemText) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + Int(text.at), count: Int(text.count))
  }

  fileprivate func text(_ text: clua_ItemText) -> String? { text.at == 0 ? nil : String(utf8: bytes(text)) }

  /// Its own arguments, in the order of their names.
  fileprivate var arguments: Arguments {
    var arguments = Arguments()
    let list = start + Int(facts.argumentsAt)
    for index in 0..<Int(facts.argumentCount) {
      let argument = list.load(
        fromByteOffset: index * MemoryLayout<clua_ItemArgument>.stride, as: clua_ItemArgument.self)
      arguments.append(text(argument.key) ?? "", value(of: argument))
    }
    return arguments
  }

  private func value(of argument: clua_ItemArgument) -> Value {
    switch UInt32(truncatingIfNeeded: argument.kind) {
    case CLUA_ARGUMENT_BOOL.rawValue: .bool(argument.bits != 0)
    case CLUA_ARGUMENT_INTEGER.rawValue: .integer(Int(argument.bits))
    case CLUA_ARGUMENT_NUMBER.rawValue: .number(Double(bitPattern: UInt64(bitPattern: argument.bits)))
    default: .text(text(argument.text) ?? "")
    }
  }
}

extension ScriptEngine {
  func element(_ item: PlainItem) -> Element {
    let facts = item.facts
    var fields = ItemFields()
    let own = item.arguments
    fields.action = action(item, own)
    fields.id = item.text(facts.id)
    fields.isStated = facts.state > 0
    if fields.isStated { fields.state = Look.State(number: Int32(facts.state) - 1) }
    fields.hidden = facts.hidden != 0
    fields.destructive = facts.destructive != 0
    fields.keepsOpen = facts.keepsOpen != 0
    if facts.isDisabled != 0 { (fields.disabled, fields.saysWhy) = (declaredDisabled("item '\(item.title)'"), false) }
    fields.details.subtitle = item.text(facts.subtitle)
    fields.details.icon = item.text(facts.icon)
    fields.details.confirm = item.text(facts.confirm)
    fields.details.arguments = fields.action.flatMap { shownArguments($0, own) }
    let place = Place(file: elementFile(facts.file), line: Int(facts.line))
    return fields.element(titled: item.title, at: place)
  }

  private func action(_ item: PlainItem, _ own: Arguments) -> ItemAction? {
    guard item.facts.action.at > 0 else { return nil }
    let bytes = item.bytes(item.facts.action).assumingMemoryBound(to: UInt8.self)
    if let last = lastAction, last.raw.withBytes({ $0.hasSameBytes(as: bytes) }) {
      return ItemAction(last.reference, raw: last.raw, own: own)
    }
    // It was checked when it was declared that this is a reference.
    guard let reference = try? Reference.parse(bytes) else { return nil }
    let raw = String(decoding: bytes, as: UTF8.self)
    lastAction = (raw, reference)
    return ItemAction(reference, raw: raw, own: own)
  }

  /// The name of the file that has that number in C.
  func elementFile(_ number: Int32) -> String {
    while elementFiles.count <= number {
      elementFiles.append(clua_fileName(lua.L, Int32(elementFiles.count)).map { String(cString: $0) } ?? "")
    }
    return elementFiles[Int(number)]
  }
}

/// The items of one menu, if none has an id: their elements are made when somebody first looks at the menu.
final class PlainItems {
  private let memory: UnsafeMutableRawBufferPointer
  let count: Int

  /// Copies the items from their places in memory; `bytes` is their total size.
  init(_ items: some Sequence<PlainItem>, count: Int, bytes: Int) {
    memory = .allocate(byteCount: bytes, alignment: 8)
    self.count = count
    var offset = 0
    for item in items {
      UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: item.bytes)
      offset += item.bytes.count
    }
  }

  deinit { memory.deallocate() }

  /// Their elements.
  func elements(by engine: ScriptEngine) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    guard var start = UnsafeRawPointer(memory.baseAddress) else { return [] }
    for _ in 0..<count {
      let item = PlainItem(at: start)
      elements.append(engine.element(item))
      start += item.bytes.count
    }
    return elements
  }
}

extension clua_Text {
  /// The bytes of the text.
  var buffer: UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
  }
}

/// Makes functions that use a context in every way the compiler knows: in most of them it stays where it is, in some it gets out.
struct FieldUseGenerator {
  private var chance: Chance
  /// How rarely a value is the context itself; 0 for never.
  private var leaks = 0
  /// What may hold the context, what never does, and what holds a key.
  private var holders: [String] = []
  private var values: [String] = []
  private var keys: [String] = []
  private var names = 0
  private var loops = 0

  init(seed: UInt64) {
    chance = Chance(seed: seed)
  }

  /// A chunk that returns the function `(self, ctx, a, b, …)` and another one for what that put into an upvalue.
  mutating func next() -> String {
    leaks = chance.pick([0, 0, 4, 12])
    (names, loops) = (0, 0)
    holders = ["ctx"]
    values = ["self", "a", "b"]
    keys = []
    let vararg = chance.once(in: 4)
    let crowd = chance.once(in: 60) ? "local crowd = { \((0..<300).map { "'c\($0)'" }.joined(separator: ", ")) };" : ""
    let body = block(depth: 3)
    return """
      local obj = ...
      local up
      local function provide(self, ctx, a, b\(vararg ? ", ..." : ""))
      \(crowd)
      \(vararg ? "do \(body) end a(...)" : body)
      end
      return provide, function() return up end
      """
  }

  // MARK: Statements

  private mutating func block(depth: Int) -> String {
    let scope = (holders, values, keys)
    defer { (holders, values, keys) = scope }
    var lines = (0..<Int.random(in: 1...5, using: &chance)).map { _ in statement(depth: depth) }
    if chance.once(in: 12) { lines.append(ending()) }
    return lines.joined(separator: ";\n")
  }

  private mutating func ending() -> String {
    switch Int.random(in: 0..<4, using: &chance) {
    case 0: "return \(value(2))"
    case 1: "return \(value(1)), \(value(1))"
    case 2: "return \(call(1))"
    default: "return"
    }
  }

  private mutating func statement(depth: Int) -> String {
    guard depth > 0, chance.once(in: 3) else { return simple() }
    switch Int.random(in: 0..<9, using: &chance) {
    case 0: return "if \(condition()) then \(block(depth: depth - 1)) end"
    case 1: return "if \(condition()) then \(block(depth: depth - 1)) else \(block(depth: depth - 1)) end"
    case 2: return inLoop("for i = \(chance.once(in: 5) ? "2, 1" : "1, 2") do", depth: depth, locals: ["i"])
    case 3: return inLoop("for i, v in \(method("each")) do", depth: depth, locals: ["i", "v"])
    case 4: return inLoop("for k in pairs({ \(value(1)), x = \(value(1)) }) do", depth: depth, locals: ["k"])
    case 5:
      loops += 1
      let counter = "n\(loops)"
      return "local \(counter) = 0 while \(counter) < 2 do \(counter) = \(counter) + 1 \(block(depth: depth - 1)) end"
    case 6:
      loops += 1
      let counter = "n\(loops)"
      return
        "local \(counter) = 0 repeat \(counter) = \(counter) + 1 do \(block(depth: depth - 1)) end until \(counter) > 1"
    case 7:
      loops += 1
      let (label, counter) = ("l\(loops)", "n\(loops)")
      return """
        do local \(counter) = 0 ::\(label):: do \(block(depth: depth - 1)) end
        \(counter) = \(counter) + 1 if \(counter) < 3 then goto \(label) end end
        """
    default: return "do \(block(depth: depth - 1)) end"
    }
  }

  private mutating func inLoop(_ head: String, depth: Int, locals: [String]) -> String {
    let scope = (holders, values)
    defer { (holders, values) = scope }
    if chance.once(in: 6) { holders += locals.prefix(1) } else { values += locals }
    loops += 1
    let label = "c\(loops)"
    let body = block(depth: depth - 1)
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: return "\(head) do \(body) end if \(condition()) then break end end"
    case 1: return "\(head) if \(condition()) then goto \(label) end do \(body) end ::\(label):: end"
    default: return "\(head) \(body) end"
    }
  }

  private mutating func simple() -> String {
    switch Int.random(in: 0..<23, using: &chance) {
    case 0...4: return "\(holder())\(key()) = \(value(2))"
    case 5: return "\(holder())\(key()), \(holder())\(key()) = \(value(1)), \(value(1))"
    case 6, 7: return chance.once(in: 3) ? method("set") : method("append")
    case 8: return "local _ = \(value(2))"
    case 9: return call(2)
    case 10: return "\(chance.pick(values))\(key()) = \(value(2))"
    case 11: return "\(chance.pick(values))[\(value(1))] = \(value(1))"
    case 12:
      let expression = move()
      let name = newName("c")
      holders.append(name)
      return "local \(name) = \(expression)"
    case 13:
      let name = newName("c")
      holders.append(name)
      return "local \(name)"
    case 14: return "\(chance.pick(holders)) = \(move())"
    case 15: return "\(chance.pick(holders)), \(chance.pick(holders)) = \(move()), \(move())"
    case 16:
      let expression = value(2)
      let name = newName("v")
      values.append(name)
      return "local \(name)\(chance.once(in: 6) ? " <const>" : "") = \(expression)"
    case 17:
      let name = newName("s")
      keys.append(name)
      return "local \(name) = \(text())"
    case 18: return keys.isEmpty ? "local _ = \(function())" : "\(chance.pick(keys)) = \(text())"
    case 19: return "\(chance.pick(["a", "b", "self"])) = \(value(1))"
    case 22 where leaks > 0 && chance.once(in: leaks):
      let expression = move()
      let (late, share) = (newName("c"), newName("f"))
      return
        "local \(late) local \(share) = function() \(late)\(key(inner: true)) = 1 end \(late) = \(expression) obj(\(share))"
    case 20 where leaks > 0 && chance.once(in: leaks): return "\(chance.pick(["G", "up", "self.x"])) = \(holder())"
    default: return "if \(condition()) then \(holder())\(key()) = \(value(1)) end"
    }
  }

  // MARK: Expressions

  private mutating func holder() -> String {
    chance.once(in: 8) ? "(\(chance.pick(holders)) or \(chance.pick(holders)))" : chance.pick(holders)
  }

  private mutating func move() -> String {
    switch Int.random(in: 0..<8, using: &chance) {
    case 0: "\(chance.pick(holders)) or \(chance.pick(values))"
    case 1: "\(chance.pick(values)) and \(chance.pick(holders))"
    case 2: "\(condition()) and \(chance.pick(holders)) or \(chance.pick(holders))"
    case 3: "nil"
    case 4: "obj"
    default: chance.pick(holders)
    }
  }

  private mutating func condition() -> String {
    switch Int.random(in: 0..<8, using: &chance) {
    case 0: chance.pick(holders)
    case 1: "not \(chance.pick(holders))"
    case 2: "\(chance.pick(holders)) == nil"
    case 3: "\(chance.pick(holders))\(key()) == \(value(0))"
    case 4: "\(chance.pick(holders)) ~= 'x'"
    case 5 where leaks > 0 && chance.once(in: leaks): "\(chance.pick(holders)) == \(chance.pick(values))"
    case 6: method(chance.pick(["flag", "has"]))
    default: value(1)
    }
  }

  private mutating func value(_ depth: Int) -> String {
    if leaks > 0, chance.once(in: leaks * 3) { return holder() }
    if depth == 0 || chance.once(in: 3) {
      return chance.pick(values + ["obj", "1", "nil", "true", "'k7'", "2.5"])
    }
    switch Int.random(in: 0..<16, using: &chance) {
    case 0, 1: return "\(holder())\(key())"
    case 2: return "\(chance.pick(values))\(key())"
    case 3: return "(\(value(depth - 1)) and \(value(depth - 1)))"
    case 4: return "(\(value(depth - 1)) or \(value(depth - 1)))"
    case 5: return "(not \(chance.once(in: 2) ? chance.pick(holders) : value(depth - 1)))"
    case 6: return "(\(value(depth - 1)) == \(value(depth - 1)))"
    case 7:
      return "{ \(value(depth - 1)), k = \(value(depth - 1)), [\(text())] = \(value(depth - 1)), \(call(depth - 1)) }"
    case 8: return call(depth - 1)
    case 9: return function()
    case 10: return method(chance.pick(["flag", "has", "each"]))
    case 11: return "(obj \(chance.pick(["+", "-", "*", "<", "<=", "//", "&"])) \(value(depth - 1)))"
    case 12: return "(\(value(depth - 1))) .. \(text())"
    case 14: return "\(chance.pick(values))[\(value(depth - 1))]"
    case 13: return "select(1, \(value(depth - 1)), \(value(depth - 1)))"
    default: return "(\(chance.pick(holders)) == nil)"
    }
  }

  private mutating func call(_ depth: Int) -> String {
    let arguments = (0..<Int.random(in: 0...3, using: &chance)).map { _ in value(max(depth, 0)) }
    let list = arguments.joined(separator: ", ")
    return chance.once(in: 3) ? "obj:run(\(list))" : "obj(\(list))"
  }

  private mutating func method(_ name: String) -> String {
    let odd = leaks > 0 && chance.once(in: leaks)
    let name = odd ? chance.pick(["super", "mine", "forward"]) : name
    let first = chance.once(in: 4) ? keys.last ?? text() : text()
    let rest = (0..<Int.random(in: 0...2, using: &chance)).map { _ in ", \(value(1))" }.joined()
    return "\(holder()):\(name)(\(first)\(rest))"
  }

  private mutating func function() -> String {
    let shared = leaks > 0 && chance.once(in: leaks) ? chance.pick(holders) : chance.pick(values)
    let name = newName("p")
    switch Int.random(in: 0..<5, using: &chance) {
    case 0: return "function() return \(shared) end"
    case 1: return "function(\(name)) \(shared)\(key(inner: true)) = \(name) end"
    case 2: return "function() return function() \(shared)\(key(inner: true)) = 1 end end"
    case 3: return "function() \(keys.last ?? chance.pick(["self", "a", "b"])) = 'changed' end"
    default: return "function(\(name)) \(name) = \(name) end"
    }
  }

  private mutating func key(inner: Bool = false) -> String {
    let name = (inner ? "n" : "k") + "\(Int.random(in: 1...6, using: &chance))"
    switch Int.random(in: 0..<8, using: &chance) {
    case 0: return "['\(name)']"
    case 1: return keys.isEmpty ? ".\(name)" : "[\(chance.pick(keys))]"
    case 2: return "['\(name) \(String(repeating: "long ", count: 10))']"
    case 3 where leaks > 0 && chance.once(in: leaks): return "[\(chance.pick(["1", "a", "true", "'k' .. 1"]))]"
    default: return ".\(name)"
    }
  }

  private mutating func text() -> String { "'k\(Int.random(in: 1...9, using: &chance))'" }

  private mutating func newName(_ kind: String) -> String {
    names += 1
    return "\(kind)\(names)"
  }
}

import CInside
import CLua
import Testing

@testable import ScriptHost

@Suite("Which fields a function uses: the answer is never too small")
struct FieldUseSoundnessTests {
  /// Runs a function with a context that keeps account, among values that use whatever they are given; everything that gets
  /// hold of the context writes `poked` and reads `peeked`.
  private static let harness = """
    local writes, reads, ctx, obj, budget

    local function poke(value)
      if budget <= 0 then return end
      budget = budget - 1
      if rawequal(value, ctx) then
        value.poked = value.peeked
      elseif type(value) == "function" then
        pcall(value, obj)
      elseif type(value) == "table" and not rawequal(value, obj) then
        for k, v in next, value do poke(k) poke(v) end
      end
    end
    local function pokeAll(...)
      for i = 1, select("#", ...) do poke((select(i, ...))) end
    end

    local function use(...)
      pokeAll(...)
      if budget > 0 then return obj end
    end
    local both = function(x, y) pokeAll(x, y) return obj end
    local compare = function(x, y) pokeAll(x, y) return math.random(2) == 1 end
    obj = setmetatable({}, {
      __call = use, __index = both, __newindex = function(_, k, v) pokeAll(k, v) end,
      __eq = compare, __lt = compare, __le = compare,
      __add = both, __sub = both, __mul = both, __idiv = both, __band = both, __unm = both, __len = both,
    })

    local function written(c, k, ...)
      if rawequal(c, ctx) then writes[tostring(k)] = true end
      pokeAll(...)
    end
    local function asked(c, k, ...)
      if rawequal(c, ctx) then reads[tostring(k)] = true end
      pokeAll(...)
      return math.random(2) == 1
    end
    local methods = {
      append = written, flag = asked, has = asked,
      each = function(...)
        asked(...)
        local n = 0
        return function() n = n + 1 if n < 3 then return n, obj end end
      end,
      set = function(_, ...) pokeAll(...) end,
      undo = function(_, ...) pokeAll(...) end,
      super = use, forward = use, mine = use,
    }

    local function context()
      return setmetatable({}, {
        __index = function(_, k)
          if methods[k] then return methods[k] end
          reads[tostring(k)] = true
          local n = math.random(3)
          return n == 1 and obj or n == 2 and "k8" or nil
        end,
        __newindex = function(_, k) writes[tostring(k)] = true end,
      })
    end

    local function list(set)
      local names = {}
      for name in next, set do names[#names + 1] = name end
      return table.concat(names, "\\n")
    end

    return obj, function(provide, upvalue)
      writes, reads = {}, {}
      for round = 1, 4 do
        G, ctx, budget = nil, context(), 40
        obj.x = nil
        pokeAll(pcall(provide, obj, ctx, round % 2 == 0 and obj or nil, round > 2 and obj or false, obj, 1))
        pokeAll(G, upvalue())
      end
      return list(writes), list(reads)
    end
    """

  @Test(
    "What 20,000 random functions do to their context when they run is what was told, wherever the answer is complete")
  func random() throws {
    let lua = try LuaState()
    let prepared = try lua.call(try lua.load(Self.harness, name: "harness"))
    let run = try #require(prepared[1].function)
    var generator = FieldUseGenerator(seed: 7)
    var (complete, busy, leaking) = (0, 0, 0)
    for _ in 0..<20_000 {
      let source = generator.next()
      let made = try lua.call(try lua.load(source, name: "random"), arguments: [prepared[0]])
      let function = try #require(made[0].function)
      let told = lua.fieldUse(of: function, parameter: 2)
      let done = try lua.call(run, arguments: made)
      let (writes, reads) = (Self.names(done[0]), Self.names(done[1]))
      if writes.contains("poked") { leaking += 1 }
      guard told.isComplete else { continue }
      complete += 1
      if !writes.isEmpty { busy += 1 }
      try #require(writes.subtracting(told.writes) == [], "\(source)")
      try #require(reads.subtracting(told.reads) == [], "\(source)")
    }
    #expect(complete > 10_000)
    #expect(busy > 6_000)
    #expect(leaking > 2_000)
  }

  private static func names(_ list: LuaValue) -> Set<String> {
    guard case .text(let names) = list else { return [] }
    return Set(names.split(separator: "\n").map(String.init))
  }

  @Test("Code with bytes changed, cut off or added is read within its bounds")
  func altered() throws {
    let lua = try LuaState()
    var generator = FieldUseGenerator(seed: 8)
    var chance = Chance(seed: 9)
    var understood = 0
    for _ in 0..<400 {
      let made = try lua.call(try lua.load(generator.next(), name: "random"), arguments: [.nil])
      try lua.push(made[0], on: lua.L)
      inside_pushCode(lua.L, -1)
      guard case .bytes(let code) = try lua.value(at: -1, on: lua.L) else { throw LuaError(.unavailable, "no code") }
      clua_pop(lua.L, 2)
      try #require(Self.use(lua, code) == lua.fieldUse(of: try #require(made[0].function), parameter: 2))
      for _ in 0..<100 {
        if Self.use(lua, Self.alter(code, &chance)).isComplete { understood += 1 }
      }
      try #require(!Self.use(lua, Array(code.dropLast())).isComplete)
      try #require(!Self.use(lua, code + [0]).isComplete)
    }
    #expect(Self.use(lua, []) == LuaFieldUse())
    #expect(understood > 1_000)
  }

  /// Most of a dump is code, where any bytes are instructions; so that all of it is reached, few bytes are changed.
  private static func alter(_ code: [UInt8], _ chance: inout Chance) -> [UInt8] {
    var code = code
    for _ in 0...Int.random(in: 0..<3, using: &chance) where !code.isEmpty {
      let place = Int.random(in: chance.once(in: 4) ? 0..<min(60, code.count) : 0..<code.count, using: &chance)
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: code.remove(at: place)
      case 1: code.insert(UInt8.random(in: .min ... .max, using: &chance), at: place)
      case 2: code[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
      case 3 where chance.once(in: 4): code.removeLast(code.count - max(place, 1))
      default: code[place] = UInt8.random(in: .min ... .max, using: &chance)
      }
    }
    return code
  }

  /// The bytes are copied to where the address sanitizer sees their ends.
  private static func use(_ lua: LuaState, _ code: [UInt8]) -> LuaFieldUse {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: code.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: code)
    return lua.takeFieldUse(isComplete: inside_fieldUseOfCode(lua.L, copy.baseAddress, code.count, 2) != 0)
  }
}

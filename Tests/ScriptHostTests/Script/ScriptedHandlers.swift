import CLua
import CScript

@testable import ChainModel
@testable import ScriptHost

/// Turns the handlers of a rig into functions of a script, each written out as Lua, so that C runs the steps of plans.
/// Swift does the work that a function can't do by itself: changing the host and performing.
final class ScriptedHandlers {
  private unowned let rig: Rig
  private let engine: ScriptEngine
  private let environment: LuaTable
  /// Further work of handlers, by number.
  private var reactions: [Reaction] = []

  init(_ rig: Rig) throws {
    self.rig = rig
    engine = try rig.host.scriptEngine()
    let lua = engine.lua
    environment = lua.newEnvironment()
    clua_pushReference(lua.L, clua_passReference(lua.L))
    try lua.rawSet("pass", try lua.value(at: -1, on: lua.L), of: environment)
    clua_pop(lua.L, 1)
    try define("trace") { [unowned self] call in
      self.rig.trace.append(try call.text(0, "a line"))
      return .nothing
    }
    try define("act") { [unowned self] call in
      guard case .integer(let number) = try call[0] else { return .nothing }
      _ = self.rig.run(reactions[number])
      return .nothing
    }
    try define("add") { [unowned self] call in
      guard case .integer(let value) = try call[2] else { return .nothing }
      self.rig.set(
        .on(Reaction(end: .value(value))), try call.text(1, "an action"),
        Where(owner: 0, name: try call.text(0, "a name")))
      return .nothing
    }
    try define("exists") { [unowned self] call in
      .values([.bool(self.rig.host.find(try call.text(0, "a name")) != nil)])
    }
    try lua.call(lua.load(Self.helpers, name: "helpers", environment: environment))
  }

  private func define(_ name: String, _ body: @escaping (LuaCall) throws -> LuaReturn) throws {
    try engine.lua.rawSet(.text(name), .function(engine.lua.function(body)), of: environment)
  }

  private static let helpers = """
    function show(value)
      if type(value) == "table" then
        local shown = {}
        for i, v in ipairs(value) do shown[i] = tostring(v) end
        return "[" .. table.concat(shown, ",") .. "]"
      end
      return value == nil and "null" or tostring(value)
    end
    function note(kind, action, taker, prefix, k, l)
      trace(kind .. " " .. action .. " of " .. taker .. ", prefix '" .. prefix .. "', k=" .. show(k) .. " l=" .. show(l))
    end
    """

  // MARK: Handlers as code

  func handler(_ role: TestHandler.Role) throws -> Handler {
    let lua = engine.lua
    let made = try lua.call(lua.load("return " + code(role), name: "handler", environment: environment))
    guard case .function(let function)? = made.first else { throw LuaMisuse("no function") }
    return ScriptHandler(function, of: engine.owners[0], engine: engine)
  }

  private func code(_ role: TestHandler.Role) -> String {
    switch role {
    case .reaction(let reaction, let kind): code(reaction, kind)
    case .permit(let permit): code(permit)
    case .provider(let provider):
      "function(self, ctx) \(code(provider.writes)) \(provider.raises ? "error('provide raised', 0)" : "") end"
    case .resolve(let resolve):
      switch resolve {
      case .raises: asking("resolve", "error('resolve of ' .. self.name, 0)")
      case .adds(let actions, let value):
        asking("resolve", "if (\(set(actions)))[action] then add(self.name, action, \(value)) return true end")
      }
    case .redirection(let redirection):
      switch redirection {
      case .asked(let targets):
        asking("redirect", "local to = (\(map(targets)))[action] if to and exists(to) then return to end")
      default: asking("redirect", "error('redirect of ' .. self.name, 0)")
      }
    case .claiming(let claiming):
      switch claiming {
      case .asked(let actions): asking("claims", "return (\(set(actions)))[action]")
      default: asking("claims", "error('claims of ' .. self.name, 0)")
      }
    }
  }

  private func asking(_ kind: String, _ rest: String) -> String {
    "function(self, action) trace('\(kind) ' .. self.name .. ' ' .. action) \(rest) end"
  }

  private func note(_ kind: String) -> String {
    "note('\(kind)', ctx.action, ctx.taker.name, ctx.prefix, ctx.k, ctx.l)"
  }

  private func code(_ reaction: Reaction, _ kind: String) -> String {
    reactions.append(reaction)
    let does = reaction.operation == nil && reaction.nested == nil ? "" : "act(\(reactions.count - 1))"
    let end =
      switch reaction.end {
      case .pass: "return pass"
      case .value(let value): "return \(value)"
      case .refuse(let reason): "ctx:refuse('\(reason)')"
      case .raise: "error('raised', 0)"
      }
    return "function(self, ctx) \(note(kind)) \(code(reaction.writes)) \(does) \(end) end"
  }

  private func code(_ permit: Permit) -> String {
    let end =
      switch permit {
      case .yes: "return true"
      // A function that writes nothing into the context may be refused too.
      case .no(""): "pcall(function() ctx.k = 99 end) return false"
      case .no(let reason): "return false, '\(reason)'"
      case .pass: "return pass"
      case .raise: "error('can raised', 0)"
      }
    return "function(self, ctx) \(note("can")) \(end) end"
  }

  private func code(_ writes: [Write]) -> String {
    writes.map { write in
      switch write.how {
      case .set(let value): "ctx.\(write.key) = \(value.map(String.init) ?? "nil")"
      case .append(let value): "ctx:append('\(write.key)', \(value))"
      }
    }.joined(separator: " ")
  }

  private func set(_ actions: [String]) -> String {
    "{ \(actions.map { "['\($0)'] = true" }.joined(separator: ", ")) }"
  }

  private func map(_ targets: [String: String]) -> String {
    "{ \(targets.map { "['\($0)'] = '\($1)'" }.joined(separator: ", ")) }"
  }
}

/// A script that means harm to a host, what is done with it, and what must come of that.
///
/// The tests of the library and those of the tool run the same ones.
public struct HostileScript: Sendable, CustomStringConvertible {
  public enum Outcome: Sendable, Equatable {
    /// It spends a limit, and is named for it.
    case limit
    /// It spends a limit and is named for it, or one of its tables becomes larger than one may be.
    case spent
    /// What is told of it has this in it.
    case says(String)
    /// It goes through: nothing goes wrong that would be told, and what it prints has this in it.
    case prints(String)
    /// It goes through, and there is nothing to be told of it.
    case quiet
    /// It spends a limit, or what is told of it has this in it: what it meets first depends on the machine.
    case limitOr(String)
  }

  /// As what it is loaded.
  public enum Role: Sendable {
    /// A plugin beside others.
    case plugin
    /// A plugin whose text has a manifest of its own, or none.
    case whole
    /// A part of the app's own script.
    case app
  }

  public let name: String
  public let outcome: Outcome
  public let role: Role
  public let script: String
  /// What is done once it is loaded: lines of the REPL, of which the host's tests know `:perform`, `:menu`, `:press`, `:pick`,
  /// `:validate`, `:why`, `:chain`, `:context`, `:undo`, `:redo`; any other is Lua.
  public let deeds: [String]
  /// Files beside it, by their names: what is in them, or behind '→' where a link leads; '|' is a pipe.
  public private(set) var files: [String: String]
  /// What stands in its file after it was loaded.
  public private(set) var next: String?

  init(
    _ name: String, _ outcome: Outcome, as role: Role = .plugin, _ script: String,
    then deeds: [String] = [":perform go"],
    with files: [String: String] = [:]
  ) {
    self.name = name
    self.outcome = outcome
    self.role = role
    self.script = script
    self.deeds = deeds
    self.files = files
  }

  public var description: String { name }

  /// The same, with a text that stands in its file when it is reloaded.
  func reloaded(as next: String) -> HostileScript {
    var changed = self
    changed.next = next
    return changed
  }

  /// All of them.
  public static let all =
    endless + swallowing + filling + filledHost + nesting + reaching + taking + handling + malformed
    + misnamed
    + loading
    + requiring
}

extension HostileScript {
  /// What every one of them is up against: an app, and a plugin of somebody else's.
  public static let app = """
    app.name, app.version, app.title = "photos", "1.4", "Photos"
    menubar { menu "Image" { item "Rate" { "rate(stars: 5)", key = "ctrl+r" }, item "Clear" { "clear" } } }
    local main = window "main"
    local grid = responder "grid" { next = main, selection = "a.jpg" }
    function grid:provide(ctx)
      ctx.photo, ctx.holder = self.selection, self
      ctx:append("holders", self)
    end
    function grid.on:rate(ctx) return "rated " .. tostring(ctx.photo) .. " " .. tostring(ctx.stars) end
    function grid.on:edit(ctx) ctx:set(grid, "selection", ctx.to) end
    function app.on:secret(ctx) return { code = 1234 } end
    function app.on:give() return grid end
    function app.on:set() return app.settings.x end
    function app.on:leak() return { grid = grid, app = app, main = main } end
    function app.on:ask(ctx) return ctx.holder.selection .. " " .. ctx.holders[1].selection .. " " .. tostring(ctx.args.r == grid) end
    function app.on:fails(ctx) error("no") end
    function app.on:asks() return app:perform("ask", { r = grid }).result end
    focus(grid)

    """

  /// The plugin of somebody else's, which is loaded before.
  public static let other = """
    plugin { name = "other", version = "1" }
    menubar { menu "Other" { item "Help" { "help" } } }
    local shelf = responder "shelf" { before = "grid", books = 3 }
    function shelf.on:help() return ("%s %d"):format("helped", #table.concat({ "a", "b" }) + self.books) end
    function shelf.can:help() return true end
    function shelf:provide(ctx) ctx.books = self.books end
    app.keep.count = 1

    """

  /// The script as it stands in its file.
  public var text: String {
    role == .plugin
      ? "plugin { name = \"mallory\", version = \"1\", requires = { photos = \"*\" } } \(script)"
      : script
  }

  /// What must still work, and what comes of it: the app's action and the other plugin's.
  public static let rates = (reference: "rate(stars: 5)", result: "rated a.jpg 5")
  public static let helps = (reference: "help", result: "helped 5")

  /// A loop without end.
  static let spin = "while true do end"
}

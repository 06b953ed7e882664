import Testing

@testable import ScriptHost

/// Performs from Swift by the reference alone go the quick way from the second time on.
@Suite("The quick way")
struct QuickWayScriptTests {
  private static let reshaping = """
    local main = window "main"
    local grid = responder "grid" { next = main }
    local n = 0
    function app.on:other() return 1 end
    function main.on:forwards() return "main" end
    -- A new shape, and performs that see it: all that was known of the old one may go while this runs.
    local function reshape()
      n = n + 1
      if n % 4 > 0 then return end  -- the quick way is taken where nothing changed since the last time
      responder("new" .. n)
      for i = 1, 3 do app:perform("other") end
    end
    function grid.on:forwards(ctx) reshape() return ctx:forward() end
    function grid.on:passes(ctx) reshape() return pass end
    function grid.on:fails(ctx) reshape() error("broken") end
    function grid.on:refuses(ctx) reshape() ctx:refuse("no") end
    function grid.can:asks(ctx) return ctx.n ~= 2, "two" end
    function grid.on:asks(ctx) reshape() return ctx:super() end
    focus(grid)
    """

  @Test("D9, D11: a handler that changes the shape while it runs goes on, as if nothing had been known before")
  func reshaping() throws {
    let stage = try ScriptStage(Self.reshaping)
    for (reference, expected) in [
      ("forwards", #"handled by grid via on → text("main")"#), ("passes", "unhandled: nobody answers 'passes'"),
      ("fails", "failed by grid via on! app.lua:15: broken"), ("refuses", "disabled by grid via on: no"),
      ("asks(n: 1)", "handled by grid via on"), ("asks(n: 2)", "disabled by grid via on: two"),
    ] {
      for _ in 0..<6 {
        let line = stage.perform(reference)
        #expect(line.hasPrefix(expected), "\(reference): \(line)")
      }
      for _ in 0..<6 {
        let line = stage.host.perform(reference).line
        #expect(line.hasPrefix(expected), "\(reference): \(line)")
      }
    }
  }
}

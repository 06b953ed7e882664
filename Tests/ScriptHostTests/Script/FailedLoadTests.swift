import Expectations
import Testing

@testable import ScriptHost

@Suite("A script that fails to load, and changes that others make meanwhile")
struct FailedLoadTests {
  /// When a plugin's responder gets the focus, this app removes the responders at each position.
  private static let app = """
    local main, second = window "main", window "second"
    local outer = responder "outer" { next = main }
    local gone = responder "gone" { next = outer }
    local also = responder "also gone" { next = gone }
    local inner = responder "inner" { next = also }
    local free = responder "free"
    main.delegate, app.delegate = gone, also
    second:make_main()
    focus(FOCUS)
    listen("focus", function(new, old)
      if new.name ~= "panel" then return end
      for _, r in ipairs { gone, also, free, second } do r:remove() end
    end)
    """

  @Test(
    "E3: If others remove responders while a script fails to load, those stay removed, and their successors move up",
    arguments: [("also", "outer"), ("inner", "inner"), ("free", "outer"), ("second", "outer")])
  func removed(_ focused: String, _ left: String) throws {
    let stage = try PluginStage([
      "p.lua": "plugin { name = 'p', version = '1' } focus(responder 'panel') error('no')"
    ])
    let parts = Self.app.split(separator: "FOCUS", omittingEmptySubsequences: false)
    stage.write("\(parts[0])\(focused)\(parts[1])", to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    if focused != "also", focused != "inner" {
      // The first responder of a window that is not key goes too.
      try stage.host.focus(try require(stage.host.find("also gone")))
      try stage.host.focus(try require(stage.host.find(focused)))
    }
    expect(stage.refusal("p.lua"), is: "no")
    let host = stage.host
    let here = Set(host.responders.map(\.name))
    expect(here, is: ["app", "main", "outer", "inner"])
    expect(host.find("inner")?.next?.name == "outer" && host.find("main")?.delegate == nil && host.app.delegate == nil)
    expect(host.focused.name == left && host.keyWindow?.name == "main" && host.mainWindow?.name == "main")
    expect(host.chainNames.allSatisfy(here.contains))
    expect(host.find("main")?.first?.name == left && host.windows.map(\.name) == ["main"])
  }
}

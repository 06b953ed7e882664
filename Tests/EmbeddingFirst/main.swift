import ScriptHost

let script = """
  menubar { menu "Photo" { item "Next" { "next", key = "right" } } }
  """
var shown = 0
let host = ScriptHost()
host.on("next") { _ in
  shown += 1
  return .text("photo \(shown)")
}
try host.load(text: script, name: "photos.lua")
print(host.press("right").result)

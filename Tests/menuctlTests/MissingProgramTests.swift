import Expectations
import Testing

@Test("S12: If no program exists for a notification, an address or the clipboard, the error lists the names tried")
func missingPrograms() throws {
  let folder = try ScriptFolder([
    "app.lua": """
    app.allow = { "notify", "open", "clipboard" }
    function app.on:x()
      print(select(2, notify("a")))
      print(select(2, open("https://x.y")))
      print(select(2, clipboard.get()))
      print(select(2, clipboard.set("a")))
    end
    """
  ])
  let run = try Program.menuctl(
    ["perform", "app.lua", "x", "--allow", "notify", "--allow", "open", "--allow", "clipboard"],
    environment: ["PATH": "/"], folder: folder.path)
  for programs in ["'notify-send'", "'xdg-open'"] {
    expect((run.out + run.err).contains("no program can do it: looked for \(programs)\n"), "\(run)")
  }
  let isOfBoth = (run.out + run.err).contains("no program can do it: looked for 'xclip' and 'xsel'\n")
  expect(isOfBoth || (run.out + run.err).contains("looked for 'wl-paste'\n"), "\(run)")
}

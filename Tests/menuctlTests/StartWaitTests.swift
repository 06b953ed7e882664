import Expectations
import Glibc
import Testing

@Test("A verb that waits for a 'start' prints a note after a second, and ctrl-c ends the start and continues")
func waitsForStart() throws {
  let folder = try ScriptFolder([
    "app.lua": "function app:start() while true do sleep(1) end end function app.on:hi() return 'hi' end",
    "short.lua": "function app:start() sleep(0.1) end function app.on:hi() return 'hi' end",
  ])
  let terminal = try Terminal(["perform", "app.lua", "hi"], columns: 100, folder: folder.path)
  expect(
    terminal.waits {
      $0.text.contains("menuctl: note: 'perform' waits until 'start' ends")
        && $0.text.contains("help: ctrl-c ends 'start' and continues; 'menuctl serve app.lua' and 'menuctl ui app.lua'")
    }, "\(terminal.screen.text)")
  terminal.type("\u{3}")
  _ = terminal.finish()
  expect(terminal.screen.text.contains("handled by app → \"hi\""), "\(terminal.screen.text)")
  let short = try Program.menuctl(["perform", "short.lua", "hi"], folder: folder.path)
  expect(short, is: Run(status: 0, out: "handled by app → \"hi\"\n", err: ""))
}

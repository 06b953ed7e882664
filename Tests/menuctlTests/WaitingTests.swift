import Glibc
import Testing

@Test("The tool waits for actions that take time, and says what came of them", arguments: waits)
func waiting(_ toolCase: ToolCase) throws { try toolCase.check() }

private let script = """
  function app.on:export() progress(0.5, "half") sleep(0.01) progress(1) return "exported" end
  function app.on:both() return app:perform("export").result .. " twice" end
  function app.on:breaks() sleep(0.01)
    error("broken")
  end

  """

private let waits = [
  ToolCase(
    name: "one", words: ["perform", "-", "export"], script: script, out: "handled by app → \"exported\"\n"),
  ToolCase(
    name: "one within another", words: ["perform", "-", "both"], script: script,
    out: "handled by app → \"exported twice\"\n"),
]

@Test("What fails after a wait is an error with its line")
func failingLater() throws {
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "breaks"])
  process.write(script)
  let run = process.finish()
  #expect(run.status == 70 && run.out == "failed in app: broken\n")
  #expect(run.err.contains("stdin:4"))
}

@Test("An interrupt ends an action that waits, and the tool with 130")
func interruptedWait() throws {
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "nap"])
  process.write("function app.on:nap() print('sleeping') sleep(1000) end")
  #expect(process.readSome() == "sleeping\n")
  kill(process.id, SIGINT)
  let run = process.finish()
  #expect(run.status == 130)
  #expect(run.out == "cancelled by app: it was interrupted\n")
}

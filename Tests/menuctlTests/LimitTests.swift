import Testing

@Test("A script that spends a limit ends with 75, and says which and where")
func limits() throws {
  let spin = try Program.menuctl(["perform", "-", "spin"], stdin: "function app.on:spin()\n  while true do end\nend\n")
  #expect(spin.status == 75)
  // Which of the two is spent first depends on the machine.
  let spent = ["the instructions that it may run are spent", "the time that it may run is spent"]
  #expect(spent.contains { spin.out == "failed in app: \($0)\n" }, "\(spin)")
  #expect(spent.contains { spin.err == "stdin:2: error: \($0)\n    while true do end\n" }, "\(spin)")

  let load = try Program.menuctl(["load", "-"], stdin: "while true do end")
  #expect(load.status == 75 && load.out.isEmpty, "\(load)")

  let fill = "function app.on:fill() local all = {} while true do all[#all + 1] = ('x'):rep(100000) .. #all end end"
  let memory = try Program.menuctl(["perform", "-", "fill"], stdin: fill)
  #expect(memory.status == 75, "\(memory)")
}

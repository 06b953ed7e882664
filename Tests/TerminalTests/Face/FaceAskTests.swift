import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("A10: Questions of actions in the middle of their work, in a face") struct FaceAskTests {
  private static let app = """
    branch = "main"
    function app.on:push()
      if not ask { title = "Push", confirm = "Push to " .. branch .. "?" } then return "kept here" end
      return "pushed"
    end
    function app.on:rename()
      local answers = ask {
        title = "Rename", help = "The branch keeps its commits.",
        takes = { name = { "string", title = "New name", matches = "^%a+$" } },
      }
      if not answers then return "still " .. branch end
      branch = answers.name
      return branch
    end
    function app.on:both() app:perform("push", nil, { wait = false }) app:perform("rename", nil, { wait = false }) end
    app.keys = { p = "push", r = "rename", b = "both" }
    """

  @Test("A question opens over everything that is open, and its answer goes to the action")
  func confirms() throws {
    let stage = try FaceStage(Self.app)
    try stage.press("p")
    expect(stage.picture.contains("Push to main?"), "\(stage.picture)")
    try stage.press("y")
    expect(stage.face.over.isEmpty && stage.bottom == " ✓ push → pushed", "\(stage.picture)")
    try stage.press("p esc")
    expect(stage.face.over.isEmpty && stage.bottom == " ✓ push → kept here", "\(stage.picture)")
  }

  @Test("An answered question is gone while its action goes on")
  func goesOn() throws {
    let stage = try FaceStage(
      Self.app + "\nfunction app.on:slow() ask { confirm = 'Sure?' } sleep(5) end app.keys.s = 'slow'",
      clock: TestClock())
    try stage.press("s y")
    expect(stage.face.over.isEmpty && stage.host.jobs.count == 1, "\(stage.picture)")
  }

  @Test("A form shows its title, its help and the app's refusal, and keeps the typed text")
  func form() throws {
    let stage = try FaceStage(Self.app, rows: 18)
    try stage.press("r")
    expect(stage.picture.contains("Rename") && stage.picture.contains("The branch keeps its commits."))
    try stage.press("7")
    expect(stage.picture.contains("must be a string that matches"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.picture.contains("› 7"), "\(stage.picture)")
    try stage.press("backspace t o p i c enter")
    expect(stage.bottom, is: " ✓ rename → topic", "\(stage.picture)")
    try stage.press("r esc")
    expect(stage.bottom, is: " ✓ rename → still topic", "\(stage.picture)")
  }

  @Test("Several questions wait in line; a question that another face answers closes")
  func inLine() throws {
    let stage = try FaceStage(Self.app, rows: 18)
    try stage.press("b")
    expect(stage.face.over.count == 1 && stage.picture.contains("Push to main?"), "\(stage.picture)")
    stage.host.questions[0].refuse()
    stage.settle()
    expect(stage.face.over.count == 1 && stage.picture.contains("New name"), "\(stage.picture)")
    try stage.host.questions[0].answer(["name": "other"])
    stage.settle()
    expect(stage.face.over.isEmpty && stage.told("branch") == "\"other\"", "\(stage.picture)")
  }

  @Test("A face that opens later shows the open question")
  func later() throws {
    let stage = try FaceStage(Self.app)
    try stage.press("p")
    try expect(stage.otherFace().draw().text.contains("Push to main?"))
  }

  @Test("X7: The plain face asks in lines")
  func plain() throws {
    let stage = try FaceStage(Self.app)
    var said: [String] = []
    let plain = PlainFace(stage.face) { said.append($0) }
    stage.settle()
    plain.settled()
    for line in ["press r", "topic", "press p", "no"] {
      plain.take(line)
      repeat {
        stage.settle()
        plain.settled()
      } while !stage.face.awaited.isEmpty
    }
    expect(
      said,
      is: [
        "The branch keeps its commits.", "Rename: New name; 'stop' leaves it", "done: rename → topic",
        "Push to topic? (yes or no)", "Push: you said no", "done: push → kept here",
      ])
  }
}

import Expectations
import Testing

@testable import ScriptHost

@Suite("V: validation, rule by rule")
struct ValidationRuleTests {
  let scene = Scene()

  private func look(_ reference: String) -> Look { scene.host.validate(reference).look }

  @Test("V1: An action that nobody handles is disabled, and the reason names it")
  func nobody() throws {
    try scene.chain("cell")
    expect(scene.validate("image.export"), is: "nobody handles 'image.export'")
    scene.answer("exports", "cell")
    expect(scene.validate("image.export"), is: "nobody handles 'image.export'; did you mean 'image.exports'?")
    expect(scene.validate("a("), is: "expected a key or ')' but the reference ends")
  }

  @Test("V2: An action with a handler and no can is enabled")
  func noCan() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    expect(scene.validate("a"), is: "by cell")
    expect(scene.takeLog(), is: [])
  }

  @Test("V4: Each validation starts without the last look")
  func lookIsForgotten() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    var isFirst = true
    scene["cell"].look("a") { _ in
      defer { isFirst = false }
      var look = Look()
      if isFirst { look.title = "Once" }
      return look
    }
    expect(look("a").title, is: "Once")
    expect(look("a"), is: Look())
  }

  @Test("V5: false or a missing need is final; pass moves on to the next responder with a handler")
  func final() throws {
    try scene.chain("cell", "grid", "window")
    scene.answer("a", "cell", "grid", "window")
    scene["grid"].can("a") { _ in .no("locked") }
    expect(scene.validate("a"), is: "by cell")
    scene["cell"].can("a") { _ in .pass }
    expect(scene.validate("a"), is: "locked")
    scene["cell"].needs("a", [("photo", nil)])
    expect(scene.validate("a"), is: "needs 'photo', but nothing supplies it now")
    scene.host["photo"] = true
    scene["grid"].can("a") { _ in .pass }
    expect(scene.validate("a"), is: "by window")
  }

  @Test("V5: The host asks look of the responder that takes or refuses the action")
  func lookOfTaker() throws {
    try scene.chain("cell", "grid")
    scene.answer("a", "cell", "grid")
    for name in ["cell", "grid"] {
      scene[name].look("a") { _ in
        var look = Look()
        look.title = name
        return look
      }
    }
    scene["cell"].can("a") { _ in .pass }
    expect(look("a").title, is: "grid")
    scene["cell"].can("a") { _ in .no("locked") }
    expect(look("a").title, is: "cell")
  }

  @Test(
    "V6: A can or look that raises an error disables its action with reason error: …, and other actions are validated")
  func raises() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    scene.answer("b", "cell")
    scene.answer("c", "cell")
    scene["cell"].can("a") { _ in throw Broken() }
    scene["cell"].look("b") { _ in throw Broken() }
    expect(["a", "b", "c"].map { scene.validate($0) }, is: ["error: it broke", "error: it broke", "by cell"])
    expect(scene.host.takeDiagnostics().count, is: 2)
    expect(scene.perform("a"), is: "disabled: error: it broke")
    expect(scene.perform("b"), is: "cell via on", "look is asked only to draw it")
  }

  @Test(
    "V6: A redirect, claims or resolve that raises an error disables its action with reason error: …", arguments: 0..<3)
  func hookRaises(which: Int) throws {
    try scene.chain("cell")
    scene.catchAll("cell")
    switch which {
    case 0: scene["cell"].resolve { _ in throw Broken() }
    case 1: scene["cell"].redirect { _ in throw Broken() }
    default: scene["cell"].claims { _ -> Bool in throw Broken() }
    }
    expect(scene.validate("a"), is: "error: it broke")
    expect(scene.perform("a"), is: "failed: it broke")
  }

  @Test("V8: can and look see a read-only context")
  func readOnly() throws {
    try scene.chain("cell")
    let write: (Command) -> Void = {
      $0.context["k"] = "written"
      $0.context.append("k", "appended")
    }
    scene["cell"].can("a") { command in
      write(command)
      return .yes
    }
    scene["cell"].look("a") { [unowned scene] command in
      write(command)
      scene.note(command.context["k"].shown)
      return Look()
    }
    scene["cell"].on("a") { [unowned scene] command -> Void in scene.note(command.context["k"].shown) }
    scene.perform("a")
    _ = scene.validate("a")
    expect(scene.takeLog(), is: ["null", "null"])
  }

  @Test("V8: A handler can write context keys that can and look could not")
  func writable() throws {
    try scene.chain("cell")
    scene["cell"].can("a") { _ in .yes }
    scene["cell"].look("a") { _ in Look() }
    scene["cell"].on("a") { [unowned scene] command -> Void in
      command.context["k"] = 7
      scene.note(command.context["k"].shown)
    }
    _ = scene.validate("a")
    scene.perform("a")
    expect(scene.takeLog(), is: ["7"])
  }

  @Test("V8: A question can't perform actions or change responders and focus", arguments: 0..<6)
  func asking(which: Int) throws {
    try scene.chain("cell", "window")
    scene.answer("a", "cell")
    scene.answer("b", "cell")
    scene.catchAll("window")
    let cell = scene["cell"].responder
    let host = scene.host
    let misuse = { [unowned scene, unowned host, unowned cell] in
      scene.note(scene.perform("b"))
      for change in [
        { try host.focus(cell) }, { try host.remove(cell) }, { try host.makeKey(cell) }, { try host.makeMain(cell) },
        { try host.setNext(host.app, of: cell) }, { try host.setDelegate(nil, of: cell) },
        { _ = try host.responder("new") },
      ] {
        do { try change() } catch { scene.note("\((error as? Misuse)?.code ?? .badName)") }
      }
    }
    let reference = which < 3 ? "a" : "unanswered"
    switch which {
    case 0:
      scene["cell"].can("a") { _ in
        misuse()
        return .yes
      }
    case 1:
      scene["cell"].look("a") { _ in
        misuse()
        return Look()
      }
    case 2: scene["window"].provide { _ in misuse() }
    case 3:
      scene["window"].claims { _ in
        misuse()
        return true
      }
    case 4:
      scene["window"].redirect { _ in
        misuse()
        return nil
      }
    default:
      scene["window"].resolve { _ in
        misuse()
        return false
      }
    }
    _ = scene.validate(reference)
    let refused =
      "failed: 'b' can't be performed while the host only asks: 'can', 'look' and sections must not change anything"
    expect(scene.takeLog(), is: [refused] + Array(repeating: "notNow", count: 7))
    expect(scene.perform("b"), is: "cell via on", "afterwards everything is allowed again")
  }

  @Test("V9: Validating an action from inside its own validation returns disabled, being validated")
  func beingValidated() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    scene.answer("b", "cell")
    scene["cell"].can("a") { [unowned scene] _ in
      scene.note(scene.validate("b"))
      return .yes
    }
    scene["cell"].can("b") { [unowned scene] _ in
      scene.note(scene.validate("a"))
      return .yes
    }
    for _ in 1...2 {
      expect(scene.validate("a"), is: "by cell")
      expect(scene.takeLog(), is: ["being validated", "by cell"])
    }
  }

  @Test("V9: The same action of another responder is another question")
  func ofAnother() throws {
    try scene.chain("cell", "grid")
    scene.answer("a", "cell", "grid")
    scene["cell"].can("a") { [unowned scene] _ in
      scene.validate("a") { $0.to = scene["grid"].responder } == "by grid" ? .yes : .no("grid can't")
    }
    expect(scene.validate("a"), is: "by cell")
  }

  @Test("V9: The same action from another responder on is another question")
  func fromAnother() throws {
    try scene.chain("cell", "grid")
    scene.answer("a", "cell", "grid")
    scene["cell"].can("a") { [unowned scene] _ in
      scene.validate("a") { $0.from = scene["grid"].responder } == "by grid" ? .yes : .no("grid can't")
    }
    expect(scene.validate("a"), is: "by cell")
  }

  @Test("V9: Questions that always ask new questions end 50 deep")
  func nestedValidations() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    var depth = 0
    scene["cell"].can("a") { [unowned scene] _ in
      depth += 1
      let answer = scene.validate("a(n: \(depth))")
      return answer == "by cell" ? .yes : .no(answer)
    }
    expect(scene.validate("a"), is: "validations are nested more than 50 deep")
    expect(depth, is: 50)
  }

  @Test("V12: Every disabled action has a reason that is not empty", arguments: ["can", "needs", "refused"])
  func reasons(what: String) throws {
    try scene.chain("cell")
    scene["cell"].on("a") { command -> Void in throw command.refuse("") }
    switch what {
    case "can": scene["cell"].can("a") { _ in .no("") }
    case "needs": scene["cell"].needs("a", [("photo", "")])
    default: break
    }
    let reasons = [
      "can": "'cell' refuses 'a'", "needs": "needs 'photo', but nothing supplies it now",
      "refused": "'cell' refuses it",
    ]
    expect(scene.outcome("a").reason, is: reasons[what])
    if what != "refused" { expect(scene.validate("a"), is: reasons[what]) }
  }

  @Test("V14: skip_validation in the arguments enables the action as declared")
  func skipped() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    scene["cell"].can("a") { _ in false }
    expect(!scene.host.validate("a").isEnabled)
    expect(!scene.host.validate("a(skip_validation: false)").isEnabled)
    expect(scene.host.validate("a(skip_validation: true)").isEnabled)
  }
}

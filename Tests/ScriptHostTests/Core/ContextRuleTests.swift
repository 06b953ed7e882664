import Expectations
import Testing

@testable import ScriptHost

@Suite("C: the context, rule by rule")
struct ContextRuleTests {
  let scene = Scene()

  /// Performs an action of a responder `cell` and returns the values that its handler read under the keys.
  private func read(
    _ reference: String, _ keys: String..., edit: (inout PerformOptions) -> Void = { _ in }
  ) -> [String] {
    var read: [String] = []
    scene["cell"].on("read") { command -> Void in read = keys.map { command.context[$0].shown } }
    scene.perform(reference, edit)
    return read
  }

  private func provide(_ name: String, _ key: String, _ value: Value) {
    scene[name].provide { $0[key] = value }
  }

  @Test("C1: The handler's writes come first, then arguments, info, the nearest provider and farther providers")
  func precedence() throws {
    try scene.chain("cell", "grid", "window")
    scene.host["k"] = "program"
    expect(read("read", "k"), is: ["program"])
    provide("window", "k", "far")
    expect(read("read", "k"), is: ["far"])
    provide("grid", "k", "near")
    expect(read("read", "k"), is: ["near"])
    expect(read("read", "k") { $0.info["k"] = "info" }, is: ["info"])
    expect(read("read(k: argument)", "k") { $0.info["k"] = "info" }, is: ["argument"])
    expect(read("read(k: argument)", "k") { $0.arguments["k"] = "laid over" }, is: ["laid over"])
    var written = ""
    scene["cell"].on("write") { command -> Void in
      command.context["k"] = "written"
      written = command.context["k"].shown
    }
    scene.perform("write(k: argument)")
    expect(written, is: "written")
  }

  @Test("C1: A null argument hides the value that providers supply")
  func nullHides() throws {
    try scene.chain("cell", "window")
    provide("window", "k", "far")
    expect(read("read(k: null)", "k"), is: ["null"])
  }

  @Test("C1: A nearer provider can read and replace the value of a farther provider")
  func replaces() throws {
    try scene.chain("cell", "grid", "window")
    provide("window", "k", "far")
    scene["grid"].provide { $0["k"] = .text("near \($0["k"].shown)") }
    expect(read("read", "k"), is: ["near far"])
  }

  @Test("C2: append turns a scalar into a list, nearest first; a provider's values keep their order")
  func append() throws {
    try scene.chain("cell", "grid", "window")
    provide("window", "k", 1)
    scene["grid"].provide {
      $0.append("k", 2)
      $0.append("k", 3)
    }
    expect(read("read", "k"), is: ["[2,3,1]"])
  }

  @Test("C2: The nearest provider's values come first in a list; each provider's values keep their order")
  func appendBySeveral() throws {
    try scene.chain("cell", "grid", "window")
    for (name, values) in [("window", [3, 4]), ("grid", [1, 2])] {
      scene[name].provide { for value in values { $0.append("k", .integer(value)) } }
    }
    expect(read("read", "k"), is: ["[1,2,3,4]"])
  }

  @Test("C2: A provider's appended values come before the value that it sets; setting drops earlier appended values")
  func appendToOwn() throws {
    try scene.chain("cell", "window")
    scene["window"].provide {
      $0.append("k", 0)
      $0["k"] = 1
      $0.append("k", 2)
      $0.append("k", 3)
    }
    expect(read("read", "k"), is: ["[2,3,1]"])
  }

  @Test("C2: An argument or info of the same name replaces the list")
  func appendReplaced() throws {
    try scene.chain("cell", "window")
    scene["window"].provide { $0.append("k", 1) }
    expect(read("read(k: 2)", "k"), is: ["2"])
    expect(read("read", "k") { $0.info["k"] = 3 }, is: ["3"])
  }

  @Test("C2: A handler's appended values come before the argument of the same name")
  func handlerAppends() throws {
    try scene.chain("cell")
    var list: [String] = []
    scene["cell"].on("add") { command -> Void in
      command.context.append("k", "first")
      command.context.append("k", "second")
      list = command.context.each("k").map(\.shown)
    }
    scene.perform("add(k: argument)")
    expect(list, is: ["first", "second", "argument"])
  }

  @Test("C2: The values that a passing handler appended come before those that the next handler appends")
  func passedOnAppends() throws {
    try scene.chain("cell", "grid")
    var list: [String] = []
    scene["cell"].on("add") { command -> Void in
      command.context.append("k", "first")
      throw Pass()
    }
    scene["grid"].on("add") { command -> Void in
      command.context.append("k", "second")
      list = command.context.each("k").map(\.shown)
    }
    scene.perform("add")
    expect(list, is: ["first", "second"])
  }

  @Test("C3: A responder provides once per context, even if the walk reaches it several times")
  func providesOnce() throws {
    try scene.chain("cell", "window1")
    try scene.host.setDelegate(scene["cell"].responder, of: scene["window1"].responder)
    try scene.host.setDelegate(scene["window1"].responder, of: scene.host.app)
    for name in ["cell", "window1"] { scene[name].provide { [unowned scene] _ in scene.note(name) } }
    _ = read("read", "k")
    expect(scene.takeLog(), is: ["window1", "cell"])
  }

  @Test("C3: With an explicit target, the providers are those of the walk from that target")
  func targetProviders() throws {
    try scene.chain("focused", "window")
    try scene.host.setNext(scene["grid"].responder, of: scene["cell"].responder)
    provide("grid", "k", "grid")
    provide("focused", "l", "focused")
    expect(read("read", "k", "l") { $0.to = scene["cell"].responder }, is: ["grid", "null"])
  }

  @Test("C4: The host reports a failing provider by name; the other providers and the action still run")
  func providerRaises() throws {
    try scene.chain("cell", "grid", "window")
    scene["grid"].provide {
      $0["k"] = "before"
      throw Broken()
    }
    provide("window", "l", "far")
    expect(read("read", "k", "l"), is: ["before", "far"])
    expect(scene.host.takeDiagnostics().map(\.message), is: ["'provide' of 'grid' failed: it broke"])
  }

  @Test("C5: A perform leaves nothing of its context in the next")
  func nothingIsLeft() throws {
    try scene.chain("cell")
    scene["cell"].on("write") { command -> Void in command.context["k"] = "written" }
    scene.perform("write(l: argument)") { $0.info["m"] = "info" }
    expect(read("read", "k", "l", "m"), is: ["null", "null", "null"])
  }

  @Test(
    "C5: An action of the embedding program gets a fresh context, even if the program wrote into the last or kept it")
  func nativesStartAnew() {
    var kept: [Context] = []
    scene.host.on("write") { [unowned scene] command -> Void in
      scene.note(command.context["k"].shown)
      command.context["k"] = "written"
    }
    scene.host.on("keep") { command -> Void in kept.append(command.context) }
    for action in ["write", "write", "write", "keep", "keep", "keep"] { scene.host.perform(action) }
    expect(scene.takeLog(), is: ["null", "null", "null"])
    expect(Set(kept.map(ObjectIdentifier.init)).count, is: 3)
    kept = []  // they hold their taker, which holds the function that holds them
  }

  @Test("C6: In provide, args, action, sender and info are nil, in performs too")
  func providersKnowNothing() throws {
    try scene.chain("cell", "window")
    scene["window"].provide { [unowned scene] context in
      scene.note(["args", "action", "sender", "k", "l"].map { context[$0].shown }.joined(separator: " "))
    }
    _ = read("read(k: argument)", "k") { $0.info["l"] = "info" }
    _ = scene.validate("read(k: argument)") { $0.info["l"] = "info" }
    expect(scene.takeLog(), is: Array(repeating: "null null null null null", count: 2))
  }

  @Test("C7: The sender is the item or the app, never nil")
  func sender() throws {
    try scene.chain("cell")
    expect(read("read", "sender"), is: ["app"])
    let item = Sender.item(id: "File/Read", title: "Read", action: "read", key: "ctrl+r")
    expect(read("read", "sender") { $0.sender = item }, is: ["{id:File/Read,title:Read,action:read,key:ctrl+r}"])
  }

  @Test("C8: Swift reads typed values and the same opaque object; for a wrong type, the error names both types")
  func typed() throws {
    final class Photo {}
    try scene.chain("cell", "window")
    let photo = Photo()
    provide("window", "photo", .opaque(photo))
    var isSame = false
    var numbers: (Int?, Double?, String?) = (nil, nil, nil)
    var wrong: [String] = []
    scene["cell"].on("read") { command -> Void in
      let context = command.context
      isSame = try context["photo", as: Photo.self] === photo
      numbers = (
        try context["n", as: Int.self], try context["n", as: Double.self], try context["none", as: String.self]
      )
      for read in [{ _ = try context["photo", as: String.self] }, { _ = try context["n", as: Photo.self] }] {
        do { try read() } catch { wrong.append("\(error)") }
      }
    }
    expect(scene.perform("read(n: 3)"), is: "cell via on")
    expect(isSame)
    expect(numbers.0 == 3 && numbers.1 == 3.0 && numbers.2 == nil)
    expect(wrong, is: ["'photo' is a Photo, not a String", "'n' is a number, not a Photo"])
  }

  @Test("C9: The host's names win over a provider's values; a diagnostic reports each name once")
  func hostNames() throws {
    try scene.chain("cell", "window")
    scene["window"].provide {
      $0["action"] = "mine"
      $0.append("taker", "mine")
      $0["forward"] = "mine"
      $0["k"] = "far"
    }
    for _ in 1...2 {
      expect(read("read(raw: mine)", "action", "raw", "k"), is: ["read", "read(raw: mine)", "far"])
    }
    expect(
      scene.host.takeDiagnostics().map(\.message),
      is: [
        "'window' supplies 'action', a name of the host, so nobody can read it: choose another name",
        "'window' supplies 'taker', a name of the host, so nobody can read it: choose another name",
        "'window' supplies 'forward', a name of the host, so nobody can read it: choose another name",
      ])
  }
}

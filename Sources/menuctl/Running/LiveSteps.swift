import LiveHost
import ScriptHost

/// The *live steps* are what clients of a live app do, as they are told: each with what came of it and what that changed.
final class LiveSteps {
  private(set) var all: [JSON] = []
  private var isOver = false
  /// The menus as they are, once they were asked for.
  private var menus: MenuElement?
  /// The same before what was done last; nil where no more of what changes comes of that.
  private var before: MenuElement?
  /// What goes on, and the menus before it.
  private var begun: [(deed: JSON, before: MenuElement?)] = []

  /// Hears of what happens up to an interrupt, or until the app ends.
  func take(from live: LiveSubject, within interrupts: Interrupts) throws(Unanswered) {
    live.client.onNotification = { [unowned self] method, parameters in told(method, parameters) }
    live.client.onAlarm = { [unowned self, unowned client = live.client] in
      isOver = true
      // What waits hears the answer.
      _ = try? client.send("unsubscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
    }
    interrupts.serve(leaving: {}) { [ring = live.client.ring] _ in ring(0) }
    _ = try live.client.request("subscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
    let known = try live.client.request("menus")
    menus = (try? AnswerReader().menus(known["menus"])).map { MenuElement(rootOf: $0) }
    while !isOver { try live.client.hear() }
    // What was told before that comes before the answer to this.
    _ = try? live.client.request("unsubscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
  }

  private func told(_ method: String, _ parameters: JSON) {
    switch method {
    case "outcome":
      guard let deed = parameters["do"] else { return }
      // What goes on is told again when it ends.
      if parameters["status"]?.text == "running" {
        begun.append((deed, menus))
        before = nil
        return
      }
      before = begun.firstIndex { $0.deed == deed }.map { begun.remove(at: $0).before } ?? menus
      let named = ["do", "action", "eval", "focus", "trace", "job"]
      let effect = RecordingText.effect((parameters.members ?? []).filter { !named.contains($0.0) })
      all.append(.object([("do", deed)] + effect))
      noteChanges()
    case "menus":
      guard let known = menus, let changes = try? AnswerReader().changes(parameters["changes"]) else { return }
      menus = known.applying(changes)
      // What changed is told behind what changed it.
      noteChanges()
    default: break
    }
  }

  /// Writes down what is other than it was before what was done last.
  private func noteChanges() {
    guard let before, let menus, let last = all.last?.members else { return }
    let changes = JSON.changes(MenuChanges(from: before, to: menus).all, isWhole: true)
    all[all.count - 1] = .object(last.filter { $0.0 != "changes" } + [("changes", changes)])
  }
}

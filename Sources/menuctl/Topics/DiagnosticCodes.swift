/// The codes of diagnostics, each with what it means and what helps: `menuctl help CODE`.
enum DiagnosticCodes {
  /// What there is to read of a code; nil where there is no such code.
  static func page(of code: String) -> Page? {
    all.first { $0.code == code }.map { Page(title: $0.code, text: $0.says) }
  }

  static let all: [(code: String, says: String)] = [
    (
      "script",
      "A function of the script raised. The message is what it raised; the place is where. What the action did before is taken back."
    ),
    (
      "reference",
      "A reference to an action can't be read. The message shows the column. 'menuctl help references' says how they are written."
    ),
    ("keys", "A key stroke can't be read. 'menuctl help keys' says how they are written."),
    (
      "nesting",
      "Actions perform each other more than 50 deep, or functions call each other deeper than Lua's stack. Usually one performs itself."
    ),
    ("limit", "A script spent its time, its instructions or the memory. 'menuctl help limits' says how much there is."),
    ("cancelled", "Somebody cancelled the action, or interrupted the tool."),
    ("circle", "Responders redirect an action to each other in a circle. The message names them."),
    (
      "misuse",
      "The script asked the host for something that it can't do. The message says what, and what is possible instead."
    ),
    ("expectation", "A scripted test found something else than it expects."),
    (
      "unknown-field",
      "A table of a menu element has a field that nobody reads, most likely misspelled. 'menuctl help ItemFields', 'MenuFields' and 'SectionFields' list what there is."
    ),
    (
      "not-an-element",
      "Something stands among the children of a menu that is no menu element, so it is skipped. nil and false may stand there."
    ),
    (
      "shadowed",
      "A 'provide' supplies a key with a name of the host's, as 'action': nobody can read it. Give it another name."
    ),
    (
      "shadowed-argument",
      "An item has an argument with a name of the host's, as 'action': it is read as 'ctx.args.action' only. Give it another name."
    ),
    (
      "look-field",
      "A 'look' answers a field that there is not. It may answer title, subtitle, state, hidden, icon, destructive."
    ),
    ("context-menu", "A context menu was asked for that can't be built, as from a responder that was removed."),
    (
      "menus",
      "The menus as declared can't be built, so that there are none: an id stands twice, or they are nested too deep."
    ),
    (
      "text",
      "A text of the script's has control characters, bytes that are no UTF-8, or is too long. It is shown without them, or cut."
    ),
    (
      "key-conflict",
      "A key is bound twice, so that one of the two is never reached: two items have it, or it is bound alone and as the beginning of a sequence. 'menuctl keys APP' lists all."
    ),
    (
      "restless-menus",
      "A listener for 'menu' or 'validation' changes the menus each time that it is told, without an end."
    ),
    (
      "stray-redirect",
      "A responder redirects to another that is not there. It is looked up by its name each time, so it may come later."
    ),
  ]
}

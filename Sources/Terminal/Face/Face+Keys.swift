import ScriptHost

// A key goes to open overlays first. Then it is a command of the face, unless the app has bound it. Last it goes to the
// app.

extension Face {
  /// Performs an input of the terminal.
  func act(on input: TerminalInput) {
    message.isOld = message.isOld || input.isOfPerson
    switch input {
    case .key(let stroke, let text): key(stroke, text)
    case .paste(let text): paste(text)
    case .mouse(let mouse): if usesMouse { self.mouse(mouse) }
    case .focus, .answer: break
    }
  }

  private func key(_ pressed: Stroke, _ text: String?) {
    let stroke = isOfKeypad(pressed) ? pressed.besideKeypad : pressed
    if stroke == strokeInUse(of: .quit), strokes.begun.isEmpty { return quitOrBreak() }
    if stroke == strokeInUse(of: .suspend), strokes.begun.isEmpty, text == nil { return perform(.suspend) }
    for overlay in over.reversed() where overlay.key(stroke, text, of: self) { return }
    dropCount(before: stroke)
    if bar.key(stroke, text, of: self) { return }
    if stroke == .escape, !jobs.isEmpty {
      // An esc that clears a filter, marks or a selection is no first esc for the job.
      if keyOfPanes(stroke, text) { return cancelsUntil = .zero }
      if escapesJob() { return }
    }
    if keyOfPanes(stroke, text) { return }
    if panel.key(stroke, text, of: self) { return }
    if strokes.begun.isEmpty {
      if stroke == strokeOfOwnMenu { return openMenu(at: menus.bar.count) }
      if let own = command(of: stroke) { return perform(own) }
      if stroke.modifiers == .alt, !isBound(stroke), opensMenu(of: stroke.key) { return }
    }
    if parts.body.key(stroke, text, of: self) { return }
    press(stroke)
  }

  /// Gives up a count before a stroke that the app hasn't bound, so that the face's own keys work.
  private func dropCount(before stroke: Stroke) {
    guard !strokes.begun.isEmpty, strokes.sequence.isEmpty, stroke != .escape, !isBound(stroke) else { return }
    strokes = PendingStrokes()
    ask("press", [("keys", .text(Stroke.escape.text))], for: .nothing)
  }

  /// Returns true if a keypad key acts as the main key of the same name: in the face, or if the app hasn't bound it.
  private func isOfKeypad(_ stroke: Stroke) -> Bool {
    !over.isEmpty || !bar.open.isEmpty || strokes.begun.isEmpty && !isBound(stroke)
  }

  /// Cancels the job at the second esc within a second. Returns false at the first esc, which is the app's.
  private func escapesJob() -> Bool {
    if now < cancelsUntil {
      cancelsUntil = .zero
      cancelJob()
      return true
    }
    cancelsUntil = now + .seconds(1)
    return false
  }

  // MARK: - The face's own commands

  /// Returns true if the app has bound a stroke, alone or as the first of a sequence.
  func isBound(_ stroke: Stroke) -> Bool {
    bound.contains(stroke) || takesTyped && stroke.typed != nil || isCounting(stroke)
  }

  /// Returns true if a stroke is a digit of a count. A bound 0 is one after another digit.
  func isCounting(_ stroke: Stroke) -> Bool {
    let isInCount = strokes.counted > 0 && strokes.sequence.isEmpty
    return counts && stroke.digit != nil && (!bound.contains(stroke) || isInCount && stroke.digit == 0)
  }

  /// Returns the arrow or the key for moving with the same effect as a letter, such as 'j'. Returns the stroke itself if
  /// there is none, if letters find rows, or if the app has bound it.
  func movingKey(_ stroke: Stroke) -> Stroke {
    guard !findsTyped, let key = Self.movingKeys[stroke], !isBound(stroke) else { return stroke }
    return Stroke(modifiers: ["j", "k"].contains(stroke.key) ? stroke.modifiers : [], key: key)
  }

  private static let movingKeys: [Stroke: String] = [
    Stroke(modifiers: .shift, key: "j"): "down", Stroke(modifiers: .shift, key: "k"): "up",
    Stroke(modifiers: [], key: "j"): "down", Stroke(modifiers: [], key: "k"): "up",
    Stroke(modifiers: [], key: "h"): "left", Stroke(modifiers: [], key: "l"): "right",
    Stroke(modifiers: [], key: "g"): "home", Stroke(modifiers: .shift, key: "g"): "end",
    Stroke(modifiers: .ctrl, key: "d"): "pagedown",
    Stroke(modifiers: .ctrl, key: "u"): "pageup",
  ]

  /// Returns the stroke of a command; nil if it has none or the app has bound it.
  func strokeInUse(of command: OwnCommand) -> Stroke? {
    settings.stroke(of: command).flatMap { isBound($0) ? nil : $0 }
  }

  /// The stroke that opens the face's own menu. The app can't bind all candidates, so a person can always leave.
  var strokeOfOwnMenu: Stroke {
    let ways = ["\\", "]", "_"].map { Stroke(modifiers: .ctrl, key: $0) }
    return ways.first { !isBound($0) } ?? ways[0]
  }

  /// Returns the stroke of a command to show here.
  func strokeShown(of command: OwnCommand) -> Stroke? { command == .help ? strokeOfHelp : strokeInUse(of: command) }

  /// The stroke for the page of keys. On a row of a panel it isn't '?', which explains the row.
  var strokeOfHelp: Stroke? {
    let usual = strokeInUse(of: .help)
    let isOfRow = panel.currentNode != nil && usual?.key == "?"
    return isOfRow || usual == nil ? isBound(.help) ? nil : .help : usual
  }

  func command(of stroke: Stroke) -> OwnCommand? {
    OwnCommand.allCases.first { strokeInUse(of: $0) == stroke } ?? (stroke == .help && !isBound(stroke) ? .help : nil)
  }

  func perform(_ command: OwnCommand) {
    switch command {
    case .menus: openMenu(at: 0)
    case .palette: openPalette()
    case .help: openHelp()
    case .inspector: openInspector()
    case .log: openLog()
    case .mouse:
      usesMouse.toggle()
      wish(.useMouse(usesMouse))
      say(
        .done(usesMouse ? "the app uses the mouse now; hold shift to select text" : "the terminal uses the mouse now"))
    case .suspend: wish(.suspend)
    case .quit: quit()
    }
  }

  /// Closes everything that is open, and ends a long-running script. The second time, quits.
  private func quitOrBreak() {
    if now < quitsUntil {
      quitsUntil = .zero
      return quit()
    }
    // As long as the message below is visible.
    quitsUntil = now + .seconds(4)
    bar.open = []
    over = []
    early = []
    let stroke = settings.stroke(of: .quit)?.text ?? "ctrl+c"
    endsWhatTakesLong = settings.isOwn && busySince != nil
    say(.note("\(stroke) again quits"))
    if isBusy { tookLong() }
  }

  /// Called when an answer takes long. Ends the running script if the person has requested it, even before.
  func tookLong() {
    guard endsWhatTakesLong else { return }
    endsWhatTakesLong = false
    wish(.interrupt)
    say(.note("the running action is cancelled; \(settings.stroke(of: .quit)?.text ?? "ctrl+c") again quits"))
  }

  private func paste(_ text: String) {
    for overlay in over.reversed() where overlay.paste(text, of: self) { return }
    typePasted(text)
  }
}

extension TerminalInput {
  /// Whether the input comes from a person, who has then read the last message.
  fileprivate var isOfPerson: Bool {
    switch self {
    case .key, .paste: true
    case .mouse(let mouse): if case .press = mouse.deed { true } else { false }
    case .focus, .answer: false
    }
  }
}

extension Stroke {
  /// The main key with the same name as this keypad key; the stroke itself if there is none.
  fileprivate var besideKeypad: Stroke {
    guard key.hasPrefix("kp"), Self.onKeypadToo.contains(String(key.dropFirst(2))) else { return self }
    return Stroke(modifiers: modifiers, key: String(key.dropFirst(2)))
  }

  private static let onKeypadToo: Set = [
    "enter", "left", "right", "up", "down", "pageup", "pagedown", "home", "end", "insert", "delete",
  ]

  /// The second stroke for the page of keys, used where '?' explains a row.
  static let help = Stroke(modifiers: [], key: "f1")
  /// Opens a pane's filter line, and begins a range of marked rows.
  static let filter = Stroke(modifiers: [], key: "/")
  static let range = Stroke(modifiers: [], key: "v")
  static let enter = Stroke(modifiers: [], key: "enter")
  static let enterHeld = Stroke(modifiers: .alt, key: "enter")
  static let down = Stroke(modifiers: [], key: "down")
  /// The stroke that quits in many programs.
  static let quitElsewhere = Stroke(modifiers: [], key: "q")
  static let why = Stroke(modifiers: [], key: "?")
  static let menuOfRow = Stroke(modifiers: [], key: ".")
}

// A paste without an open overlay is typed, if the app has bound keys that type.

extension Face {
  /// Presses the keys of a pasted text, all of them or none.
  func typePasted(_ text: String) {
    guard !text.isEmpty else { return }
    let keys = typingKeys
    guard takesTyped || !keys.isEmpty, bar.open.isEmpty, strokes.begun.isEmpty else {
      return refuse("nothing here accepts pasted text")
    }
    guard text.count <= Self.mostPasted else {
      return refuse("\(text.count) characters are too many to paste: the limit is \(Self.mostPasted)")
    }
    var typed: [Stroke] = []
    for character in text {
      let known = character.isNewline ? "\n" : String(character)
      guard let stroke = keys[known] ?? strokeTyping(known) else {
        return refuse("nothing here accepts \(Self.named(known)), so nothing was pasted")
      }
      typed.append(stroke)
    }
    for strokes in Self.parted(typed) {
      var deed = FaceDeed(kind: .press(strokes), title: "What was pasted")
      deed.isTyping = true
      carryOut(deed)
    }
  }

  /// Splits strokes into parts that fit `keys` of a request.
  private static func parted(_ strokes: [Stroke]) -> [[Stroke]] {
    var (parts, bytes): ([[Stroke]], Int) = ([], mostBytes)
    for stroke in strokes {
      let more = stroke.text.utf8.count + 1
      if bytes + more > mostBytes {
        parts.append([])
        bytes = 0
      }
      parts[parts.count - 1].append(stroke)
      bytes += more
    }
    return parts
  }

  /// The most characters of a paste, about a page. Longer text belongs into a file.
  static let mostPasted = 4096
  /// The most bytes that `keys` may have, with a blank after each stroke.
  private static let mostBytes = 256

  /// The keys that type, by their characters. Includes the tab key if it has the same action.
  private var typingKeys: [String: Stroke] {
    var typing: [String: Stroke] = [:]
    var names: Set<String> = []
    for bound in keys where bound.isEffective && bound.isTyping {
      if let typed = bound.typed { typing[typed] = bound.sequence.strokes[0] }
      names.insert(bound.name)
    }
    let tab = keys.first { $0.isEffective && $0.sequence.strokes == [.tab] }
    if let tab, names.contains(tab.name) { typing["\t"] = .tab }
    return typing
  }

  /// Returns the stroke that types a character, if the app takes every unbound character.
  private func strokeTyping(_ character: String) -> Stroke? {
    guard takesTyped, let stroke = Stroke(typing: character), !bound.contains(stroke) else { return nil }
    return stroke
  }

  private static func named(_ character: String) -> String {
    switch character {
    case "\n": "the end of a line"
    case "\t": "a tab"
    case " ": "a space"
    default: "'\(character.visible)'"
    }
  }
}

extension Stroke {
  /// Makes the stroke that types a character; nil if there is none.
  fileprivate init?(typing character: String) {
    let isCapital = character != character.lowercased()
    let key = character == " " ? "space" : character.lowercased()
    let stroke = Stroke(modifiers: isCapital ? .shift : [], key: key)
    guard stroke.typed == character, (try? KeySequence.parse(stroke.text)) == KeySequence(stroke) else { return nil }
    self = stroke
  }

  fileprivate static let tab = Stroke(modifiers: [], key: "tab")
}

import LiveHost
import ScriptHost

/// The *question* before a deed: the safe button, then a button with the deed's title.
final class Question: Overlay {
  let text: String
  /// The deed that is performed after a yes.
  let deed: FaceDeed
  /// Whether the deed is destructive, which is visible even without colours.
  private let isDestructive: Bool
  /// Whether the deed's button is current; at first the safe button is.
  private(set) var does: Bool
  var area = Area.nowhere

  init(_ text: String, _ deed: FaceDeed, isDestructive: Bool = false, does: Bool = false) {
    self.text = text
    self.deed = deed
    self.isDestructive = isDestructive
    self.does = does
  }

  let wantsAnswer = true
  let hint = "← → choose   enter answers   esc is no"

  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    switch stroke.key {
    case "left", "right", "tab", "up", "down": does.toggle()
    case "enter", "space": answer(does, face)
    case "y": answer(true, face)
    case "n", "esc": answer(false, face)
    default: break
    }
    return true
  }

  func paste(_ text: String, of face: Face) -> Bool { true }

  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    guard mouse.deed == .press(.left) else { return true }
    if buttons.safe.holds(mouse) { answer(false, face) }
    if buttons.deed.holds(mouse) { answer(true, face) }
    return true
  }

  func answer(_ isYes: Bool, _ face: Face) {
    face.close(self)
    guard isYes else { return face.sayNo(deed, "\(deed.title): you said no") }
    var deed = deed
    deed.confirmed = true
    face.carryOut(deed)
  }

  // MARK: - Layout

  static let safe = "Cancel"

  /// The layout in an area. A small screen first drops blanks, then the frame. The buttons are always visible, below as
  /// much of the question as fits.
  private struct Layout {
    let lines: [String]
    let isStacked: Bool
    let isFramed: Bool
    let isSpaced: Bool
    let text: Area

    var buttonRows: Int { isStacked ? 2 : 1 }
  }

  private var button: String { isDestructive ? "! \(deed.button)" : deed.button }
  private var widthOfButtons: Int { Self.safe.columns + button.columns + 10 }

  private func layout(columns: Int, rows: Int) -> Layout {
    let lines = text.broken(toColumns: min(56, columns - 6))
    let isStacked = widthOfButtons > columns - 6
    let needed = lines.count + (isStacked ? 2 : 1)
    let isFramed = rows >= needed + 2 || rows >= 6
    let isSpaced = rows >= needed + 5
    let (edge, blank) = (isFramed ? 1 : 0, isSpaced ? 1 : 0)
    let buttons = isStacked ? 2 : 1
    let room = max(0, rows - 2 * edge - 3 * blank - buttons)
    return Layout(
      lines: lines, isStacked: isStacked, isFramed: isFramed, isSpaced: isSpaced,
      text: Area(row: edge + blank, column: 3, rows: min(room, lines.count), columns: columns - 6))
  }

  func area(on screen: Area) -> Area {
    let layout = layout(columns: screen.columns, rows: screen.rows)
    let widest = layout.lines.map(\.columns).max() ?? 0
    let buttons = layout.isStacked ? screen.columns - 6 : widthOfButtons
    let rows = layout.text.rows + layout.buttonRows + (layout.isFramed ? 2 : 0) + (layout.isSpaced ? 3 : 0)
    return Frame.middle(columns: max(buttons, widest) + 6, rows: rows, of: screen)
  }

  /// The areas of the buttons: the safe button, and the deed's button beside or below it.
  var buttons: (safe: Area, deed: Area) {
    let layout = layout(columns: area.columns, rows: area.rows)
    let row = area.row + layout.text.endRow + (layout.isSpaced ? 1 : 0)
    let room = max(0, area.columns - 6)
    let safe = Area(row: row, column: area.column + 3, rows: 1, columns: min(room, Self.safe.columns + 4))
    let width = min(button.columns + 4, room)
    if layout.isStacked { return (safe, Area(row: row + 1, column: safe.column, rows: 1, columns: width)) }
    return (safe, Area(row: row, column: safe.endColumn + 2, rows: 1, columns: width))
  }

  func draw(on canvas: inout Canvas, theme: Theme) {
    let layout = layout(columns: area.columns, rows: area.rows)
    if layout.isFramed { Frame.draw(on: &canvas, in: area, theme: theme) } else { canvas.fill(area, style: theme.row) }
    let inner = Area(
      row: area.row + layout.text.row, column: area.column + 3, rows: layout.text.rows, columns: layout.text.columns)
    for (line, text) in layout.lines.prefix(inner.rows).enumerated() {
      let isCut = line + 1 == inner.rows && inner.rows < layout.lines.count
      let shown = isCut ? layout.lines.dropFirst(line).joined(separator: " ") : text
      canvas.put(
        shown.cut(toColumns: inner.columns), row: inner.row + line, column: inner.column, style: theme.header, in: inner
      )
    }
    let buttons = buttons
    draw(Self.safe, buttons.safe, isCurrent: !does, theme.row, on: &canvas, theme)
    draw(button, buttons.deed, isCurrent: does, isDestructive ? theme.destructive : theme.row, on: &canvas, theme)
  }

  private func draw(
    _ text: String, _ area: Area, isCurrent: Bool, _ style: Style, on canvas: inout Canvas, _ theme: Theme
  ) {
    canvas.put(
      "[ ".glyphs + text.cut(toColumns: area.columns - 4) + " ]".glyphs, row: area.row, column: area.column,
      style: style, in: area)
    if isCurrent { canvas.restyle(area) { theme.makeCurrent(&$0) } }
  }
}

extension Face {
  /// Opens the question that a person must answer before a deed is performed.
  ///
  /// - Parameter isAnother: whether the person said yes to another question, which has changed meanwhile.
  func ask(_ question: String, _ deed: FaceDeed, isAnother: Bool = false) {
    var deed = deed
    deed.asked = question
    let shown = isAnother ? "It asks something else now: \(question)" : question
    over.append(Question(shown, deed, isDestructive: isDestructive(deed)))
  }

  /// Returns true if the item of a deed is destructive.
  private func isDestructive(_ deed: FaceDeed) -> Bool {
    let id: String? =
      switch deed.kind {
      case .pick(let id): id
      case .perform, .answer: nil
      case .press(let strokes): deed.bound.first { $0.strokes == strokes }?.id
      }
    return id.flatMap(element)?.isDestructive ?? false
  }
}

// The questions of running actions (A10): a form or a question over everything else, one after the other.

extension Face {
  /// Queues a job's question. Null withdraws the job's former question.
  func take(question json: JSON, ofJob number: Int) {
    // A list of jobs repeats the question that the person is answering.
    if let asked = json["number"]?.integer, knownQuestions[number] == asked { return }
    withdrawQuestion(ofJob: number)
    knownQuestions[number] = json["number"]?.integer
    let job = jobs.firstIndex { $0.number == number }
    if let question = JobQuestion(number, json, called: job.map { jobs[$0].named } ?? "An action") {
      questions.append(question)
      job.map { jobs[$0].isAsking = true }
    } else {
      job.map { jobs[$0].isAsking = false }
    }
    showNextQuestion()
  }

  /// Closes the question of a job that is over, or whose question another client has answered.
  func withdrawQuestion(ofJob number: Int) {
    knownQuestions[number] = nil
    questions.removeAll { $0.job == number }
    over.removeAll { $0.job == number }
  }

  /// Shows the oldest waiting question, unless one is open.
  func showNextQuestion() {
    guard let next = questions.first, over.allSatisfy({ $0.job == nil }) else { return }
    questions.removeFirst()
    bar.open = []
    var deed = FaceDeed(kind: .answer(job: next.job), title: next.title)
    let (question, help) = (next.asked.question, next.asked.help)
    if !question.arguments.isEmpty {
      let prompt = Prompt(title: deed.title, help: help, question.arguments)
      over.append(PromptOverlay(prompt, deed, confirm: question.confirm))
    } else if settings.confirms {
      carryOut(deed)
    } else {
      let text = [question.confirm ?? deed.title, help].compactMap { $0 }.joined(separator: "\n")
      deed.asked = question.confirm
      over.append(Question(text, deed))
    }
  }

  /// Handles the app's reply to the person's answer.
  func came(ofAnswer deed: FaceDeed, _ json: JSON) {
    if json["answered"]?.bool == true { return showNextQuestion() }
    guard let reason = json["reason"]?.text else { return refuse("\(deed.title): another client has answered already") }
    let misfit = json["argument"]?.text.map {
      Misfit(argument: $0, expected: json["expected"]?.text ?? "", reason: reason)
    }
    reopen(deed, Outcome(.disabled, reason: reason, misfit: misfit))
  }

  /// Refuses, or leaves a form without sending it.
  func sayNo(_ deed: FaceDeed, _ sentence: String) {
    say(.note(sentence))
    guard case .answer(let job) = deed.kind else { return }
    ask("answer", [("job", .integer(job)), ("confirmed", .bool(false))], for: .nothing)
    showNextQuestion()
  }
}

extension Overlay {
  /// The job that asks the overlay's question; nil for any other overlay.
  fileprivate var job: Int? {
    guard let deed = (self as? PromptOverlay)?.deed ?? (self as? Question)?.deed, case .answer(let job) = deed.kind
    else { return nil }
    return job
  }
}

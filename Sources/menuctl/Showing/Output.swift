import Glibc
import LiveHost
import ScriptHost

/// The output of the tool: answers go to stdout, everything about them to stderr.
final class Output {
  /// Whether the answer is JSON, so that what scripts print must not stand beside it.
  var isJSON = false
  /// Whether stdout is for something that programs read, without being an answer in JSON.
  var isData = false
  /// What is run, for the lines that errors show; of two with one name the later counts.
  private(set) var sources: [Source] = []
  /// Finds the other files that scripts come from, as they were loaded: a script may name any file in an error, so none is opened for it.
  var textOfFile: (String) -> [UInt8]? = { _ in nil }
  /// Whether stdout could not be written.
  private(set) var failed = false
  /// The hashes of what was shown: scripts say how long the texts are, and how many.
  private var shown: Set<Int> = []
  private static let shownLimit = 10_000
  /// Whether it was said how a capability is granted.
  private var hasToldOfGrants = false
  private var hasToldOfLimits = false
  /// Whether the last line of the terminal shows how far an action is.
  private var hasProgress = false
  /// How the answer is written, and how everything about it.
  private var answers = TextRenderer(
    palette: ColourChoice.auto.palette(for: STDOUT_FILENO), columns: columns(of: STDOUT_FILENO))
  private var remarks = TextRenderer(palette: ColourChoice.auto.palette(for: STDERR_FILENO))

  /// What is written without waiting for who reads it, by descriptor.
  private var outlets: [Int32: Outlet] = [:]

  /// Has output wait for nobody who doesn't read: it is kept up to a limit, then dropped, and that is told. Whoever has a loop
  /// flushes the outlets that it gets.
  func neverWait() -> [Outlet] {
    if outlets.isEmpty {
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        let outlet = Outlet(descriptor)
        outlet.onDropped = { [unowned self] count in
          remark {
            $0.note("\(count) line\(count == 1 ? " was" : "s were") dropped, since nobody read what came before")
          }
        }
        outlets[descriptor] = outlet
      }
    }
    return [STDOUT_FILENO, STDERR_FILENO].compactMap { outlets[$0] }
  }

  func colour(_ choice: ColourChoice) {
    answers.palette = choice.palette(for: STDOUT_FILENO)
    remarks.palette = choice.palette(for: STDERR_FILENO)
  }

  /// Keeps a source to show lines of, in the place of an earlier one of the same name.
  func add(_ source: Source) {
    if let index = sources.firstIndex(where: { $0.name == source.name }) {
      sources[index] = source
    } else {
      sources.append(source)
    }
  }

  /// Keeps the file of which a diagnostic speaks.
  func addText(of diagnostic: Diagnostic) {
    if let file = diagnostic.place?.file, let text = textOfFile(file) { add(Source(name: file, bytes: text)) }
  }

  func answer(_ answer: Shown) {
    write(isJSON ? JSONRenderer.text(answer) : answers.text(answer), to: STDOUT_FILENO)
  }

  /// Who else is told of what scripts print.
  var onScript: ((String) -> Void)?

  /// What the script prints.
  func script(_ line: String) {
    onScript?(line)
    write(line.visibleLines, to: isJSON || isData ? STDERR_FILENO : STDOUT_FILENO)
  }

  func log(_ entry: LogEntry) { write(remarks.text(entry), to: STDERR_FILENO) }

  /// A diagnostic, the first time that it comes.
  func show(_ diagnostic: Diagnostic) {
    addText(of: diagnostic)
    if shown.count >= Self.shownLimit { shown = [] }
    guard shown.insert(remarks.text(diagnostic, in: sources).hashValue).inserted else { return }
    write(remarks.text(helped(diagnostic), in: sources), to: STDERR_FILENO)
  }

  /// The first diagnostic of something that was not granted says how that is done, and the first of a spent limit how another is set.
  private func helped(_ diagnostic: Diagnostic) -> Diagnostic {
    var helped = diagnostic
    switch diagnostic.code {
    case Failure.Code.capability.rawValue where !hasToldOfGrants && diagnostic.help == nil:
      hasToldOfGrants = true
      helped.help = "'--allow CAPABILITY' grants one; 'menuctl help capabilities' has them all"
    case Failure.Code.limit.rawValue where !hasToldOfLimits:
      hasToldOfLimits = true
      helped.help = "'--timeout S', '--budget N' and '--memory MB' set other limits; 'menuctl help limits' has more"
    default: break
    }
    return helped
  }

  /// Forgets what was shown: it is shown when it comes again.
  func forgetShown() { shown = [] }

  func show(_ problem: Problem) {
    if isJSON { write(JSONRenderer.text(problem), to: STDOUT_FILENO) }
    if let source = problem.source { add(source) }
    switch problem.content {
    case .script(let diagnostic): show(diagnostic)
    case .reference(let error): write(remarks.text(error), to: STDERR_FILENO)
    case .sentence(let sentence, let help): write(remarks.problem(sentence, help: help), to: STDERR_FILENO)
    }
  }

  /// A part of the answer, as soon as it is known.
  func say(_ text: (TextRenderer) -> String) { write(text(answers), to: STDOUT_FILENO) }

  /// Lines of the answer, if there are any.
  func say(_ lines: (TextRenderer) -> [String]) {
    let lines = lines(answers)
    if !lines.isEmpty { write(lines.joined(separator: "\n"), to: STDOUT_FILENO) }
  }

  /// Has what was shown so far shown again.
  func startOver() { shown = [] }

  /// Something about the answer.
  func remark(_ text: (TextRenderer) -> String) { write(text(remarks), to: STDERR_FILENO) }

  /// Asks a person, who answers on the same line.
  func ask(_ question: String) {
    if hasProgress { show(nil) }
    var question = question
    _ = question.withUTF8 { Self.write($0, to: STDERR_FILENO) }
  }

  /// How far an action is that is waited for; nil takes away what was shown. Only a terminal can be written over.
  func show(_ progress: Job.Progress?) {
    guard isatty(STDERR_FILENO) == 1, progress != nil || hasProgress else { return }
    var text = progress.map { ProgressBar.line($0, columns: columns(of: STDERR_FILENO)) } ?? ProgressBar.gone
    _ = text.withUTF8 { Self.write($0, to: STDERR_FILENO) }
    hasProgress = progress != nil
  }

  private func write(_ text: String, to descriptor: Int32) {
    if hasProgress { show(nil) }
    var text = text + "\n"
    let error = put(&text, to: descriptor)
    guard let error, descriptor == STDOUT_FILENO, !failed else { return }
    failed = true
    write(remarks.problem("can't write to stdout: \(systemMessage(error))", help: nil), to: STDERR_FILENO)
  }

  private func put(_ text: inout String, to descriptor: Int32) -> Int32? {
    guard let outlet = outlets[descriptor] else { return text.withUTF8 { Self.write($0, to: descriptor) } }
    outlet.write(Array(text.utf8))
    return outlet.error
  }

  /// Writes all of it; the error where that fails.
  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32? {
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}

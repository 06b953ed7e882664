import Glibc
import LiveHost
import ScriptHost

/// The output of the tool: answers go to stdout, remarks about them to stderr.
final class Output {
  /// Whether the answer is JSON. Then scripts print to stderr.
  var isJSON = false
  /// Whether programs read a stdout that isn't a JSON answer. Then scripts print to stderr too.
  var isData = false
  /// The loaded scripts, for the lines in errors. A later script replaces an earlier one of the same name.
  private(set) var sources: [Source] = []
  /// Returns the text of another loaded file. An error opens no file, since a script may name any file in it.
  var textOfFile: (String) -> [UInt8]? = { _ in nil }
  /// Whether writing to stdout failed.
  private(set) var failed = false
  /// The hashes of the shown diagnostics. The texts may be long and many, so they aren't kept.
  private var shown: Set<Int> = []
  private static let shownLimit = 10_000
  /// Whether the help on granting capabilities was shown.
  private var hasToldOfGrants = false
  private var hasToldOfLimits = false
  /// Whether the terminal's last line is a progress bar.
  private var hasProgress = false
  /// The renderers for stdout (answers) and stderr (remarks).
  private var answers = TextRenderer(
    palette: ColourChoice.auto.palette(for: STDOUT_FILENO), columns: columns(of: STDOUT_FILENO))
  private var remarks = TextRenderer(palette: ColourChoice.auto.palette(for: STDERR_FILENO))

  /// The buffers of descriptors with non-blocking output, after `neverWait`.
  private var outlets: [Int32: Outlet] = [:]

  /// Makes output never block on a reader: it is buffered up to a limit and then dropped, with a remark. Returns the
  /// outlets that the caller's loop must flush.
  func neverWait() -> [Outlet] {
    if outlets.isEmpty {
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        let outlet = Outlet(descriptor)
        outlet.onDropped = { [unowned self] count in
          remark {
            $0.note("\(count) line\(count == 1 ? " was" : "s were") dropped, since nobody read the earlier output")
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

  /// Keeps a script, to show its lines in errors. Replaces an earlier script of the same name.
  func add(_ source: Source) {
    if let index = sources.firstIndex(where: { $0.name == source.name }) {
      sources[index] = source
    } else {
      sources.append(source)
    }
  }

  /// Keeps the file that a diagnostic points to.
  func addText(of diagnostic: Diagnostic) {
    if let file = diagnostic.place?.file, let text = textOfFile(file) { add(Source(name: file, bytes: text)) }
  }

  func answer(_ answer: Shown, isStarted: Bool = true) {
    write(isJSON ? JSONRenderer.text(answer, isStarted: isStarted) : answers.text(answer), to: STDOUT_FILENO)
  }

  /// A second receiver of what scripts print.
  var onScript: ((String) -> Void)?

  /// Writes a script's output line.
  func script(_ line: String) {
    onScript?(line)
    write(line.visibleLines, to: isJSON || isData ? STDERR_FILENO : STDOUT_FILENO)
  }

  func log(_ entry: LogEntry) { write(remarks.text(entry), to: STDERR_FILENO) }

  /// Writes a diagnostic, unless it was shown before.
  func show(_ diagnostic: Diagnostic) {
    addText(of: diagnostic)
    if shown.count >= Self.shownLimit { shown = [] }
    guard shown.insert(remarks.text(diagnostic, in: sources).hashValue).inserted else { return }
    write(remarks.text(helped(diagnostic), in: sources), to: STDERR_FILENO)
  }

  /// Adds help to the first diagnostic of a missing capability, and to the first of a spent limit.
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

  /// Forgets the shown diagnostics, so that they are shown again.
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

  /// Writes a part of the answer as soon as it is known.
  func say(_ text: (TextRenderer) -> String) { write(text(answers), to: STDOUT_FILENO) }

  /// Writes lines of the answer, if there are any.
  func say(_ lines: (TextRenderer) -> [String]) {
    let lines = lines(answers)
    if !lines.isEmpty { write(lines.joined(separator: "\n"), to: STDOUT_FILENO) }
  }

  /// Does the same as `forgetShown`, before an entry of the REPL.
  func startOver() { shown = [] }

  /// Writes a remark to stderr.
  func remark(_ text: (TextRenderer) -> String) { write(text(remarks), to: STDERR_FILENO) }

  /// Writes a question without a line end; the person answers on the same line.
  func ask(_ question: String) {
    if hasProgress { show(nil) }
    var question = question
    _ = question.withUTF8 { Self.write($0, to: STDERR_FILENO) }
  }

  /// Shows the progress of an action on a terminal, over the former progress; nil removes it.
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

  /// Writes all bytes. Returns the `errno` of a failure.
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

/// A verb's answer, before it is shown as text or as JSON.
enum Shown {
  case text(String)
  case version(String)
  case app(Answer.App)
  /// Menus without hidden elements, unless `named`: then they were requested by id.
  case menus([MenuElement], named: Bool)
  /// Validations. With `named`, actions were requested by name, and a disabled action makes the answer a no.
  case validations([Answer.Validated], named: Bool)
  case explanation(Explanation)
  case chain(Answer.Chain)
  case keys([KeyEntry])
  case actions([ActionEntry])
  case context([Answer.Entry])
  case findings([Diagnostic], in: [Source])
  case tests(TestReport)
  /// Plugins, and the apps with grants.
  case plugins([Plugin], apps: [GrantedApp] = [])
  case done(Answer.Done)
  case replay(Replay)
  case sessions([LiveSession])
  case apps([InstalledApp])
}

extension Shown {
  /// An app that got grants from a person.
  struct GrantedApp {
    var name: String
    /// The path of its script.
    var path: String
    var grants: [String]
  }

  /// A plugin that is loaded or inspected.
  struct Plugin {
    var path: String
    /// Nil if it can't be read.
    var manifest: Manifest?
    var problem: String?
    /// The requested capabilities, and whether each is granted; empty for a loaded plugin, which has all.
    var wishes: [(wish: ConsentRequest.Wish, isGranted: Bool)] = []
    /// Its registrations; nil if it was not loaded.
    var holds: Receipt?
    /// The reason why it was inspected and not loaded.
    var unloaded: String?
    /// Whether the plugin is shown alone and in full.
    var isWhole = false

    var isGranted: Bool { wishes.allSatisfy(\.isGranted) }
  }
}

/// The progress of an action as one line of a terminal, which each update overwrites.
enum ProgressBar {
  private static let cells = 24
  /// Erases the line.
  static let gone = "\r\u{1B}[K"

  /// Returns the line, cut to the width of the terminal.
  static func line(_ progress: Job.Progress, columns: Int) -> String {
    let filled = Int((progress.fraction * Double(cells)).rounded())
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
    let percent = "\(Int((progress.fraction * 100).rounded()))%"
    let text = progress.text.map { "  " + $0.visible } ?? ""
    return gone + "\(bar) \(percent)\(text)".cut(to: max(columns - 1, cells))
  }
}

import LiveHost
import ScriptHost

extension Session {
  /// Performs the steps of a recording, with their times and data, up to the first with another effect.
  func replay(_ recording: Recording, with givens: Givens, file: String) -> Replay {
    var replay = Replay(steps: recording.steps.count)
    if let responder = recording.focus.flatMap(host.find) { _ = try? host.focus(responder) }
    for step in recording.steps {
      givens.begin(step.given)
      if let time = step.time { advance(to: time) }
      let before = spent
      let (effect, status) = carryingOut(step, named: "step \(replay.same + 1)")
      if status == .interrupted {
        replay.isInterrupted = true
        break
      }
      let differences = JSONDifference.all(step.effect, effect)
      if !differences.isEmpty {
        replay.difference = Replay.Difference(
          deed: step.deed, number: replay.same + 1, place: Place(file: file, line: step.line),
          differences: differences, unknown: givens.unknown)
        break
      }
      replay.same += 1
      givens.forgetUnknown()
      replay.patience.take(spent: status == .limit || spent > before)
      if replay.isImpatient { break }
    }
    return replay
  }

  /// After a difference, names the cause that no recording has, if scripts depend on it: the order of tables.
  func tellOfOrder() {
    guard host.walksTables else { return }
    let order = "whose order is different at each load"
    help("scripts here call 'pairs' or 'next', \(order): sort their results")
  }

  /// Makes the host return only recorded data to scripts. It runs no program, reads no file and doesn't ask the system.
  func give(from recording: Recording) -> Givens {
    let givens = Givens()
    givens.begin(recording.given)
    record.watch(host)
    host.outside = .given { [unowned record] call, arguments in
      let given = givens.give(call, JSON.arguments(arguments, without: record.secrets))
      if let given { record.note(Given(given, to: arguments)) }
      return given
    }
    return givens
  }

  /// Advances the test clock to the time of a step, in seconds since the app was loaded.
  private func advance(to time: Double) {
    let rest = Duration.seconds(time) - (host.now - record.origin)
    if rest > .zero { try? host.advance(by: rest) }
  }

  /// Performs a step with its recorded answers. Returns the effect and its exit status.
  private func carryingOut(_ step: Recording.Step, named name: String) -> (effect: JSON, status: ExitStatus) {
    asksPerson = { session, prompt, isSecret in
      // A secret isn't in the recording, so a person enters it.
      isSecret ? session.askAtTerminal(prompt, isSecret: true) : .nobody
    }
    do throws(Problem) {
      var (deed, answered) = (step.deed, step.answered)
      if case .evaluate(let line, _) = deed { deed = .evaluate(line, name: name) }
      let secrets = deed.takeSecrets() + answered.takeSecrets()
      let isURL = if case .open = deed { true } else { false }
      for key in secrets {
        if saidSecrets[key] == nil {
          var argument = AskedArgument(key, isURL ? .string : .any)
          argument.title = "\(key), which is missing from the recording"
          argument.isSecret = true
          saidSecrets[key] = answer(to: argument)
        }
        if isURL {
          guard case .text(let url)? = saidSecrets[key] else {
            throw Problem(.no, "the URL is secret, and nobody entered it")
          }
          deed = .open(url)
        } else if let value = saidSecrets[key] {
          answered.arguments[key] = value
        }
      }
      let done = try carryOut(deed, answering: answered)
      // After a question the next step is the same deed, which needs the same secrets.
      if !done.isQuestion { saidSecrets = [:] }
      return (RecordingText.effect(done).without(record.secrets), done.status)
    } catch {
      return (.object([("problem", .text(error.sentence))]), error.status)
    }
  }
}

extension Answer.Done {
  fileprivate var isQuestion: Bool {
    if case .performed(let performed) = self { performed.outcome.status == .asks } else { false }
  }
}

extension Answered {
  /// Removes the secrets and returns their names.
  fileprivate mutating func takeSecrets() -> [String] {
    let secrets = arguments.members.filter { $0.value.isSecret }.map(\.key)
    for key in secrets { arguments[key] = nil }
    return secrets
  }
}

extension Deed {
  /// Removes the secrets and returns their names.
  fileprivate mutating func takeSecrets() -> [String] {
    if case .open(Self.unsaidURL) = self { return ["url"] }
    guard case .perform(let text, var performing) = self, let reference = try? Reference.parse(text) else { return [] }
    var given = Answered(arguments: Arguments(reference.arguments, under: performing.arguments))
    let secrets = given.takeSecrets()
    if secrets.isEmpty { return [] }
    performing.arguments = given.arguments
    self = .perform(reference.id, performing)
    return secrets
  }
}

extension Value {
  /// Whether the value replaces a secret.
  var isSecret: Bool {
    if case .object(let members) = self, members.count == 1, members[0].key == "$",
      case .text("secret") = members[0].value
    {
      return true
    }
    return false
  }
}

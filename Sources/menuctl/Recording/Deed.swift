import LiveHost
import ScriptHost

extension Deed {
  /// As a person would say it.
  var text: String {
    switch self {
    case .perform(let reference, _): "perform \(reference)"
    case .press(let keys): "press \(keys)"
    case .pick(let id, _): "pick \(id)"
    case .pickNumber(let number, _): "pick number \(number)"
    case .choose(let id): "choose \(id)"
    case .focus(let name): "focus \(name)"
    case .open(let url): "open \(url)"
    case .evaluate(let line, _): line
    }
  }
}

extension Answer.Done {
  /// What it means for the shell.
  var status: ExitStatus {
    switch self {
    case .performed(let performed): ExitStatus(performed.outcome)
    case .evaluated(let evaluated): evaluated.failure.map(ExitStatus.init) ?? .done
    case .focused(let focused): focused.hasFocus ? .done : .no
    }
  }
}

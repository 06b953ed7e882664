import Testing

@testable import ScriptHost

/// A *scene* is a host for one test, which makes and finds responders by name.
final class Scene {
  let host = ScriptHost()
  /// The notes of handlers, questions and observers, in order.
  private(set) var log: [String] = []

  var app: ResponderEditor { host.edit(host.app) }

  /// The responder of a name, made on first use; a name that begins with `window` makes a window.
  subscript(name: String) -> ResponderEditor {
    if let known = host.find(name) { return host.edit(known) }
    let made = Result { try name.hasPrefix("window") ? host.window(name) : host.responder(name) }
    guard case .success(let editor) = made else { preconditionFailure("no responder can be called '\(name)'") }
    return editor
  }

  /// Makes each name the next of the one before it, and focuses the first.
  @discardableResult
  func chain(_ names: String...) throws -> Scene {
    for (name, next) in zip(names, names.dropFirst()) {
      try host.setNext(self[next].responder, of: self[name].responder)
    }
    if let first = names.first { try host.focus(self[first]) }
    return self
  }

  func note(_ text: String) { log.append(text) }

  /// Returns the notes, and clears them.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// Makes responders handle an action; each notes its name.
  func answer(_ action: String, _ names: String...) {
    for name in names {
      self[name].on(action) { [unowned self] _ in note(name) }
    }
  }

  /// Gives a responder a handler that notes its name and passes.
  func pass(_ action: String, _ name: String) {
    self[name].on(action) { [unowned self] _ -> Void in
      note(name)
      throw Pass()
    }
  }

  /// Gives responders a catch-all that notes its name.
  func catchAll(_ names: String...) {
    for name in names {
      self[name].unknown { [unowned self] _ in
        note("\(name)?")
        return .null
      }
    }
  }

  /// Performs, and returns the taker and its way, or the other outcome.
  @discardableResult
  func perform(_ reference: String, _ edit: (inout PerformOptions) -> Void = { _ in }) -> String {
    outcome(reference, edit).short
  }

  func outcome(_ reference: String, _ edit: (inout PerformOptions) -> Void = { _ in }) -> Outcome {
    var options = PerformOptions()
    edit(&options)
    return host.perform(reference, options)
  }

  /// Validates, and returns the taker, or the reason why there is none.
  func validate(_ reference: String, _ edit: (inout PerformOptions) -> Void = { _ in }) -> String {
    var options = PerformOptions()
    edit(&options)
    let validation = host.validate(reference, options)
    return validation.isEnabled ? "by \(validation.by ?? "nobody")" : validation.reason ?? "no reason"
  }
}

struct Broken: Error, CustomStringConvertible {
  var description = "it broke"
}

extension Outcome {
  /// The taker and its way, or the other outcome with its reason.
  var short: String {
    switch status {
    case .handled: "\(by ?? "nobody") via \(via?.rawValue ?? "nothing")"
    default: [status.rawValue, reason ?? error?.message].compactMap { $0 }.joined(separator: ": ")
    }
  }
}

extension Value {
  /// The text that a person would see.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): value
    case .list(let values): "[\(values.map(\.shown).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\($0.key):\($0.value.shown)" }.joined(separator: ","))}"
    case .opaque(let object): "<\(type(of: object))>"
    }
  }
}

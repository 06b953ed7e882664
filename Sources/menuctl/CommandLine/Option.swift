/// An option of a verb: how it is written, what comes after it, what it is for.
struct Option: Sendable, Equatable {
  let name: String
  /// What its value is called; nil for one without.
  var value: String?
  let summary: String

  /// How the help writes it.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension Option {
  static let json = Option(name: "--json", summary: "answer with one JSON object")
  static let help = Option(name: "--help", summary: "show this help")
  static let log = Option(
    name: "--log", value: "LEVEL", summary: "show what scripts log from debug, info, warn (the default) or error on")
  static let perform = Option(name: "--perform", value: "REF", summary: "perform an action first; can be repeated")
  static let focus = Option(
    name: "--focus", value: "NAME", summary: "give a responder the focus first; can be repeated")
  static let from = Option(name: "--from", value: "NAME", summary: "begin the walk at this responder")
  static let to = Option(name: "--to", value: "NAME", summary: "ask this responder alone")
  static let argument = Option(
    name: "--arg", value: "KEY=VALUE", summary: "add an argument, or replace the reference's; can be repeated")
  static let skipValidation = Option(name: "--skip-validation", summary: "leave out 'needs' and 'can'")

  /// Of every verb that loads a script.
  static let loading = [json, log, help]
}

import LiveHost

/// The progress of a call, for a client that gave a token. Its numbers only rise, as the protocol requires.
struct Progress {
  let token: JSON
  private var last = 0.0
  private var hasFraction = false

  init?(of parameters: JSON) {
    switch parameters["_meta"]?["progressToken"] {
    case .text(let text)?: token = .text(text)
    case .integer(let number)?: token = .integer(number)
    default: return nil
    }
  }

  /// Returns the notification of a job's progress; nil if the number wouldn't rise.
  mutating func notification(_ progress: JSON) -> [(String, JSON)]? {
    let text: [(String, JSON)] = progress["text"]?.text.map { [("message", .text($0))] } ?? []
    guard let fraction = progress["fraction"]?.double else {
      if hasFraction || text.isEmpty { return nil }
      last += 1
      return [("progressToken", token), ("progress", .number(last))] + text
    }
    guard fraction > last || !hasFraction && last == 0 else { return nil }
    (last, hasFraction) = (fraction, true)
    return [("progressToken", token), ("progress", .number(fraction)), ("total", .integer(1))] + text
  }
}

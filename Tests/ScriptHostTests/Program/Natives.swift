import Testing

@testable import ScriptHost

/// A photo of the program.
class Picture {
  let name: String
  var rating: Int
  var caption: String?
  var tags: [String] = []

  init(_ name: String, rating: Int = 0) {
    self.name = name
    self.rating = rating
  }
}

/// A subclass with the fields of a photo, and more.
final class RawPicture: Picture {
  var exposure = 0.0
}

/// A size, which is a value: two with the same numbers are equal.
struct Size: Equatable, CustomStringConvertible {
  var width: Int
  var height: Int

  var description: String { "\(width)×\(height)" }
}

enum Format: String, CaseIterable {
  case jpeg, tiff
}

/// An album with the structure of JSON.
struct Album: Codable, Equatable {
  struct Cover: Codable, Equatable {
    var photo: String
    var zoom: Double
  }

  var title: String
  var cover: Cover?
  var tags: [String]
  var counts: [String: Int]
}

extension ScriptHost {
  /// The result of an action with these lines, or its error with the line, counted from 1.
  func done(_ lines: String, allow: String = "") -> String {
    do {
      try load(text: "\(allow) function app.on:run(ctx)\n\(lines)\nend", name: "run.lua")
    } catch {
      return "not loaded: \(error.failure.message)"
    }
    return outcome(of: perform("run", wait: true))
  }

  func outcome(of outcome: Outcome) -> String {
    if let error = outcome.error { return "\((error.place?.line ?? 1) - 1): \(error.message)" }
    return outcome.reason ?? outcome.result.shown
  }
}

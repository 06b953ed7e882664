import LiveHost
import ScriptHost

// A7: what is secret stands in no recording, whoever gave it, and in nothing that came of it.

extension Deed {
  /// A line of Lua without what is secret in it; other deeds have their arguments masked.
  func without(_ secrets: Secrets) -> Deed {
    guard case .evaluate(let line, let name) = self else { return self }
    return .evaluate(line.without(all: secrets), name: name)
  }
}

// MARK: In tests, which have something in its place

extension Deed {
  /// A test gives the word instead of what was secret.
  var givingWords: Deed {
    guard case .perform(let text, var performing) = self else { return self }
    performing.arguments = performing.arguments.givingWords
    guard let reference = try? Reference.parse(text), let arguments = reference.arguments?.members,
      arguments.contains(where: { Value($0.value).isSecret })
    else { return .perform(text, performing) }
    let given = arguments.map {
      Value($0.value).isSecret ? LiteralObject.Member(key: $0.key, value: .text("secret")) : $0
    }
    return .perform(Reference(id: reference.id, arguments: LiteralObject(given)).format(), performing)
  }
}

extension Arguments {
  /// With the word instead of what was secret.
  var givingWords: Arguments {
    Arguments(members.map { ($0.key, $0.value.isSecret ? .text("secret") : $0.value) })
  }
}

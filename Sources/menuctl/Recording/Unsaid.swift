import LiveHost
import ScriptHost

// A7: no secret is written to a recording, whoever gave it, nor to the effects in it.

extension Deed {
  /// The deed without the secrets in a line of Lua. The arguments of other deeds are masked elsewhere.
  func without(_ secrets: Secrets) -> Deed {
    guard case .evaluate(let line, let name) = self else { return self }
    return .evaluate(line.without(all: secrets), name: name)
  }
}

// MARK: In tests, which have something in its place

extension Deed {
  /// The deed for a recorded test, with the word "secret" in place of each secret argument.
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
  /// The arguments with the word "secret" in place of each secret.
  var givingWords: Arguments {
    Arguments(members.map { ($0.key, $0.value.isSecret ? .text("secret") : $0.value) })
  }
}

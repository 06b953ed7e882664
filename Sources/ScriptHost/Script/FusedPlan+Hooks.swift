import CLua
import CScript

// Prepares the hooks' answers for C, which asks the hooks again and compares.

extension FusedPlan {
  func prepare(_ hookAnswer: HookAnswer) -> clua_HookAnswer {
    var prepared = clua_HookAnswer()
    guard let hook = hookAnswer.question.hook as? ScriptHandler else { return prepared }
    prepared.handler = hook.handlerRef(for: hookAnswer.question.responder)
    prepared.action = text(hookAnswer.question.action)
    switch hookAnswer.answer {
    case .claims(let answer):
      prepared.isClaim = true
      prepared.claims = answer.isClaimed
    case .redirects(let target?):
      prepared.table = identity(engine.object(of: target, for: hook.script))
      prepared.name = identity(text(target.name))
    case .redirects(nil), .fails: break
    }
    return prepared
  }

  /// A pointer that identifies the value of a reference, as long as it is held. Equal long texts have different ones.
  func identity(_ reference: Int32) -> UnsafeRawPointer? {
    clua_pushReference(lua.L, reference)
    defer { clua_pop(lua.L, 1) }
    return clua_identity(lua.L, -1)
  }
}

import CLua
import CScript

// What functions were heard to say is prepared for C, which compares it with what they say.

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

  /// The identity of a reference's value among others, as long as it is held; a long text has another each time.
  func identity(_ reference: Int32) -> UnsafeRawPointer? {
    clua_pushReference(lua.L, reference)
    defer { clua_pop(lua.L, 1) }
    return clua_identity(lua.L, -1)
  }
}

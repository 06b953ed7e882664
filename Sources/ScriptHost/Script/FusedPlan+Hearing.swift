import CLua
import CScript

// What functions were heard to say is laid out for C, which compares it with what they say.

extension FusedPlan {
  func layOut(_ hearing: Hearing) -> clua_Hearing {
    var laid = clua_Hearing()
    guard let hook = hearing.question.hook as? ScriptHandler else { return laid }
    laid.handler = hook.handlerRef(for: hearing.question.responder)
    laid.action = text(hearing.question.action)
    switch hearing.answer {
    case .claims(let answer):
      laid.isClaim = true
      laid.claims = answer.isClaimed
    case .redirects(let target?):
      laid.table = identity(engine.object(of: target, for: hook.script))
      laid.name = identity(text(target.name))
    case .redirects(nil), .fails: break
    }
    return laid
  }

  /// What tells the value of a reference from others, as long as that is held; a text that is long has another each time.
  func identity(_ reference: Int32) -> UnsafeRawPointer? {
    clua_pushReference(lua.L, reference)
    defer { clua_pop(lua.L, 1) }
    return clua_identity(lua.L, -1)
  }
}

import LiveHost
import ScriptHost

extension Verb {
  static let menu = Verb(
    name: "menu", operands: [.app, Operand(name: "ID", isOptional: true, names: [.ids])],
    summary: "show one menu or all, validated", legend: legendOfMenus,
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let menu = VerbBody(.menu) { session in
    try session.load()
    let root = try session.asking { subject throws(Unanswered) in try subject.menus() }
    guard let id = session.invocation.operands.dropFirst().first else {
      return Reply(answer: .menus(root.children, named: false))
    }
    guard let element = root.find(id) else { throw Problem(HostSubject.unknown(id, in: root)) }
    return Reply(answer: .menus(element.id == root.id ? root.children : [element], named: element.id != root.id))
  }
}

import LiveHost
import ScriptHost

extension Verb {
  static let menu = Verb(
    name: "menu", operands: [.app, Operand(name: "ID", isOptional: true, names: [.ids])],
    summary: "show one menu or all, validated", legend: legendOfMenus,
    options: [.follow] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let menu = VerbBody(.menu) { session in
    let name = session.invocation.operands[0]
    if session.invocation.has(.follow), !name.hasPrefix("@") {
      throw Problem(
        .usage, "'--follow' is for a live app", help: "menuctl load \(name.shellWord) --watch follows what is saved")
    }
    try session.load()
    if session.invocation.has(.follow) { return try session.followMenus() }
    let root = try session.asking { subject throws(Unanswered) in try subject.menus() }
    guard let shown = session.shown(of: root) else {
      throw Problem(HostSubject.unknown(session.menuID ?? "", in: root))
    }
    return Reply(answer: shown)
  }
}

extension Session {
  fileprivate var menuID: String? { invocation.operands.dropFirst().first }

  /// The menus that the command line names: all, or one element; nil if there is no such element.
  fileprivate func shown(of root: MenuElement) -> Shown? {
    guard let id = menuID else { return .menus(root.children, named: false) }
    guard let element = root.find(id) else { return nil }
    return .menus(element.id == root.id ? root.children : [element], named: element.id != root.id)
  }

  /// Shows the named menus whenever they change, until the live app ends. An element that goes away may come back, so that is no error.
  fileprivate func followMenus() throws(Problem) -> Reply {
    guard let live = subject as? LiveSubject else { return Reply() }
    var last: [MenuElement]?
    let end = interrupts.endingAtOnce { () -> Unanswered in
      do throws(Unanswered) {
        try live.follow { () throws(Unanswered) in
          let root = try live.menus()
          guard case .menus(let menus, _)? = shown(of: root) else {
            if last == nil { throw HostSubject.unknown(menuID ?? "", in: root) }
            return
          }
          if menus == last { return }
          last = menus
          if let shown = shown(of: root) { output.answer(shown) }
        }
      } catch { return error }
    }
    if end.isGone { return Reply() }
    throw Problem(end)
  }
}

extension Option {
  static let follow = Option(
    name: "--follow", summary: "show it again whenever it changed, until the live app ends or ctrl-c")
}

import LiveHost
import ScriptHost

/// A verb's answer, before it is shown as text or as JSON.
enum Shown {
  case text(String)
  case app(Answer.App)
  /// Menus. Hidden elements are left out unless `named`, when they were asked for by id.
  case menus([MenuElement], named: Bool)
  /// Validations. If `named`, when each action was asked about by name, a disabled one makes the answer a no.
  case validations([Answer.Validated], named: Bool)
  case explanation(Explanation)
  case chain(Answer.Chain)
  case keys([KeyEntry])
  case actions([ActionEntry])
  case context([Answer.Entry])
  case findings([Diagnostic], in: [Source])
  case tests(TestReport)
  /// Plugins, and the apps that were granted something.
  case plugins([Plugin], apps: [GrantedApp] = [])
  case done(Answer.Done)
  case replay(Replay)
  case sessions([LiveSession])
}

extension Shown {
  /// An app that a person granted what it asks for.
  struct GrantedApp {
    var name: String
    /// The path of its script.
    var path: String
    var grants: [String]
  }

  /// A plugin that is installed, or one that was looked at.
  struct Plugin {
    var path: String
    /// Nil if it can't be read.
    var manifest: Manifest?
    var problem: String?
    /// The capabilities that it asks for, each with whether it was granted; empty for a loaded plugin, which has all of them.
    var wishes: [(wish: ConsentRequest.Wish, isGranted: Bool)] = []
    /// What it has registered; nil if it was not loaded.
    var holds: Receipt?
    /// Why it was only inspected, and not loaded.
    var unloaded: String?
    /// Whether it is shown alone and in full.
    var isWhole = false

    var isGranted: Bool { wishes.allSatisfy(\.isGranted) }
  }
}

import LiveHost
import ScriptHost

/// What a verb found out, before it is shown as text or as JSON.
enum Shown {
  case text(String)
  case app(Answer.App)
  /// Menus, and whether what is shown was asked for by its id: else what is hidden is left out.
  case menus([MenuElement], named: Bool)
  /// What was validated, and whether each was asked about by its name, so that what is disabled is a no.
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
    /// Of its script.
    var path: String
    var grants: [String]
  }

  /// A plugin that is installed, or one that was looked at.
  struct Plugin {
    var path: String
    /// Nil where it can't be read.
    var manifest: Manifest?
    var problem: String?
    /// What it asks for, each with whether it was granted; empty where it is loaded, and so has all of it.
    var wishes: [(wish: ConsentRequest.Wish, isGranted: Bool)] = []
    /// What it has registered, where it was loaded.
    var holds: Receipt?
    /// Why it was only looked at.
    var unloaded: String?
    /// Whether all of it is shown, beside no other.
    var isWhole = false

    var isGranted: Bool { wishes.allSatisfy(\.isGranted) }
  }
}

import CLua
import CScript

/// A function of a script's that reverses an action.
final class ScriptReversal: Reversal {
  /// Unowned, because the engine lives as long as the host; this may outlive it, and then does nothing any more.
  private unowned let engine: ScriptEngine
  private let script: ScriptOwner
  private let function: LuaReference
  /// The number of the taker's object through which it was registered.
  private let number: Int64
  private var titled = KeptTitle()

  override var owner: Owner { script.owner }

  init(_ function: LuaReference, of script: ScriptOwner, taker: Responder, number: Int64, engine: ScriptEngine) {
    self.engine = engine
    self.script = script
    self.function = function
    self.number = number
    super.init(taker: taker)
  }

  /// Takes the title and the key that a handler gave to it.
  func take(_ said: UnsafePointer<clua_Steps>) { titled.take(said, for: self, of: script, engine) }

  /// Calls the function, with a context of its own; that of an owner that was set aside isn't called.
  override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    if let reason = owner.whySetAside { return .refused(reason) }
    guard let context = makeContext() as? ScriptContext else { return .pass }
    defer { context.end() }
    return context.run(function.id, for: 0, number, of: script)
  }
}

/// A reversal by an action, which a script has registered: its reference and arguments count as kept for the script.
final class ScriptActionReversal: PerformedReversal {
  private var titled = KeptTitle()
  private var share: KeptBytes.Share?

  /// Counts what is kept. It throws if the script may keep no more.
  func count(_ bytes: Int, of script: ScriptOwner, _ engine: ScriptEngine) throws {
    try engine.checkKept(bytes, for: script)
    share = script.kept.share(bytes)
  }

  /// Takes the title and the key that a handler gave to it.
  func take(_ said: UnsafePointer<clua_Steps>, of script: ScriptOwner, _ engine: ScriptEngine) {
    titled.take(said, for: self, of: script, engine)
  }
}

/// The title that a handler gives to a reversal. A long one counts as kept for its owner; a short one is in proportion to what is Lua's.
struct KeptTitle {
  private var share: KeptBytes.Share?

  mutating func take(
    _ said: UnsafePointer<clua_Steps>, for reversal: Reversal, of script: ScriptOwner, _ engine: ScriptEngine
  ) {
    if said.pointee.title.count > 0 { reversal.title = kept(said.pointee.title.shown, of: script, engine) }
    if said.pointee.key.bytes != nil { reversal.key = said.pointee.key.shown }
  }

  private mutating func kept(_ title: String, of script: ScriptOwner, _ engine: ScriptEngine) -> String {
    share = nil
    guard title.utf8.count > 256 else { return title }
    guard (try? engine.checkKept(title.utf8.count, for: script)) != nil else { return title.cut(toBytes: 256) }
    share = script.kept.share(title.utf8.count)
    return title
  }
}

extension clua_Text {
  /// The text as the host keeps it, of which only the beginning is copied.
  fileprivate var shown: String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: min(count, Element.textLimit)), as: UTF8.self)
      .shown(hasLines: false)
  }
}

@testable import ScriptHost

/// The planted fault: what is moved to the first place of a menu is not told.
nonisolated(unsafe) let check =
  isPlanted
  ? MenuCheck { old, new in
    MenuChanges(from: old, to: new).all.filter { if case .move(_, _, nil) = $0 { false } else { true } }
  } : MenuCheck()

@testable import ScriptHost

/// The planted fault: where two modifiers are held, the first is forgotten.
nonisolated(unsafe) let check =
  isPlanted ? KeyCheck(format: { $0.text.replacing("alt+shift+", with: "shift+") }) : KeyCheck()

@testable import ScriptHost

/// The planted fault: quotes in strings are written without their `\`.
nonisolated(unsafe) let check =
  isPlanted ? ReferenceCheck(format: { $0.format().replacing("\\\"", with: "\"") }) : ReferenceCheck()

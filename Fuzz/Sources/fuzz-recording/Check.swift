@testable import menuctl

/// The planted fault: what nobody handled is written as disabled.
nonisolated(unsafe) let check =
  isPlanted
  ? RecordingCheck { try RecordingText.text($0, of: nil, settings: $1).replacing("unhandled", with: "disabled") }
  : RecordingCheck()

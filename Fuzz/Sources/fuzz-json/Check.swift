import LiveHost

/// The planted fault: quotes in strings are written without their `\`.
nonisolated(unsafe) let check = JSONCheck { value in
  let text = JSONText.text(value)
  return isPlanted ? text.replacing("\\\"", with: "\"") : text
}

import ScriptHost
import LiveHost

/// The planted fault: what is said of a name between quotes is not understood.
nonisolated(unsafe) let check = AssistantCheck { text in
  isPlanted && text.contains("'") ? nil : try? JSONReader.read(text.utf8)
}

import ScriptHost
import LiveHost

/// The planted fault: what is said of a name between quotes is not understood.
nonisolated(unsafe) let check = ProtocolCheck { line in
  isPlanted && line.contains(UInt8(ascii: "'")) ? nil : try? JSONReader.read(line)
}

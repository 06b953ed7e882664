import FoundationEssentials

@testable import ScriptHost

/// The inputs that a fuzzer kept because they reach something that no other does.
enum Corpus {
  /// All of one target's, by the names of their files.
  static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = String(#filePath.dropLast("ScriptHostTests/Fuzzing/Corpus.swift".count)) + "Corpus/\(target)"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      (name, try ScriptFile.read("\(folder)/\(name)"))
    }
  }
}

import FoundationEssentials

@testable import ScriptHost

/// The inputs that a fuzzer kept because they reach code that no other input reaches.
enum Corpus {
  /// All inputs of one target, by the names of their files.
  static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = String(#filePath.dropLast("ScriptHostTests/Fuzzing/Corpus.swift".count)) + "Corpus/\(target)"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      (name, try ScriptFile.read("\(folder)/\(name)"))
    }
  }
}

import ScriptHost

// Reads an object member by member if it can't be parsed as a whole, so that one bad member doesn't lose the others.

extension JSON {
  /// Parses a written object. A member that can't be parsed, because it is nested too deeply, say, is replaced like a secret.
  static func readMembers(_ written: some Collection<UInt8>) -> JSON {
    if let whole = try? JSONReader.read(written) { return whole }
    let members = memberTexts(of: Array(written)).compactMap { text -> (String, JSON)? in
      if let member = (try? JSONReader.read([UInt8(ascii: "{")] + text + [UInt8(ascii: "}")]))?.members?.first {
        return member
      }
      return name(of: text).map { ($0, .unsaid) }
    }
    return .object(members)
  }

  /// The members of an object as they are written, each with its name.
  private static func memberTexts(of object: [UInt8]) -> [ArraySlice<UInt8>] {
    var (depth, isText, isEscaped, start) = (0, false, false, 1)
    var texts: [ArraySlice<UInt8>] = []
    for (index, byte) in object.enumerated() {
      if isEscaped { isEscaped = false; continue }
      switch byte {
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      guard !isText, depth == 0 || depth == 1 && byte == UInt8(ascii: ",") else { continue }
      if start < index { texts.append(object[start..<index]) }
      start = index + 1
    }
    return texts
  }

  private static func name(of member: ArraySlice<UInt8>) -> String? {
    var isEscaped = false
    guard let begin = member.firstIndex(of: UInt8(ascii: "\"")),
      let end = member[(begin + 1)...].firstIndex(where: { byte in
        if isEscaped { isEscaped = false; return false }
        isEscaped = byte == UInt8(ascii: "\\")
        return byte == UInt8(ascii: "\"")
      })
    else { return nil }
    return (try? JSONReader.read(member[begin...end]))?.text
  }
}

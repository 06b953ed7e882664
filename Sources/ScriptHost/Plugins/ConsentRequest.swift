/// The question to a person before a plugin or an app gets access outside of the host.
public struct ConsentRequest: Sendable {
  /// The plugin or app that makes the request.
  package enum Asker: Sendable {
    case plugin(Manifest)
    /// The app, by its name or else that of its file.
    case app(name: String)
  }

  /// The plugin or app that makes the request.
  package let asker: Asker
  /// The path of its script.
  public let path: String
  /// The folder of that script, all links followed; nil if that can't be resolved. A copy elsewhere is another plugin:
  /// it finds other files beside itself, and other people can change it.
  public let folder: String?
  /// The digest that a consent is bound to. For a plugin it covers every script in its folder. For an app it covers the
  /// path of its script and its requests, so that a developer isn't asked after each change. Requested programs below
  /// the folder are part of both.
  public let digest: String
  /// Whether it requests programs below its folder.
  package let hasOwnPrograms: Bool
  /// All requested capabilities.
  package let wishes: [Wish]

  /// A requested capability.
  package struct Wish: Sendable {
    /// The capability as the manifest spells it.
    package let capability: Capability
    /// The capability that a yes grants: the same, its path with all links followed.
    package let grant: Capability
    /// Whether its path leads somewhere. If not, a yes grants nothing.
    package let leadsSomewhere: Bool
    /// Whether it was granted by name.
    package let isGranted: Bool
    /// The present seal, if it is a program below the folder of the script.
    let seal: ProgramSeal?

    /// The words of the consent question.
    package var sentence: String {
      if !leadsSomewhere { return grant.sentence + ", but there is no such file" }
      if let words = seal?.words {
        let program = words.joined(separator: " ")
        return grant.sentence + (words.isEmpty ? ", which names no program now" : ", which is '\(program)' now")
      }
      return grant.sentence + (capability.subject == Capability.workingFolder ? ", the folder where you call it" : "")
    }
  }

  /// The variables that name programs in open requests. A changed variable invalidates the consent.
  package var variables: [String] { open.compactMap(\.capability.programVariable) }

  /// The open requests, as the manifest spells them.
  public var capabilities: [Capability] { open.map(\.capability) }
  /// The capabilities that a yes grants, each path with all links followed. Store these with the consent, because the
  /// manifest's own path may lead elsewhere later.
  public var grants: [Capability] { open.map(\.grant) }
  /// The words of the consent questions.
  public var sentences: [String] { open.map(\.sentence) }

  private var open: [Wish] { wishes.filter { !$0.isGranted } }

  /// The name of the plugin or app.
  public var name: String {
    switch asker {
    case .plugin(let manifest): manifest.name
    case .app(let name): name
    }
  }

  /// A yes to this request; nil if its folder can't be resolved, because the yes couldn't be recognised later.
  public var yes: GivenConsent? {
    folder.map { GivenConsent(digest: digest, folder: $0, grants: Set(grants.map(\.description))) }
  }
}

/// A person's yes to a request, for storage. It is valid for this script in its folder, and for the shown paths.
public struct GivenConsent: Sendable, Hashable {
  /// The digest of the request.
  public var digest: String
  /// The folder of the script, all links followed.
  public var folder: String
  /// The granted capabilities, their paths with all links followed.
  public var grants: Set<String>

  /// Creates a yes from storage.
  public init(digest: String, folder: String, grants: Set<String>) {
    self.digest = digest
    self.folder = folder
    self.grants = grants
  }

  /// Returns true if the consent covers a request, so that no new question is needed.
  package func covers(_ request: ConsentRequest) -> Bool {
    digest == request.digest && request.folder.map(folder.hasSameBytes) ?? false
      && request.grants.allSatisfy { grants.contains($0.description) }
  }
}

extension ConsentRequest {
  /// Creates a script's request, with seals of programs below its folder. A grant is by path or words.
  init(
    _ asker: Asker, path: String, folder: String, digest: String, asked: [Grant], seals: [ProgramSeal?],
    granted: [Capability], inWords isGrantedInWords: (Capability) -> Bool
  ) {
    let given = granted.map { Grant($0, folder: folder, relativeTo: nil) }
    let real = Grant.real(folder)
    self.asker = asker
    self.path = path
    self.folder = real
    let programs = seals.compactMap(\.?.digest)
    hasOwnPrograms = seals.contains { $0.map { !$0.files.isEmpty } ?? false }
    self.digest = programs.isEmpty ? digest : Digest.of(Array(([digest] + programs).joined(separator: ";").utf8))
    wishes = zip(asked, seals).map { wish, seal in
      Wish(
        capability: wish.capability, grant: wish.real, leadsSomewhere: wish.path != nil || !wish.capability.hasPath,
        isGranted: isGrantedInWords(wish.capability) || given.contains { $0.includes(wish) }, seal: seal)
    }
  }

  /// Returns the requested grants. Each program that nobody granted by name gets its seal.
  func sealed(_ asked: [Grant]) -> [Grant] {
    zip(asked, wishes).map { grant, wish in
      var grant = grant
      grant.seal = wish.isGranted ? nil : wish.seal
      return grant
    }
  }
}

extension PluginFile {
  /// Explains the first wish whose kind was granted for another path, with both resolved paths. Nil if there is none.
  func elsewhere(_ request: ConsentRequest, granted: [Capability]) -> String? {
    for wish in request.wishes where !wish.isGranted {
      let other = granted.first { $0.kind == wish.capability.kind && $0.hasPath && wish.capability.hasPath }
      guard let other else { continue }
      let path = Grant(other, folder: folder, relativeTo: nil).real.subject ?? ""
      return "it means '\(wish.grant.subject ?? "")' by '\(wish.capability)', and '\(other)' grants '\(path)'"
    }
    return nil
  }
}

/// A *digest* identifies a text: SHA-256, after the standard FIPS 180-4.
struct Digest {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  private var pending: [UInt8] = []
  private var count: UInt64 = 0
  private var words = [UInt32](repeating: 0, count: 64)

  /// Returns the digest of some bytes, as 64 hexadecimal digits.
  static func of(_ bytes: [UInt8]) -> String {
    var digest = Digest()
    digest.add(bytes)
    return digest.finish()
  }

  mutating func add(_ bytes: [UInt8]) {
    count &+= UInt64(bytes.count)
    pending += bytes
    var start = 0
    while pending.count - start >= 64 {
      mix(pending[start..<(start + 64)])
      start += 64
    }
    pending.removeFirst(start)
  }

  /// Finishes the digest, with the padding of the standard.
  mutating func finish() -> String {
    let bits = count &* 8
    var padding: [UInt8] = [0x80]
    padding += [UInt8](repeating: 0, count: (119 - pending.count) % 64)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    add(padding)
    let digits = Array("0123456789abcdef")
    var text = ""
    for word in state {
      for shift in stride(from: UInt32(28), through: 0, by: -4) { text.append(digits[Int(word >> shift & 15)]) }
    }
    return text
  }

  private mutating func mix(_ block: ArraySlice<UInt8>) {
    for (index, start) in stride(from: block.startIndex, to: block.endIndex, by: 4).enumerated() {
      words[index] = block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = early.rotated(7) ^ early.rotated(18) ^ early >> 3
      let second = late.rotated(17) ^ late.rotated(19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var next = state
    for index in 0..<64 {
      let (a, e) = (next[0], next[4])
      let chosen = e & next[5] ^ ~e & next[6]
      let sum =
        next[7] &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ chosen &+ Self.constants[index] &+ words[index]
      let majority = a & next[1] ^ a & next[2] ^ next[1] & next[2]
      let other = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
      next = [sum &+ other, a, next[1], next[2], next[3] &+ sum, e, next[5], next[6]]
    }
    for index in 0..<8 { state[index] &+= next[index] }
  }

  /// The first bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes(64).map { prime in
    // Integers suffice: the root of prime · 2^96 has the fraction in its low 32 bits.
    let root = cubeRoot(of: prime)
    return UInt32(truncatingIfNeeded: root)
  }

  private static func primes(_ count: Int) -> [UInt64] {
    var found: [UInt64] = []
    var number: UInt64 = 2
    while found.count < count {
      if found.allSatisfy({ number % $0 != 0 }) { found.append(number) }
      number += 1
    }
    return found
  }

  /// Returns the largest number whose cube is not above prime · 2^96.
  private static func cubeRoot(of prime: UInt64) -> UInt64 {
    var root: UInt64 = 0
    let wanted = UInt128(prime) << 96
    for bit in stride(from: UInt64(35), through: 0, by: -1) {
      let more = root | 1 << bit
      let cube = UInt128(more) * UInt128(more) * UInt128(more)
      if cube <= wanted { root = more }
    }
    return root
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}

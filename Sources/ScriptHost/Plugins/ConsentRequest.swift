/// What a person is asked before a plugin, or an app, may do something outside of the host.
public struct ConsentRequest: Sendable {
  /// Who asks.
  package enum Asker: Sendable {
    case plugin(Manifest)
    /// The app, by its name or else that of its file.
    case app(name: String)
  }

  /// Who asks.
  package let asker: Asker
  /// The path of the script that asks.
  public let path: String
  /// The folder of that script, all links followed; nil if that can't be resolved. A copy elsewhere is another plugin, because it finds
  /// other files beside itself, and other people can change it.
  public let folder: String?
  /// A plugin's digest is of every script in its folder. An app's is of its script's path and of what it asks for, so that whoever works on
  /// the app isn't asked again after each change. The programs below the folder that it asks to run are part of both.
  public let digest: String
  /// Whether it asks to run programs below its folder.
  package let hasOwnPrograms: Bool
  /// All that it asks for.
  package let wishes: [Wish]

  /// One thing that a plugin asks for.
  package struct Wish: Sendable {
    /// As the manifest says it.
    package let capability: Capability
    /// What a yes grants: the same, its path with all links followed.
    package let grant: Capability
    /// Whether its path leads somewhere; if not, a yes grants nothing.
    package let leadsSomewhere: Bool
    /// Whether it was granted by name.
    package let isGranted: Bool
    /// What it is now, if it is a program below the folder of whoever asks.
    let seal: ProgramSeal?

    /// What a person is asked whether it may be done.
    package var sentence: String {
      if !leadsSomewhere { return grant.sentence + ", which leads nowhere" }
      if let words = seal?.words {
        let program = words.joined(separator: " ")
        return grant.sentence + (words.isEmpty ? ", which names none now" : ", which is '\(program)' now")
      }
      return grant.sentence + (capability.subject == Capability.workingFolder ? ", the folder where you call it" : "")
    }
  }

  /// The variables that name programs, of what is not granted yet: if one changes, the yes covers it no longer.
  package var variables: [String] { open.compactMap(\.capability.programVariable) }

  /// What is not granted yet, as the manifest says it.
  public var capabilities: [Capability] { open.map(\.capability) }
  /// What a yes grants: the same, each path with all its links followed. Whoever remembers a yes remembers this, because the manifest's own
  /// path may lead elsewhere by then.
  public var grants: [Capability] { open.map(\.grant) }
  /// The same as a person is asked for it.
  public var sentences: [String] { open.map(\.sentence) }

  private var open: [Wish] { wishes.filter { !$0.isGranted } }

  /// What it is called.
  public var name: String {
    switch asker {
    case .plugin(let manifest): manifest.name
    case .app(let name): name
    }
  }

  /// A yes to this request; nil if its folder can't be resolved, because it couldn't be recognised later.
  public var yes: GivenConsent? {
    folder.map { GivenConsent(digest: digest, folder: $0, grants: Set(grants.map(\.description))) }
  }
}

/// A person's yes to what was asked, which can be remembered: it is for this very plugin or app, in its folder, and for the paths that were shown.
public struct GivenConsent: Sendable, Hashable {
  /// The digest of the request.
  public var digest: String
  /// The folder of whoever asked, all links followed.
  public var folder: String
  /// What was granted, its paths with all links followed.
  public var grants: Set<String>

  /// A yes that was given before.
  public init(digest: String, folder: String, grants: Set<String>) {
    self.digest = digest
    self.folder = folder
    self.grants = grants
  }

  /// Whether nobody has to be asked again.
  package func covers(_ request: ConsentRequest) -> Bool {
    digest == request.digest && request.folder.map(folder.hasSameBytes) ?? false
      && request.grants.allSatisfy { grants.contains($0.description) }
  }
}

extension ConsentRequest {
  /// Makes a request for what a script asks for, with the seals of the programs below its folder. A wish counts as granted if its path was granted, or the very words of the script were.
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

  /// Grants of what was asked, each program that nobody granted by name with its seal.
  func sealed(_ asked: [Grant]) -> [Grant] {
    zip(asked, wishes).map { grant, wish in
      var grant = grant
      grant.seal = wish.isGranted ? nil : wish.seal
      return grant
    }
  }
}

extension PluginFile {
  /// For the first wish whose kind was granted for another path: a sentence with where both paths lead. Nil if there is none.
  func elsewhere(_ request: ConsentRequest, granted: [Capability]) -> String? {
    for wish in request.wishes where !wish.isGranted {
      let other = granted.first { $0.kind == wish.capability.kind && $0.hasPath && wish.capability.hasPath }
      guard let other else { continue }
      let path = Grant(other, folder: folder, relativeTo: nil).real.subject ?? ""
      return "'\(wish.capability)' is '\(wish.grant.subject ?? "")' to it, and '\(other)' grants '\(path)'"
    }
    return nil
  }
}

/// A *digest* tells a text from every other: SHA-256, as the standard FIPS 180-4 describes it.
struct Digest {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  private var pending: [UInt8] = []
  private var count: UInt64 = 0
  private var words = [UInt32](repeating: 0, count: 64)

  /// The digest of some bytes, as 64 hexadecimal digits.
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

  /// Ends it, with the padding that the standard asks for.
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
    // Found in whole numbers: the root of prime · 2^96, of which the low 32 bits are the fraction.
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

  /// The largest number whose cube is not above prime · 2^96.
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

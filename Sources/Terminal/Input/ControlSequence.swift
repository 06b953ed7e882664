/// A *control sequence* is the part of an input after `ESC [`: numbers, and a last byte that says what they mean.
struct ControlSequence: Equatable {
  /// The byte `<`, `=`, `>` or `?` before the numbers; nil if there is none.
  var marker: UInt8?
  /// The numbers between `;`, each with its parts after colons. A number that is left out is nil.
  var numbers: [[Int?]]
  /// A byte such as `$` between the numbers and the last byte.
  var intermediate: UInt8?
  var final: UInt8

  /// The most bytes of a sequence; no terminal sends a longer one.
  static let longest = 64
}

extension ControlSequence {
  enum Reading: Equatable {
    case whole(ControlSequence, length: Int)
    /// The sequence is valid so far, but its end is missing.
    case unfinished
    /// The bytes are no control sequence; so many have to be skipped.
    case broken(length: Int)
  }

  /// Reads the bytes after `ESC [`; the length counts from there.
  static func read(_ bytes: some Collection<UInt8>) -> Reading {
    var sequence = ControlSequence(marker: nil, numbers: [], intermediate: nil, final: 0)
    var length = 0
    for byte in bytes {
      length += 1
      if length > longest { return .broken(length: length - 1) }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): sequence.append(digit: Int(byte) - 0x30)
      case UInt8(ascii: ";"): sequence.separate()
      case UInt8(ascii: ":"): sequence.divide()
      case UInt8(ascii: "<")...UInt8(ascii: "?") where length == 1: sequence.marker = byte
      case 0x20...0x2F: sequence.intermediate = byte
      case 0x40...0x7E:
        sequence.final = byte
        return .whole(sequence, length: length)
      // Any other byte, an escape above all, begins a new input.
      default: return .broken(length: length - 1)
      }
    }
    return .unfinished
  }

  /// The number at a place, counted from 0; the default if it is left out.
  func number(_ place: Int, default missing: Int = 0) -> Int { part(place, 0) ?? missing }

  /// The part of a number at a place between colons.
  func part(_ place: Int, _ index: Int) -> Int? {
    guard numbers.indices.contains(place), numbers[place].indices.contains(index) else { return nil }
    return numbers[place][index]
  }

  private mutating func append(digit: Int) {
    if numbers.isEmpty { numbers = [[nil]] }
    let (last, part) = (numbers.count - 1, numbers[numbers.count - 1].count - 1)
    // Numbers end at seven digits, because no terminal sends a larger one.
    numbers[last][part] = min((numbers[last][part] ?? 0) * 10 + digit, 9_999_999)
  }

  private mutating func separate() {
    if numbers.isEmpty { numbers = [[nil]] }
    numbers.append([nil])
  }

  private mutating func divide() {
    if numbers.isEmpty { numbers = [[nil]] }
    numbers[numbers.count - 1].append(nil)
  }
}

import Floor

/// What the rounds of a row gave.
struct Timing {
  /// Nanoseconds an iteration, a round each.
  var ours: [Double] = []
  var floor: [Double] = []

  /// The ratios of the rounds, in ascending order: the two sides of one round had the same weather.
  var ratios: [Double] { zip(ours, floor).map { $0 / $1 }.sorted() }
  var ratio: Double { median(ratios) }
  /// Half the distance between the quartiles, as a part of the median.
  var spread: Double {
    let sorted = ratios
    return (sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / 2 / ratio
  }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

extension Row {
  static let warmUps = 2

  /// Times both sides in turns; which goes first changes from round to round.
  func time(into timing: inout Timing) throws {
    for round in 0..<Row.warmUps + rounds {
      let sides = try make()
      let order: [Side] = round % 2 == 0 ? [.ours, .floor] : [.floor, .ours]
      for side in order {
        _ = try run(sides, side, iterations / 4 + 1)
        let clock = sides.clock(side)
        let start = clock()
        _ = try run(sides, side, iterations)
        let each = Double(clock() - start) / Double(iterations)
        guard round >= Row.warmUps else { continue }
        if side == .ours { timing.ours.append(each) } else { timing.floor.append(each) }
      }
    }
  }

  /// Does one side so many times, where callgrind counts, and asserts the answer.
  func run(_ sides: Sides, _ side: Side, _ count: Int) throws {
    let work = Work(body: sides[side])
    let found = Int(floor_measured({ Work.run($0, $1) }, Unmanaged.passUnretained(work).toOpaque(), Int64(count)))
    if let error = work.error { throw error }
    let expected = answer(count)
    guard found == expected else {
      throw BenchError("\(name): \(side.rawValue) answers \(found) for \(count) times, not \(expected)")
    }
  }
}

/// A body on its way through C.
private final class Work {
  let body: Body
  var error: (any Error)?

  init(body: @escaping Body) { self.body = body }

  static func run(_ context: UnsafeMutableRawPointer?, _ count: Int64) -> Int64 {
    guard let context else { return -1 }
    return Unmanaged<Work>.fromOpaque(context)._withUnsafeGuaranteedRef { work in
      do {
        return Int64(try work.body(Int(count)))
      } catch {
        work.error = error
        return -1
      }
    }
  }
}

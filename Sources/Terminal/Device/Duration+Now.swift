import Glibc

extension Duration {
  /// The time that goes on whatever the clock on the wall says.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The milliseconds until then, and none too few.
  func milliseconds(from now: Duration) -> Int32 {
    let (seconds, attoseconds) = (self - now).components
    return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }
}

import Glibc

extension Duration {
  /// The time of the system's monotonic clock.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The milliseconds until this time, at least as many as are left.
  func milliseconds(from now: Duration) -> Int32 {
    let (seconds, attoseconds) = (self - now).components
    return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }
}

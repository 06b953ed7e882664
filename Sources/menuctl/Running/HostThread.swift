import Glibc

/// The thread on which scripts run: its stack is large enough for whatever Lua's parser nests.
enum HostThread {
  static let stack = 16 << 20

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Which heaps threads use. It is said before the first of them begins, since C's library looks at it once.
  enum Heaps {
    /// One for all: that of another thread grows a page at a time, with a call of the system's for each.
    case one
    /// One for each, since they have much to do at once and would wait for each other; each grows by as much as it may need in one go.
    case each
  }

  static func have(_ heaps: Heaps) {
    switch heaps {
    case .one: _ = setAllocatorOption(-8, 1)
    case .each: _ = setAllocatorOption(-2, 4 << 20)
    }
  }

  static func start(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stack)
    // Nobody waits for one, so nothing is kept of it.
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    let result = pthread_create(
      &thread, &attributes,
      { pointer in
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    if result != 0 {
      let output = Output()
      output.show(Problem(.raised, "a thread can't be started: \(systemMessage(result))"))
      exit(ExitStatus.raised.rawValue)
    }
  }
}

/// C's `mallopt`, which the module of C's library leaves out; -8 is its `M_ARENA_MAX`, -2 its `M_TOP_PAD`.
@_silgen_name("mallopt")
private func setAllocatorOption(_ option: Int32, _ value: Int32) -> Int32

/// What the system says of an error of its own.
func systemMessage(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

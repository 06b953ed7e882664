import Glibc

/// Starts the threads on which scripts run, with a stack that is large enough for the deepest nesting that Lua's parser allows.
enum HostThread {
  static let stack = 16 << 20

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The heaps that threads use. `have(_:)` sets it before the first thread begins, because the C library reads it once.
  enum Heaps {
    /// One heap for all threads. The heap of a thread other than the first would grow by one page at a time, with a system call for each.
    case one
    /// A heap for each thread: busy threads would wait for each other at a shared one. Each grows in large steps.
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
    // Nobody joins the thread, so it is detached and the system frees it when it ends.
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

/// `mallopt` of the C library, which the Glibc module leaves out; -8 is `M_ARENA_MAX`, -2 is `M_TOP_PAD`.
@_silgen_name("mallopt")
private func setAllocatorOption(_ option: Int32, _ value: Int32) -> Int32

/// The system's text for an `errno`.
func systemMessage(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

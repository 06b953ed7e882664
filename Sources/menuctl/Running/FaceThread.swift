import Glibc
import LiveHost
import ScriptHost
import Terminal

/// Runs a face on its own thread, so that a person can look around while a script of this process takes long.
final class FaceThread {
  var settings: FaceSettings
  /// Shows the face, and returns when it ends.
  private let show: @Sendable (LiveClient, FaceSettings) throws(Problem) -> Void
  private let problem = Guarded<Problem?>(nil)
  private let over = Descriptor.pipe()

  init(_ settings: FaceSettings, show: @escaping @Sendable (LiveClient, FaceSettings) throws(Problem) -> Void) {
    self.settings = settings
    self.show = show
  }

  /// Starts the thread. When the face ends, its client disconnects, and the app ends with it.
  func start(at end: FaceEnd) {
    HostThread.start { [settings, show, problem, over] in
      let client = LiveClient(at: end)
      do throws(Problem) { try show(client, settings) } catch { problem.withLock { $0 = error } }
      // `wait` gets the byte before the client goes, since that ends the app.
      var byte: UInt8 = 0
      if let over { _ = write(over.write, &byte, 1) }
      withExtendedLifetime(client) {}
    }
  }

  /// Waits until the face has ended, at most 3 seconds, since the app is over.
  func wait() throws(Problem) {
    if let over {
      var polled = pollfd(fd: over.read, events: Int16(POLLIN), revents: 0)
      while poll(&polled, 1, 3000) < 0, errno == EINTR {}
      // Reading the byte orders this thread after the face thread's work on the terminal.
      var byte: UInt8 = 0
      if polled.revents != 0 { _ = read(over.read, &byte, 1) }
    }
    TerminalKeeper.restore()
    if let problem = problem.withLock({ $0 }) { throw problem }
  }
}

extension Invocation {
  /// Returns the number of colours for a face: from `--color`, else from the terminal of this process.
  func colorDepth() throws(Problem) -> ColorDepth {
    let own = ColorDepth { name in getenv(name).map { String(cString: $0) } }
    switch try choice(.color, of: ColourChoice.self) ?? .auto {
    case .auto: return own
    case .always: return max(own, .sixteen)
    case .never: return .none
    }
  }
}

/// Starts the threads of scripts, with a stack that is large enough for the deepest nesting in Lua's parser.
enum HostThread {
  /// Set by `have` before the first thread begins.
  nonisolated(unsafe) private static var stack = 16 << 20

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The heaps of threads. `have(_:)` sets it before the first thread begins, because the C library reads it once.
  enum Heaps {
    /// One heap for all threads. Another thread's own heap would grow page by page, with a system call for each.
    case one
    /// A heap for each thread, in large steps: busy threads would wait for each other at a shared heap.
    case each
  }

  /// - Parameter source: the bytes of the longest script; Lua's parser needs up to 128 times as much stack.
  static func have(_ heaps: Heaps, source: Int = 0) {
    stack = max(stack, 128 * source)
    switch heaps {
    case .one: _ = setAllocatorOption(-8, 1)
    case .each: _ = setAllocatorOption(-2, 4 << 20)
    }
  }

  static func start(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stack)
    // The thread is detached, so the system frees it when it ends.
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

/// `mallopt` of the C library, which the Glibc module lacks; -8 is `M_ARENA_MAX`, -2 is `M_TOP_PAD`.
@_silgen_name("mallopt")
private func setAllocatorOption(_ option: Int32, _ value: Int32) -> Int32

/// Returns the system's text for an `errno`.
func systemMessage(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

/// A picture of a face, requested on the command line.
struct FacePicture: Sendable {
  private let shot: FaceShot
  /// Nil for stdout.
  private let file: String?
  private let hasColour: Bool

  /// Reads the requested picture; nil if there is none.
  init?(_ invocation: Invocation) throws(Problem) {
    hasColour = (try invocation.choice(.color, of: ColourChoice.self) ?? .auto).coloursPictures
    file = invocation.values(.screenshotTo).last
    guard let word = invocation.values(.screenshot).last ?? (file == nil ? nil : "80x24") else { return nil }
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    var strokes: [Stroke] = []
    if parts.count > 1, !parts[1].isEmpty {
      do throws(KeyError) { strokes = try KeySequence.parse(parts[1]).strokes } catch {
        throw Problem(.usage, "'--screenshot \(word)': \(error.message)")
      }
    }
    guard size.count == 2, let columns = size[0], let rows = size[1],
      let shot = FaceShot(columns: columns, rows: rows, strokes: strokes)
    else {
      throw Problem(
        .usage, "'--screenshot \(word)' is no size", help: "as in 80x24, or 80x24:ctrl+p; 1000 of each at most")
    }
    self.shot = shot
  }

  /// Takes the picture, and writes it to the file or to stdout.
  func show(_ client: LiveClient, _ settings: FaceSettings) throws(Problem) {
    let isPicture = file?.hasSuffix(".svg") ?? false
    var settings = settings
    if !hasColour { settings.theme = settings.theme.shown(with: .none) }
    let text: String
    do throws(Unanswered) { text = try shot.taken(of: client, settings, as: isPicture ? .svg : .text) } catch {
      throw Problem(error)
    }
    if let file { return try AtomicFile.write(Array(text.utf8), to: file, permissions: 0o644) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw Problem(.no, "can't write to stdout: \(systemMessage(errno))") }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

extension Invocation {
  /// Whether the command line requests a picture of a face.
  var isOfPicture: Bool { has(.screenshot) || has(.screenshotTo) }
}

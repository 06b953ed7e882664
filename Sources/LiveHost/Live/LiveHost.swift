import CSocket
import Glibc
import ScriptHost

/// A *live host* is a host that goes on, and that several look at: it answers the requests of clients on a socket, and tells them what happens.
///
/// ```swift
/// let host = ScriptHost()
/// try host.load(path: "photos.lua")
/// let live = LiveHost(host)
/// try live.listen(name: "photos")
/// live.run()
/// ```
///
/// It has one loop and no thread: a program with a loop of its own waits for `descriptors` and until `nextDeadline`, and calls `turn()`.
/// From when it is made the host's `onPrint`, `onLog` and `onDiagnostic` are its own; those that were set before are still told.
public final class LiveHost {
  /// The host that it makes live.
  public let host: ScriptHost
  let subject: HostSubject
  let life = Life<LiveHost>()
  /// Where the app was read from, which `reload` reads anew; nil where it can't be.
  public var path: String? { didSet { subject.source = path ?? subject.source } }
  /// Reads the app anew in another way than from `path`.
  package var reloading: (() throws(Failure) -> Void)?
  /// Whether lines of Lua are evaluated for clients.
  public var evaluates = true { didSet { methods = evaluates ? Method.all : Method.allButLines } }
  /// The methods that clients may ask for.
  @exclusivity(unchecked) private(set) var methods = Method.all

  /// How answers are written.
  let answers: AnswerJSON
  // What is looked at on the way of each request is not checked for who else changes it: one thread does all, and none of it while it is being
  // changed. What was read and written last is used again for its memory.
  let tape = JSONTape()
  @exclusivity(unchecked) var writer: JSONWriter?
  @exclusivity(unchecked) private var polled: [pollfd] = []

  @exclusivity(unchecked) private(set) var listener: Listener?
  /// The name that it listens under.
  public private(set) var name: String?
  @exclusivity(unchecked) var clients: [Client] = []
  /// Those for whom there is something that they were not sent.
  @exclusivity(unchecked) var unsent: [Client] = []
  /// What any of them wants to be told, as bits.
  @exclusivity(unchecked) var wanted = 0
  /// How many may be connected.
  static let mostClients = 128
  /// The client on stdin and stdout, or the face of this process, with whose end all ends.
  private var main: Client?

  /// The menus as they were given out last, and how often they were others.
  @exclusivity(unchecked) var drawn = MenuElement.nothing
  @exclusivity(unchecked) public internal(set) var revision = 0
  /// Whose context menu the host's last one is, and whether a client's ever was: who had it may be gone.
  weak var contextMenuOwner: Client?
  var hasContextMenus = false
  /// Whether something happened since.
  @exclusivity(unchecked) var isDirty = false
  /// The row of the panel that a script has made the current one, until that is told.
  var chosen: String?
  var jobs: [Int: LiveJob] = [:]
  @exclusivity(unchecked) var ended: [LiveJob] = []
  var lastJob = 0
  var registrations: [Topic: Registration] = [:]
  /// Whether the request that was answered last did something.
  @exclusivity(unchecked) var hasDone = false
  /// What is told to nobody.
  @exclusivity(unchecked) var secrets = Secrets()
  /// The plugins as they were told of last, and how often keys were bound until then.
  var plugins = JSON.null
  var keyChanges = 0
  let since = time(nil)

  /// There where somebody may ring.
  private var alarm: Alarm?
  @exclusivity(unchecked) private(set) var isOver = false
  /// Whether it ends after the answer that is under way.
  @exclusivity(unchecked) var isStopping = false
  /// Whether a client has asked something that was read already.
  @exclusivity(unchecked) private var hasUnreadLines = false
  /// What else is waited for.
  @exclusivity(unchecked) package var others: [Other] = []

  /// Something beside clients that the loop waits for.
  package struct Other {
    package let descriptor: Int32
    /// What `poll` waits for, if anything now.
    fileprivate let events: () -> Int32
    /// What is done when that has come; when it wants to be called by itself, if at all.
    package let ready: () -> Void
    package let deadline: () -> Duration?

    package init(descriptor: Int32, deadline: @escaping () -> Duration?, ready: @escaping () -> Void) {
      self.descriptor = descriptor
      events = { POLLIN }
      self.deadline = deadline
      self.ready = ready
    }

    /// What is written when there is room for it.
    package init(_ outlet: Outlet) {
      descriptor = outlet.descriptor
      events = { outlet.isWaiting ? POLLOUT : 0 }
      deadline = { nil }
      ready = { outlet.flush() }
    }
  }

  /// Makes a host live, which nobody sees until it listens somewhere.
  public init(_ host: ScriptHost) {
    self.host = host
    subject = HostSubject(host, source: "")
    answers = Self.answers(of: host)
    life.begin(self)
    subject.snapshot = { [unowned self] in snapshot() }
    listenToHost()
  }

  deinit {
    life.end()
    close()
  }
}

// MARK: Where clients are

extension LiveHost {
  /// Listens under a name, where `menuctl … @NAME` finds it.
  public func listen(name: String) throws(LiveError) {
    let name = SessionName.made(of: name)
    try listen(at: "\(try RuntimeFolder.prepared())/\(name).sock", named: name)
  }

  /// Listens at a path of its own.
  public func listen(path: String) throws(LiveError) {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    try listen(at: path, named: SessionName.made(of: last.hasSuffix(".sock") ? String(last.dropLast(5)) : last))
  }

  private func listen(at path: String, named name: String) throws(LiveError) {
    listener?.close()
    listener = nil
    listener = try Listener(path)
    self.name = name
  }

  /// Has the one who started the process be a client too, on stdin and stdout. When stdin ends all does.
  package func listenToStdio() { listen(to: Connection(reading: STDIN_FILENO, writing: STDOUT_FILENO)) }

  /// Has a face of this process be a client too, at the other end of a pair of sockets. When it goes all ends.
  package func faceEnd() throws(LiveError) -> FaceEnd {
    let handover = Handover()
    return FaceEnd(descriptor: try pairedDescriptor(handover), handover: handover)
  }

  /// The other end of a pair of sockets, at which somebody of this process is a client.
  func pairedDescriptor(_ handover: Handover? = nil) throws(LiveError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard csocket_pair(&ends) == 0 else { throw .system("can't make a pair of sockets") }
    listen(to: Connection(socket: ends[0]), handover)
    return ends[1]
  }

  private func listen(to connection: consuming Connection, _ handover: Handover? = nil) {
    let client = Client(connection, handover)
    clients.append(client)
    main = client
  }
}

// MARK: The loop

extension LiveHost {
  /// Goes on until it is stopped.
  public func run() {
    while !isOver { wait(for: timeout) }
  }

  /// What a loop of the program's own waits for: to read, to write, or both, as `poll` has it.
  public var descriptors: [(descriptor: Int32, reads: Bool, writes: Bool)] {
    var polled: [pollfd] = []
    fill(&polled)
    return polled.map { (Int32($0.fd), $0.events & Int16(POLLIN) != 0, $0.events & Int16(POLLOUT) != 0) }
  }

  /// When something goes on by itself, by the host's clock: that is when a turn is due; nil where nothing does.
  public var nextDeadline: Duration? {
    if hasUnreadLines { return host.now }
    var earliest = host.nextDeadline
    func note(_ deadline: Duration?) {
      if let deadline, earliest.map({ deadline < $0 }) ?? true { earliest = deadline }
    }
    if isExhausted { note(host.now + .milliseconds(100)) }
    for other in others { note(other.deadline()) }
    return earliest
  }

  /// Does what is to be done now, and waits for nothing.
  public func turn() { if !isOver { wait(for: 0) } }

  /// Ends it: actions that wait are cancelled and taken back, clients hear of it.
  public func stop() {
    if isOver { return }
    isOver = true
    for job in host.jobs { job.cancel() }
    settle()
    tell(.app) { [("stopping", .bool(true))] }
    flushForGood()
    close()
  }

  /// Has the loop call `onAlarm`, from a signal's thread or any other.
  package var ring: @Sendable (UInt8) -> Void { madeAlarm.ring }

  private var madeAlarm: Alarm {
    if let alarm { return alarm }
    let made = Alarm()
    alarm = made
    return made
  }

  /// What a process does, on any thread, that ends without `stop()`: nobody finds its socket any more.
  package var leaving: @Sendable () -> Void {
    guard let listener else { return {} }
    return listener.leaving
  }

  /// What is done in the loop when somebody rang.
  package var onAlarm: ((UInt8) -> Void)? {
    get { alarm?.onRing }
    set { madeAlarm.onRing = newValue }
  }

  /// Whether who connects has to wait until there are descriptors again.
  private var isExhausted: Bool { listener?.isExhausted ?? false }

  /// How many milliseconds there are until something goes on; -1 where nothing does by itself.
  private var timeout: Int32 {
    guard let deadline = nextDeadline else { return -1 }
    let seconds = (deadline - host.now).components
    if seconds.seconds < 0 || seconds.attoseconds < 0 { return 0 }
    let (milliseconds, isTooLarge) = seconds.seconds.multipliedReportingOverflow(by: 1000)
    guard !isTooLarge, milliseconds < Int64(Int32.max) - 1000 else { return Int32.max }
    return Int32(clamping: milliseconds + (seconds.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// The alarm, who listens, what else there is, the clients: written over what was waited for before.
  private func fill(_ polled: inout [pollfd]) {
    var count = 0
    polled.set(alarm?.descriptor ?? -1, POLLIN, at: &count)
    polled.set(isExhausted ? -1 : listener?.descriptor ?? -1, POLLIN, at: &count)
    if !others.isEmpty { fillOthers(&polled, at: &count) }
    // By their places, here and below: to take out the list is to count who holds it.
    for index in clients.indices { clients[index].connection.wait(in: &polled, at: &count) }
    if count < polled.count { polled.removeLast(polled.count - count) }
  }

  private func fillOthers(_ polled: inout [pollfd], at index: inout Int) {
    for other in others {
      let events = other.events()
      // What is broken would be told without end.
      polled.set(events == 0 ? -1 : other.descriptor, events, at: &index)
    }
  }

  private func wait(for milliseconds: Int32) {
    // Its memory is used again, unless a program takes a turn within a turn.
    var polled: [pollfd] = []
    swap(&polled, &self.polled)
    defer { swap(&polled, &self.polled) }
    fill(&polled)
    let waited = clients
    let behindOthers = 2 + others.count
    if poll(&polled, nfds_t(polled.count), milliseconds) < 0 {
      for index in polled.indices { polled[index].revents = 0 }
    }
    if polled[0].revents != 0 { alarm?.heard() }
    if isOver { return }
    goOn()
    if !others.isEmpty {
      serveOthers(polled[2..<behindOthers])
      if isOver { return }
    }
    settle()
    sendAll()
    if polled[1].revents != 0 || isExhausted { accept() }
    var index = behindOthers
    for client in waited where client.takesPart(by: polled, at: &index) {
      serve(client)
      if isOver { return }
    }
    lookAtClients()
  }

  /// Does what else is waited for, where that has come or is due. What one does may bring others, which were not waited for.
  private func serveOthers(_ polled: ArraySlice<pollfd>) {
    for (place, other) in zip(polled.startIndex..., others) {
      let isDue = other.deadline().map { $0 <= host.now } ?? false
      if place < polled.endIndex, polled[place].revents != 0 || isDue { other.ready() }
      if isOver { return }
    }
  }

  /// Has go on whatever waits for its time.
  private func goOn() {
    guard let deadline = host.nextDeadline, deadline <= host.now else { return }
    host.run()
    isDirty = true
  }

  /// Does one request of a client, if one has come whole, and sends what there is for anybody. A face of this process, which asks several
  /// things when it begins, has all of them answered, and is woken once; of what it does one thing is done in a turn, as for others (L12).
  private func serve(_ client: Client) {
    hasDone = false
    repeat {
      if client.isToBeServed, let line = client.connection.nextLine() { answer(line, to: client) }
    } while !isOver && !hasDone && client.handover != nil && client.isToBeServed
    if !isOver { sendAll() }
  }

  private func accept() {
    // Not all at once, so that a flood of them holds nobody up.
    for _ in 0..<16 {
      guard let descriptor = listener?.accept() else { return }
      let client = Client(Connection(socket: descriptor))
      if clients.count < Self.mostClients {
        clients.append(client)
      } else {
        refuse(
          client, CallError(.busy, "\(Self.mostClients) clients are connected already, which is the most there can be"),
          nil)
        client.flush()
        client.connection.close()
      }
    }
  }

  /// Looks once at each client: takes leave of those who are gone, and notes whether anybody is to be served without waiting.
  private func lookAtClients() {
    var isAnyDone = false
    hasUnreadLines = false
    for index in clients.indices {
      if clients[index].isToBeServed { hasUnreadLines = true }
      if clients[index].isDone { isAnyDone = true }
    }
    if isAnyDone { leave() }
  }

  private func leave() {
    let gone = clients.filter(\.isDone)
    clients.removeAll(where: \.isDone)
    for client in gone {
      for job in jobs.values.sorted(by: { $0.number < $1.number }) where job.asker === client {
        job.asker = nil
        if job.isOwned { job.job.cancel() }
      }
      client.connection.close()
      if client === main { return stop() }
    }
    watchWhatIsWanted()
    isDirty = true
    settle()
    sendAll()
  }

  /// Sends what is left to whoever reads it within a moment.
  private func flushForGood() {
    for _ in 0..<20 {
      for client in clients { client.flush() }
      var polled = clients.filter { $0.connection.wantsToWrite }.map {
        pollfd(fd: $0.connection.output, events: Int16(POLLOUT), revents: 0)
      }
      if polled.isEmpty { return }
      if poll(&polled, nfds_t(polled.count), 10) == 0 { continue }
    }
  }

  private func close() {
    listener?.close()
    listener = nil
    for client in clients { client.connection.close() }
    clients = []
    unsent = []
  }
}

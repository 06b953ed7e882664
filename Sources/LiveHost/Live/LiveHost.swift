import CSocket
import Glibc
import ScriptHost

/// A *live host* runs a `ScriptHost` for several clients: it answers their requests and notifies them of changes.
///
/// ```swift
/// let host = ScriptHost()
/// try host.load(path: "photos.lua")
/// let live = LiveHost(host)
/// try live.listen(name: "photos")
/// live.run()
/// ```
///
/// It has one loop and no thread. A program with its own loop polls `descriptors`, at most until `nextDeadline`, and
/// then calls `turn()`.
public final class LiveHost {
  /// The host that clients use.
  public let host: ScriptHost
  let subject: HostSubject
  let life = Life<LiveHost>()
  /// The path of the app's script, which `reload` reads again; nil if the app can't be reloaded from a path.
  public var path: String? { didSet { subject.source = path ?? subject.source } }
  /// Reloads the app in another way than from `path`.
  package var reloading: (() throws(Failure) -> Void)?
  /// Whether clients may evaluate lines of Lua.
  public var evaluates = true { didSet { methods = evaluates ? Method.all : Method.allButLines } }
  /// The methods that clients may call.
  private(set) var methods = Method.all

  /// The writer of answers.
  let answers: AnswerJSON
  // `tape` and `writer` are kept from request to request, to use their memory again.
  let tape = JSONTape()
  var writer: JSONWriter?
  private var polled: [pollfd] = []

  private(set) var listener: Listener?
  /// The name under which the host listens.
  public private(set) var name: String?
  var clients: [Client] = []
  /// The clients whose queued lines `sendAll` must still send.
  var unsent: [Client] = []
  /// The topics to which at least one client has subscribed, as bits.
  var wanted = 0
  /// The most clients that may be connected.
  static let mostClients = 128
  /// The client on stdin and stdout, or the face of this process. When it leaves, the live host stops.
  private var main: Client?
  /// How long the answers that the main client waits for may take after the end of its input.
  private static let patience = Duration.seconds(10)
  /// The end of that time; nil before the end of its input.
  private var endOfPatience: Duration?

  /// The view of the clients that name none.
  let everything = Shown(.everything)
  /// The number of snapshots of everything that differed from the previous snapshot.
  public var revision: Int { everything.revision }
  /// The client of the host's last context menu, and whether any client ever opened one. The client may be gone.
  weak var contextMenuOwner: Client?
  var hasContextMenus = false
  /// Whether something happened since the last snapshot.
  var isDirty = false {
    didSet {
      if !isDirty { return }
      everything.isStale = true
      for client in clients { client.shown?.isStale = true }
    }
  }
  /// The panel's new current row, until clients are notified.
  var chosen: String?
  var jobs: [Int: LiveJob] = [:]
  var ended: [LiveJob] = []
  var lastJob = 0
  /// Whether the deed that begins now is of a client that answers the questions of its job.
  var beginsAnswered = false
  /// Whether a job asks something and `followJobs` hasn't run since.
  var hasUntoldQuestion = false
  /// Whether a face is starting that will answer the questions of jobs.
  package var awaitsFace = false
  var registrations: [Topic: Registration] = [:]
  /// The functions that end the observation of the host.
  var hearing: [() -> Void] = []
  /// Whether the last request was a deed.
  var hasDone = false
  /// The secret texts that are sent to no client.
  var secrets = Secrets()
  /// The plugins that clients know, and the host's `keyChanges` at that time.
  var plugins = JSON.null
  var keyChanges = 0
  /// The answers of the conditions of keys that clients know.
  var keyConditions: [ObjectIdentifier: Bool] = [:]
  /// The app's title that clients know.
  var toldTitle: String?
  let since = time(nil)

  /// The alarm with which other threads wake the loop; made at its first use.
  private var alarm: Alarm?
  private(set) var isOver = false
  /// Whether the live host stops after the current answer.
  var isStopping = false
  /// The client whose request is running.
  weak var asker: Client?
  /// Whether a request was read and not answered yet, so that the loop must not wait.
  private var hasUnreadLines = false
  /// The descriptors and deadlines that the loop waits for in addition to clients.
  package var others: [Other] = []

  /// A descriptor or a deadline that the loop waits for in addition to clients.
  package struct Other {
    package let descriptor: Int32
    /// The events that `poll` waits for; 0 for none now.
    fileprivate let events: () -> Int32
    /// Called when the descriptor is ready or `deadline` has come; a nil deadline never comes.
    package let ready: () -> Void
    package let deadline: () -> Duration?

    package init(descriptor: Int32, deadline: @escaping () -> Duration?, ready: @escaping () -> Void) {
      self.descriptor = descriptor
      events = { POLLIN }
      self.deadline = deadline
      self.ready = ready
    }

    /// Flushes an outlet when its descriptor can be written.
    package init(_ outlet: Outlet) {
      descriptor = outlet.descriptor
      events = { outlet.isWaiting ? POLLOUT : 0 }
      deadline = { nil }
      ready = { outlet.flush() }
    }
  }

  /// Makes a live host. No client can connect until it listens.
  public init(_ host: ScriptHost) {
    self.host = host
    subject = HostSubject(host, source: "")
    answers = Self.answers(of: host)
    life.begin(self)
    subject.snapshot = { [unowned self] in snapshot() }
    listenToHost()
  }

  deinit {
    for end in hearing { end() }
    life.end()
    close()
  }
}

// MARK: Where clients are

extension LiveHost {
  /// Listens under a name, so that `menuctl … @NAME` connects to it.
  public func listen(name: String) throws(LiveError) {
    let name = SessionName.made(of: name)
    try listen(at: "\(try RuntimeFolder.prepared())/\(name).sock", named: name)
  }

  /// Listens at a path that the program chooses.
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

  /// Makes the process's stdin and stdout a client, for the parent process. When stdin ends, the live host stops.
  package func listenToStdio() { listen(to: Connection(reading: STDIN_FILENO, writing: STDOUT_FILENO)) }

  /// Makes a face of this process a client, and returns the face's end. When the face leaves, the live host stops.
  package func faceEnd() throws(LiveError) -> FaceEnd {
    let handover = Handover()
    return FaceEnd(descriptor: try pairedDescriptor(handover), handover: handover)
  }

  /// Makes a pair of sockets, serves one end as a client, and returns the other end.
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
  /// Runs the loop until it is stopped.
  public func run() {
    while !isOver { wait(for: timeout) }
  }

  /// The descriptors that a program's own loop polls, and whether to read, to write or both.
  public var descriptors: [(descriptor: Int32, reads: Bool, writes: Bool)] {
    var polled: [pollfd] = []
    fill(&polled)
    return polled.map { (Int32($0.fd), $0.events & Int16(POLLIN) != 0, $0.events & Int16(POLLOUT) != 0) }
  }

  /// The time on the host's clock at which `turn()` is due even if no descriptor is ready; nil if there is none.
  public var nextDeadline: Duration? {
    if hasUnreadLines { return host.now }
    var earliest = host.nextDeadline
    func note(_ deadline: Duration?) {
      if let deadline, earliest.map({ deadline < $0 }) ?? true { earliest = deadline }
    }
    if isExhausted { note(host.now + .milliseconds(100)) }
    for other in others { note(other.deadline()) }
    note(endOfPatience)
    return earliest
  }

  /// Does one round of the loop without waiting.
  public func turn() { if !isOver { wait(for: 0) } }

  /// Stops the live host: cancels the actions that wait, takes them back, and notifies clients.
  public func stop() {
    if isOver { return }
    isOver = true
    for job in host.jobs { job.cancel() }
    settle()
    tell(.app) { [("stopping", .bool(true))] }
    flushForGood()
    close()
  }

  /// Makes the loop call `onAlarm`. It may be called from a signal's thread or any other.
  package var ring: @Sendable (UInt8) -> Void { madeAlarm.ring }

  private var madeAlarm: Alarm {
    if let alarm { return alarm }
    let made = Alarm()
    alarm = made
    return made
  }

  /// Returns a function that removes the socket's file on any thread, for a process that ends without `stop()`.
  package var leaving: @Sendable () -> Void {
    guard let listener else { return {} }
    return listener.leaving
  }

  /// Called in the loop with the byte that another thread gave to `ring`.
  package var onAlarm: ((UInt8) -> Void)? {
    get { alarm?.onRing }
    set { madeAlarm.onRing = newValue }
  }

  /// Whether the process has run out of descriptors, so that new clients wait for a free descriptor.
  private var isExhausted: Bool { listener?.isExhausted ?? false }

  /// The milliseconds until `nextDeadline`, for `poll`; -1 if there is none.
  private var timeout: Int32 {
    guard let deadline = nextDeadline else { return -1 }
    let seconds = (deadline - host.now).components
    if seconds.seconds < 0 || seconds.attoseconds < 0 { return 0 }
    let (milliseconds, isTooLarge) = seconds.seconds.multipliedReportingOverflow(by: 1000)
    guard !isTooLarge, milliseconds < Int64(Int32.max) - 1000 else { return Int32.max }
    return Int32(clamping: milliseconds + (seconds.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Fills the entries for `poll`: the alarm, the listener, changes, returns, the others, the clients, in this order.
  private func fill(_ polled: inout [pollfd]) {
    var count = 0
    polled.set(alarm?.descriptor ?? -1, POLLIN, at: &count)
    polled.set(isExhausted ? -1 : listener?.descriptor ?? -1, POLLIN, at: &count)
    polled.set(host.changeDescriptor ?? -1, POLLIN, at: &count)
    polled.set(host.wakeDescriptor ?? -1, POLLIN, at: &count)
    if !others.isEmpty { fillOthers(&polled, at: &count) }
    // By index, here and below: iterating over the array would retain it.
    for index in clients.indices { clients[index].connection.wait(in: &polled, at: &count) }
    if count < polled.count { polled.removeLast(polled.count - count) }
  }

  private func fillOthers(_ polled: inout [pollfd], at index: inout Int) {
    for other in others {
      let events = other.events()
      // Without events it isn't polled at all: `poll` would report an error or a hang-up again and again.
      polled.set(events == 0 ? -1 : other.descriptor, events, at: &index)
    }
  }

  private func wait(for milliseconds: Int32) {
    // The array's memory is used again, unless a program calls `turn()` within a round of the loop.
    var polled: [pollfd] = []
    swap(&polled, &self.polled)
    defer { swap(&polled, &self.polled) }
    fill(&polled)
    let waited = clients
    let behindOthers = 4 + others.count
    if poll(&polled, nfds_t(polled.count), milliseconds) < 0 {
      for index in polled.indices { polled[index].revents = 0 }
    }
    if polled[0].revents != 0 { alarm?.heard() }
    if isOver { return }
    if polled[2].revents != 0 { host.takeChanges() }
    if polled[3].revents != 0 { host.takeReturns() }
    goOn()
    if isStopping { stop() }
    if isOver { return }
    if !others.isEmpty {
      serveOthers(polled[4..<behindOthers])
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

  /// Calls `ready` of each of `others` whose event or deadline has come. A call may add others, without an entry yet.
  private func serveOthers(_ polled: ArraySlice<pollfd>) {
    for (place, other) in zip(polled.startIndex..., others) {
      let isDue = other.deadline().map { $0 <= host.now } ?? false
      if place < polled.endIndex, polled[place].revents != 0 || isDue { other.ready() }
      if isOver { return }
    }
  }

  /// Runs the host if its deadline has come.
  private func goOn() {
    guard let deadline = host.nextDeadline, deadline <= host.now else { return }
    host.run()
    isDirty = true
  }

  /// Answers one request of a client, if a whole one has come, and sends the queued lines of all clients. A face of
  /// this process sends several requests when it begins. The host answers all of them and wakes the face once. Each
  /// round performs at most one of its deeds, as for other clients (L12).
  private func serve(_ client: Client) {
    hasDone = false
    repeat {
      if client.isToBeServed, let line = client.connection.nextLine() { answer(line, to: client) }
    } while !isOver && !hasDone && client.handover != nil && client.isToBeServed
    if !isOver { sendAll() }
  }

  private func accept() {
    // At most 16 in a round, so that a flood of connections doesn't hold up the other clients.
    for _ in 0..<16 {
      guard let descriptor = listener?.accept() else { return }
      let client = Client(Connection(socket: descriptor))
      if clients.count < Self.mostClients {
        clients.append(client)
      } else {
        refuse(
          client, CallError(.busy, "\(Self.mostClients) clients are connected already, and that is the limit"),
          nil)
        client.flush()
        client.connection.close()
      }
    }
  }

  /// Removes the clients that are gone, and notes whether any client has a request that was already read.
  private func lookAtClients() {
    var (isAnyDone, isAnySilent) = (false, false)
    hasUnreadLines = false
    for index in clients.indices {
      if clients[index].part != nil, clients[index].hasFallenSilent { isAnySilent = true }
      if clients[index].isToBeServed { hasUnreadLines = true }
      if clients[index].isDone { isAnyDone = true }
    }
    if isAnySilent { removeSilent() }
    if isAnyDone { leave() }
    guard let main, !isOver, main.hasFallenSilent else { return }
    let end = endOfPatience ?? host.now + Self.patience
    endOfPatience = end
    if host.now >= end { stop() }
  }

  /// Removes the responders of clients that send nothing more. These clients may still wait for answers.
  private func removeSilent() {
    for client in clients where client.hasFallenSilent { removePart(of: client) }
    settle()
    sendAll()
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

  /// Sends the rest to the clients that read it within 200 milliseconds.
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

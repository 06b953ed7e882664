import ScriptHost

// Actions and lines that wait: the host sends progress and outcome to the client that began them.

extension LiveHost {
  /// Performs a deed for a client, and returns the reply to its request.
  func carryOut(
    _ deed: Deed, _ manner: Manner, for client: Client, _ given: Parameters, _ id: JSON?
  ) throws(CallError) -> Method.Reply {
    if case .press = deed, client.strokes.onActedAlone == nil { tellKeysThatActAlone(of: client) }
    do throws(Unanswered) {
      let outer = beginsAnswered
      beginsAnswered = given.isSet("answers")
      defer { beginsAnswered = outer }
      let undertaking = try subject.begin(deed, manner, after: client.strokes, comparing: given.isSet("changes"))
      if case .press = deed { undertaking.waits = client.strokes.isWaiting }
      return reply(to: undertaking, of: deed, manner.answered, for: client, given, id)
    } catch {
      throw CallError(error)
    }
  }

  /// Reports the outcome of a client's keys that acted alone, after a time or at a stroke that fits no sequence (K12).
  private func tellKeysThatActAlone(of client: Client) {
    client.strokes.onActedAlone = { [life, weak client] keys, outcome in
      guard let all = life.object, let client else { return }
      let undertaking = Undertaking(of: keys, outcome)
      all.subject.finish(undertaking)
      let told = all.withoutSecrets(.object([("waited", .text(keys.text))] + all.answers.members(undertaking)))
      all.send(.outcomes, to: [client], told.members ?? [])
      all.isDirty = true
    }
  }

  /// Returns the outcome of an undertaking, or the reply that it is running.
  func reply(
    to undertaking: Undertaking, of deed: Deed, _ answered: Answered, for client: Client, _ given: Parameters,
    _ id: JSON?
  ) -> Method.Reply {
    guard let job = undertaking.job else { return told(undertaking, of: deed, answered) }
    lastJob += 1
    // A line belongs to its client, and no other client sees its result. So it is cancelled when the client leaves. The
    // client waits for it unless the request says otherwise.
    let isLine = undertaking.isLine
    let waits = (given.bool("wait") ?? isLine) && id != nil
    let live = LiveJob(
      lastJob, job, undertaking, LiveJob.Asked(deed: deed, answered: answered), asker: client,
      awaitedAs: waits ? id : nil, isOwned: isLine || given.isSet("owned"), answers: given.isSet("answers"))
    jobs[live.number] = live
    follow(live)
    var running: [(String, JSON)] = [
      (isLine ? "eval" : "action", .text(undertaking.name)), ("status", .text("running")),
    ]
    running += job.by.isEmpty || isLine ? [] : [("by", .text(job.by))]
    running.append(("job", .integer(live.number)))
    running += progress(of: job)
    if !isLine { tell(.outcomes) { running + [("do", deed.described(answered, by: host))] } }
    tellBeginning(of: live)
    if waits {
      client.awaited += 1
      return .later
    }
    return .result(running)
  }

  /// Returns the reply of an undertaking that is over, and sends its outcome to the subscribers of `outcomes`.
  private func told(_ undertaking: Undertaking, of deed: Deed, _ answered: Answered) -> Method.Reply {
    if undertaking.isLine, var evaluated = subject.evaluated(undertaking) {
      tell(.outcomes) {
        answers.members(evaluated).filter { $0.0 != "inspected" } + [("do", deed.described(answered, by: host))]
      }
      evaluated.changes = subject.changes(of: undertaking)
      return .result(answers.members(evaluated))
    }
    subject.finish(undertaking)
    // A reference that can't be parsed may contain a secret argument.
    if undertaking.outcome.status != .handled, undertaking.outcome.error?.code == .reference,
      case .perform(let reference, _) = deed, host.masked(reference) != reference
    {
      secrets.keep(.text(String(reference.drop { $0 != "(" })))
    }
    // The outcome is sent before the changes. `isWanted` comes first, since passing a deed on copies it.
    if isWanted(.outcomes) {
      tell(.outcomes) { json in
        json.members(answers.members(undertaking))
        json.members([("do", deed.described(answered, by: host))])
      }
    }
    undertaking.changes = subject.changes(of: undertaking)
    return .performed(undertaking)
  }

  private func follow(_ live: LiveJob) {
    // The host and its jobs may outlive this live host.
    live.job.onProgress = { [life, weak live, earlier = live.job.onProgress] job in
      earlier?(job)
      guard let all = life.object, let live else { return }
      all.tell(.jobs, also: all.asker(of: live)) { [("job", .integer(live.number))] + all.progress(of: job) }
    }
    // The live host may be in the middle of a request, so `settle` reports the end after it.
    live.job.onEnd { [life, weak live] outcome in
      guard let all = life.object, let live else { return }
      live.undertaking.ended(live.job, outcome, in: all.host)
      all.ended.append(live)
      all.isDirty = true
    }
  }

  /// Returns the client that gets news of a job without a subscription: its asker, unless that waits for the answer.
  private func asker(of live: LiveJob) -> Client? { live.awaitedAs == nil ? live.asker : nil }

  func tellEnd(of live: LiveJob, _ answers: inout [(asker: Client, reply: Method.Reply, id: JSON)]) {
    jobs[live.number] = nil
    // A job that no client began has no deed to describe, so only its outcome is sent.
    let reply: Method.Reply
    if let asked = live.asked {
      reply = told(live.undertaking, of: asked.deed, asked.answered)
    } else {
      subject.finish(live.undertaking)
      reply = .performed(live.undertaking)
    }
    tell(.jobs, also: asker(of: live)) { json in
      json.members([("job", .integer(live.number))])
      json.raw(", \"outcome\": {")
      write(reply, to: &json)
      json.raw("}")
    }
    guard let id = live.awaitedAs, let asker = live.asker else { return }
    asker.awaited -= 1
    answers.append((asker, reply, id))
  }

  /// Ends the requesting client if it ends itself, as faces do. Else ends the live host after the current answer.
  func quit() {
    guard let client = asker ?? askerOfWhatRuns, client.endsItself else { return isStopping = true }
    send(.app, to: [client], [("quit", .bool(true))])
  }

  /// Passes a script's wish to open something to the face that began the action. Returns false if no face began it.
  func pass(_ wish: FaceWish) -> Bool {
    guard let client = asker ?? askerOfWhatRuns, client.endsItself else { return false }
    let open: (String, JSON) =
      switch wish {
      case .palette: ("palette", .bool(true))
      case .menu(let id): ("menu", .text(id))
      case .form(let reference): ("form", .text(reference))
      }
    send(.app, to: [client], [("open", .object([open]))])
    return true
  }

  /// The client that began the job that is running now.
  private var askerOfWhatRuns: Client? {
    jobs.values.first { live in
      var part: Job? = live.job
      while let job = part {
        if job.isExecuting { return true }
        part = job.awaited
      }
      return false
    }?.asker
  }

  private func progress(of job: Job) -> [(String, JSON)] {
    guard let progress = job.progress else { return [] }
    let text: [(String, JSON)] = progress.text.map { [("text", .text($0))] } ?? []
    return [("progress", .object([("fraction", .number(progress.fraction))] + text))]
  }

  /// Follows the jobs that the app or the embedding program began, like those of clients. Skips a job that a client's
  /// job waits for, since it is a part of that.
  func followJobs() {
    var known = Set(jobs.values.map { ObjectIdentifier($0.job) })
    for live in jobs.values where !live.isAppsOwn {
      var part = live.job.awaited
      while let job = part, known.insert(ObjectIdentifier(job)).inserted { part = job.awaited }
    }
    let all = host.jobs
    /// Returns the jobs and the jobs that they wait for.
    func whole(_ begun: some Sequence<Job>) -> Set<ObjectIdentifier> {
      var whole: Set<ObjectIdentifier> = []
      for job in begun {
        var part: Job? = job
        while let one = part, whole.insert(ObjectIdentifier(one)).inserted { part = one.awaited }
      }
      return whole
    }
    let ofTimers = whole(all.lazy.filter(\.isOfTimer))
    let ofStarts = whole(all.lazy.filter(\.isOfStart))
    for job in all where !(job is LineJob) && !known.contains(ObjectIdentifier(job)) {
      lastJob += 1
      let live = LiveJob(lastJob, job, isOfTimer: ofTimers.contains(ObjectIdentifier(job)))
      live.isOfStart = ofStarts.contains(ObjectIdentifier(job))
      jobs[live.number] = live
      follow(live)
      tellBeginning(of: live)
    }
    hasUntoldQuestion = false
    for live in jobs.values.sorted(by: { $0.number < $1.number }) {
      tellQuestion(of: live, canBeAnswered: awaitsFace || isWanted(.jobs) || live.isAnswered)
    }
  }

  /// Takes a question of any job. Returns false if no client can answer it.
  ///
  /// While a client answers its own jobs, the question may be of one of them. `tellQuestion` finds out, because the
  /// host knows a job's client only once the job waits.
  func hears(_ question: PendingQuestion) -> Bool {
    if isWanted(.jobs) || awaitsFace { return true }
    guard beginsAnswered || answersOwn else { return false }
    hasUntoldQuestion = true
    return true
  }

  /// Whether a client answers the questions of one of its jobs.
  private var answersOwn: Bool { jobs.values.contains(where: \.isAnswered) }

  /// Whether a client may have to know of a question, or of its end, or the client that could answer it has left.
  var followsQuestions: Bool {
    isWanted(.jobs) || hasUntoldQuestion || answersOwn || jobs.values.contains { $0.question != nil }
  }

  /// Sends the question that a job asks now, or that it no longer asks one. Ends a question that no client answers.
  private func tellQuestion(of live: LiveJob, canBeAnswered: Bool) {
    let question = live.job.asks
    if let question, !canBeAnswered { return question.remainsUnseen() }
    guard question !== live.question else { return }
    live.question = question
    if question != nil { live.questions += 1 }
    tell(.jobs, also: live.isAnswered ? live.asker : nil) {
      [("job", .integer(live.number)), ("asks", json(ofQuestionOf: live))]
    }
  }

  /// Returns a job's question in the form that clients get.
  private func json(ofQuestionOf live: LiveJob) -> JSON {
    guard let question = live.question else { return .null }
    let titles = [("title", question.title), ("help", question.help)].compactMap { name, text in
      text.map { (name, JSON.text($0)) }
    }
    return .object([("number", .integer(live.questions))] + titles + answers.members(question.question))
  }

  /// Answers a job's question. The first answer counts.
  func answer(_ given: Parameters) throws(CallError) -> [(String, JSON)] {
    let job = given.integer("job") ?? 0
    let question = try question(ofJob: job)
    // A person who has read one question has not answered the next.
    if let number = given.integer("number") {
      followJobs()
      guard number == jobs[job]?.questions else {
        throw CallError(.parameters, "job \(job) asks something else by now")
      }
    }
    if given.bool("confirmed") == false { return [("answered", .bool(question.refuse()))] }
    do throws(Misfit) {
      return [("answered", .bool(try question.answer(given.arguments("args"))))]
    } catch {
      return [
        ("answered", .bool(false)), ("reason", .text(error.reason)), ("argument", .text(error.argument)),
        ("expected", .text(error.expected)),
      ]
    }
  }

  /// Returns a job's question. Throws if the job doesn't exist or asks nothing.
  func question(ofJob number: Int) throws(CallError) -> PendingQuestion {
    guard let live = jobs[number] else { throw CallError(.parameters, "there is no job \(number)") }
    guard let question = live.job.asks else {
      throw CallError(.parameters, "job \(number), '\(live.undertaking.name)', asks nothing")
    }
    return question
  }

  private func tellBeginning(of live: LiveJob) {
    tell(.jobs) { [("job", .integer(live.number))] + what(live) + progress(of: live.job) }
  }

  private func what(_ live: LiveJob) -> [(String, JSON)] {
    live.undertaking.isLine
      ? [("eval", .text(live.undertaking.name))]
      : [("action", .text(live.job.action)), ("by", .text(live.job.by))]
        + (live.isOfTimer ? [("timer", .bool(true))] : [])
        + (live.isOfStart ? [("start", .bool(true))] : [])
        + (live.job.isOfChoice ? [("choice", .bool(true))] : [])
  }

  /// Returns the running jobs, for the answer to a client. `own` marks the jobs that it began.
  func jobList(for client: Client) -> JSON {
    followJobs()
    return withoutSecrets(
      .list(
        jobs.values.sorted { $0.number < $1.number }.map { live in
          .object(
            [("job", .integer(live.number))] + what(live) + [("own", .bool(live.asker === client))]
              + progress(of: live.job) + (live.question == nil ? [] : [("asks", json(ofQuestionOf: live))]))
        }))
  }

  /// Cancels a job. Returns false if there is no job with this number.
  func cancel(_ number: Int) -> Bool {
    guard let live = jobs[number] else { return false }
    live.job.cancel()
    return true
  }
}

/// A *live job* is an action or a line that waits. A client began it, or the app itself.
final class LiveJob {
  let number: Int
  let job: Job
  let undertaking: Undertaking
  /// The deed with which a client began the job; nil if no client did.
  let asked: Asked?
  /// Whether a timer began the job or the job that it is a part of.
  let isOfTimer: Bool
  /// Whether the job is the `start` of an app or a plugin, or a part of one.
  var isOfStart = false
  /// Whether no client began the job.
  var isAppsOwn: Bool { asked == nil }
  /// The job's question that clients know.
  var question: PendingQuestion?
  /// The number of questions that it has asked, which is the number of the last one.
  var questions = 0
  /// The client that began the job; nil once it has left.
  weak var asker: Client?
  /// The id of the request whose answer the asker waits for; nil if it doesn't wait.
  let awaitedAs: JSON?
  let isOwned: Bool
  private let answers: Bool
  /// Whether its asker answers its questions, without a subscription.
  var isAnswered: Bool { answers && asker != nil }

  /// A deed of a client, with the answers to its questions.
  struct Asked {
    let deed: Deed
    let answered: Answered
  }

  init(
    _ number: Int, _ job: Job, _ undertaking: Undertaking, _ asked: Asked, asker: Client, awaitedAs: JSON?,
    isOwned: Bool, answers: Bool
  ) {
    self.number = number
    self.job = job
    self.undertaking = undertaking
    self.asked = asked
    self.asker = asker
    self.awaitedAs = awaitedAs
    self.isOwned = isOwned
    self.answers = answers
    isOfTimer = false
  }

  /// A job that no client has begun.
  init(_ number: Int, _ job: Job, isOfTimer: Bool) {
    self.isOfTimer = isOfTimer
    self.number = number
    self.job = job
    undertaking = Undertaking(of: job)
    asked = nil
    awaitedAs = nil
    (isOwned, answers) = (false, false)
  }
}

// URLs that the app is to open: each is handed once, in order, to the first responder that takes it, and waits until one does.

extension Dispatcher {
  /// How many URLs may wait, and how long each may be.
  static let urlCountLimit = 256
  static let urlByteLimit = 8192
  private static let openURL = "openURL"

  /// Performs `openURL` for each URL. Those that nobody takes yet wait, and those that wait already go first.
  func openURLs(_ urls: [String]) -> [Outcome] {
    deliverWaitingURLs()
    // URLs of one call share one allowance, however many there are.
    return allowing { urls.map(open) }
  }

  private func open(_ url: String) -> Outcome {
    tellSecrets(of: Reference(id: Self.openURL, arguments: nil), ["url": .text(url)])
    guard url.utf8.count <= Self.urlByteLimit else {
      return Outcome(
        .failed,
        error: Failure(.misuse, "a URL has at most \(Self.urlByteLimit) bytes, and this one has \(url.utf8.count)"))
    }
    if waitingURLs.isEmpty, let outcome = deliver(url) { return outcome }
    guard waitingURLs.count < Self.urlCountLimit else {
      return Outcome(.failed, error: Failure(.misuse, "\(Self.urlCountLimit) URLs are waiting already"))
    }
    waitingURLs.append(url)
    let reason =
      isOpening || isDelivering
      ? "another is being opened, and '\(url)' waits until that is over"
      : "nobody can open '\(url)' yet: it waits until somebody does"
    return Outcome(.pending, reason: reason)
  }

  /// Hands over waiting URLs until one finds no taker; each is apart from the perform under way.
  func deliverWaitingURLs() {
    guard !waitingURLs.isEmpty, !isDelivering, !isAsking else { return }
    // A handler that opens a URL may perform other actions meanwhile.
    if isOpening, depth.value > 0 { return }
    isDelivering = true
    defer { isDelivering = false }
    // URLs that arrive meanwhile wait for the next time: a handler that opens one whenever it gets one would never end.
    allowing {
      for _ in waitingURLs.indices {
        guard let url = waitingURLs.first else { return }
        // The next URL gets a new allowance if this one has spent its own.
        if engine?.isSpent ?? false { return mayOpenNext = true }
        let opened = apart { deliver(url) ?? Outcome(.pending) }
        if opened.status == .pending { return }
        waitingURLs.removeFirst()
      }
    }
  }

  /// Hands over the next URL, once the one that was being opened has ended.
  func deliverNext() {
    guard depth.value == 0, !isLoading else { return }
    mayOpenNext = false
    deliverWaitingURLs()
  }

  /// Performs `openURL` for one URL; nil if nobody takes it, another is still being opened, or a modal session blocks its taker.
  private func deliver(_ url: String) -> Outcome? {
    guard depth.value < Self.nestingLimit else { return nil }
    var options = PerformOptions()
    options.arguments = ["url": .text(url)]
    options.isDelivery = true
    let outcome = perform(Self.openURL, options)
    return outcome.status == .unhandled || outcome.status == .blocked ? nil : outcome
  }

  /// Lets the driver hand over the next URL once the job that opens one has ended; not at once, because a job may end in the middle of
  /// anything.
  func waitToOpen(untilEndOf candidate: Candidate) {
    guard !isOpening,
      let job = scheduler.jobs.first(where: { $0.responder === candidate.responder && $0.action == candidate.action })
    else { return }
    isOpening = true
    job.onEnd { [unowned self] _ in
      isOpening = false
      mayOpenNext = true
    }
  }
}

// Opens URLs. Each URL goes once, in order, to the first responder that handles it, and waits until one does.

extension Dispatcher {
  /// The most URLs that may wait, and the most bytes of each.
  static let urlCountLimit = 256
  static let urlByteLimit = 8192
  private static let openURL = "openURL"

  /// Performs `openURL` for each URL, after those already waiting. Unhandled URLs wait.
  func openURLs(_ urls: [String]) -> [Outcome] {
    deliverWaitingURLs()
    // URLs of one call share one allowance.
    return allowing { urls.map(open) }
  }

  private func open(_ url: String) -> Outcome {
    tellSecrets(of: Reference(id: Self.openURL, arguments: nil), ["url": .text(url)])
    guard url.utf8.count <= Self.urlByteLimit else {
      return Outcome(
        .failed,
        error: Failure(.misuse, "a URL can have \(Self.urlByteLimit) bytes at most, and this one has \(url.utf8.count)")
      )
    }
    if waitingURLs.isEmpty, let outcome = deliver(url) { return outcome }
    guard waitingURLs.count < Self.urlCountLimit else {
      return Outcome(.failed, error: Failure(.misuse, "\(Self.urlCountLimit) URLs are waiting already"))
    }
    waitingURLs.append(url)
    let reason =
      isOpening || isDelivering
      ? "'\(url)' waits: another URL is being opened"
      : Self.waits(url)
    return Outcome(.pending, reason: reason)
  }

  /// Delivers waiting URLs until one isn't handled. Each delivery is separate from the current perform.
  ///
  /// A snapshot doesn't deliver a URL that passed after a wait: its next end would cause the next snapshot, and so on.
  func deliverWaitingURLs(forSnapshot isForSnapshot: Bool = false) {
    guard !waitingURLs.isEmpty, !isDelivering, !isAsking, !(isForSnapshot && hasPassedLate) else { return }
    // A handler that opens a URL may perform other actions meanwhile.
    if isOpening, depth > 0 { return }
    isDelivering = true
    hasPassedLate = false
    defer { isDelivering = false }
    // URLs that arrive meanwhile wait: a handler that opens a URL for each URL would never end.
    allowing {
      for _ in waitingURLs.indices {
        guard let url = waitingURLs.first else { return }
        // If this URL has spent the allowance, the next one gets a new allowance.
        if engine?.isSpent ?? false { return mayOpenNext = true }
        let opened = apart { deliver(url) ?? Outcome(.pending) }
        if opened.status == .pending { return }
        waitingURLs.removeFirst()
      }
    }
  }

  /// Delivers the next URL, once the previous one has opened.
  func deliverNext() {
    guard depth == 0, !isLoading else { return }
    mayOpenNext = false
    deliverWaitingURLs()
  }

  /// Performs `openURL` for one URL. Returns nil if the URL has to wait.
  /// It waits if nobody handles it, another URL is opening, or a modal session blocks the handler.
  private func deliver(_ url: String) -> Outcome? {
    guard depth < Self.nestingLimit else { return nil }
    var options = PerformOptions()
    options.arguments = ["url": .text(url)]
    options.isDelivery = true
    let outcome = perform(Self.openURL, options)
    // A handler that waits may pass in the end. Then the URL waits again, before those that came later.
    outcome.job?.onEnd { [unowned self] in
      guard Self.isUntaken($0) else { return }
      waitingURLs.insert(url, at: 0)
      hasPassedLate = true
    }
    return Self.isUntaken(outcome) ? nil : outcome
  }

  private static func isUntaken(_ outcome: Outcome) -> Bool {
    outcome.status == .unhandled || outcome.status == .blocked || outcome.status == .pending
  }

  /// Returns why a URL is pending that nobody handles.
  static func waits(_ url: String) -> String { "'\(url)' waits until a script handles openURL" }

  /// Lets the driver deliver the next URL after the job that opens one ends. Not at once, because a job may end at any
  /// point.
  func waitToOpen(untilEndOf candidate: Candidate) {
    guard !isOpening,
      let job = scheduler.jobs.first(where: { $0.responder === candidate.responder && $0.action == candidate.action })
    else { return }
    isOpening = true
    job.onEnd { [unowned self] in
      isOpening = false
      // After a `pass` the first URL would only be passed again.
      mayOpenNext = !Self.isUntaken($0)
    }
  }
}

// URLs that the app is to open: each goes once to the first who takes it, in order, and waits until somebody does.

extension Dispatcher {
  /// How many URLs may wait, and how long each may be.
  static let urlCountLimit = 256
  static let urlByteLimit = 8192
  private static let openURL = "openURL"

  /// Hands URLs to whoever answers `openURL`; those that nobody takes yet wait, and what came before them goes first.
  func openURLs(_ urls: [String]) -> [Outcome] {
    deliverWaitingURLs()
    // What is asked for at once has one allowance, however many there are.
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

  /// Hands over the URLs that wait, as far as somebody takes them now; each is apart from what goes on.
  func deliverWaitingURLs() {
    guard !waitingURLs.isEmpty, !isDelivering, !isAsking else { return }
    // Whoever opens one may do others in the course of it.
    if isOpening, depth.value > 0 { return }
    isDelivering = true
    defer { isDelivering = false }
    // Those that come meanwhile go out the next time: whoever opens one when it is handed one would be handed them for ever.
    allowing {
      for _ in waitingURLs.indices {
        guard let url = waitingURLs.first else { return }
        // What one has spent the next one is to have anew.
        if engine?.isSpent ?? false { return mayOpenNext = true }
        let opened = apart { deliver(url) ?? Outcome(.pending) }
        if opened.status == .pending { return }
        waitingURLs.removeFirst()
      }
    }
  }

  /// Hands over the next, as the one that was being opened has ended.
  func deliverNext() {
    guard depth.value == 0, !isLoading else { return }
    mayOpenNext = false
    deliverWaitingURLs()
  }

  /// Has a URL opened; nil where nobody takes it, as long as another is being opened, and where a modal session keeps whoever does from it.
  private func deliver(_ url: String) -> Outcome? {
    guard depth.value < Self.nestingLimit else { return nil }
    var options = PerformOptions()
    options.arguments = ["url": .text(url)]
    options.isDelivery = true
    let outcome = perform(Self.openURL, options)
    return outcome.status == .unhandled || outcome.status == .blocked ? nil : outcome
  }

  /// Has who drives hand over the next URL once what keeps it waiting has ended: that may be in the middle of anything.
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

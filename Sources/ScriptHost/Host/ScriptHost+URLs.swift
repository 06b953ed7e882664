extension ScriptHost {
  /// Opens URLs, in order, by performing `openURL` with the URL as `ctx.url`. Returns an outcome for each.
  ///
  /// One that nobody answers yet is `pending`: it goes out before the next perform, call of this or snapshot, once somebody does. So is
  /// one that comes while another is being opened, which goes out as soon as that is over.
  @discardableResult
  public func openURLs(_ urls: [String]) -> [Outcome] { dispatcher.openURLs(urls) }

  /// Hands over the URLs that wait, unless a script is being loaded or a menu made.
  func deliverBeforeSnapshot() {
    if !isLoading, !menuTrees.isBusy { dispatcher.deliverWaitingURLs() }
  }

  /// The URLs that nobody has taken yet, in order.
  var waitingURLs: [String] { dispatcher.waitingURLs }
}

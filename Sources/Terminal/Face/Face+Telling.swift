import LiveHost
import ScriptHost

// The app's messages: answers and notifications.

extension Face {
  /// Handles a message of the app.
  func told(_ message: JSON, at time: Duration) {
    now = time
    if let number = message["id"]?.integer, let reason = awaited.removeValue(forKey: number) {
      busySince = awaited.isEmpty ? nil : time
      if let error = message["error"] {
        failed(reason, error["message"]?.text ?? "the app can't say")
      } else {
        answered(reason, message["result"] ?? .null)
      }
    } else if let method = message["method"]?.text {
      notified(method, message["params"] ?? .null)
    }
    if busySince == nil { endsWhatTakesLong = false }
    takeWhatCameEarly()
    askWhatIsStale()
  }

  /// Opens a menu or a form for a script.
  private func fulfil(_ open: JSON) {
    if let id = open["menu"]?.text {
      over.removeAll()
      openMenu(.app(id))
    } else if let reference = open["form"]?.text {
      ask("form", [("ref", .text(reference))], for: .wishedForm(reference))
    } else if open["palette"]?.bool == true {
      bar.open = []
      openPalette()
    }
  }

  /// Opens a form for a script. An action without questions isn't performed.
  private func show(_ form: Form, of reference: String) {
    let fields = form.fields.filter(\.isForPeople)
    let deed = FaceDeed(kind: .perform(reference), title: titlesOfActions[reference] ?? reference)
    if fields.isEmpty { return refuse("\(deed.title): there is nothing to ask") }
    ask(for: fields, deed, confirm: nil)
  }

  // MARK: - Answers

  private func answered(_ reason: Awaited, _ json: JSON) {
    let reader = AnswerReader()
    switch reason {
    case .hello:
      source = json["app"]?["source"]?.text ?? source
      findsTyped = json["app"]?["typing"]?.bool ?? true
      name = json["session"]?["name"]?.text
      title = json["app"]?["title"]?.text ?? json["app"]?["name"]?.text ?? source
    case .shown:
      if let told = json["panel"], let elements = try? reader.menus(told) {
        menus.replacePanel(elements, sight: sight(json))
      }
      if let told = json["menus"], let elements = try? reader.menus(told) { menus.replace(elements) }
      // While the person moves, the app's former current row is obsolete.
      refreshPanes()
      if json["current"]?.text != rowOfApp { followApp(json) }
      panel.refresh(from: self)
      refreshMenus()
    case .row(let typed): found(json, typed)
    case .lines(let text): take(linesOf: text, json)
    case .line(let text, let wanted): take(placeIn: text, of: wanted, json)
    case .actions:
      let entries = (json["actions"]?.list ?? []).compactMap { try? reader.read($0, as: ActionEntry.self) }
      let titles = Dictionary(entries.map { ($0.name, $0.title) }) { first, _ in first }
      titlesOfActions.merge(titles) { $1 }
      actions = entries.compactMap(ListedAction.init)
    case .choice(let id), .pane(let id): came(ofChoice: id, json)
    case .contextMenu(let title): show(contextMenu: json, of: title)
    case .keys:
      keys = BoundKeys.all(
        (json["keys"]?.list ?? []).compactMap { json in
          guard let entry = try? reader.read(json, as: KeyEntry.self),
            entry.holds ?? true, let sequence = try? KeySequence.bindable(entry.keys)
          else { return nil }
          return BoundKeys(sequence: sequence, entry: entry)
        })
      counts = json["counts"]?.bool ?? false
      areKeysKnown = true
      // The status line shows the focused pane's keys with the titles of their actions.
      if !panes.isEmpty, !isAwaiting(.actions), keys.contains(where: isUntitled) { ask("actions", for: .actions) }
    case .chain:
      chain = ((try? reader.read(json, as: Answer.Chain.self))?.links.map(\.name)) ?? chain
    case .responders:
      responders = (try? reader.read(json, as: Answer.App.self))?.chain ?? responders
    case .diagnostics:
      for json in json["diagnostics"]?.list ?? [] {
        if let diagnostic = try? reader.read(json, as: Diagnostic.self) { note(diagnostic) }
      }
    case .deed(let deed): came(of: deed, json)
    case .quitting: heardOfQuitting(json)
    case .form(let wish): formMade(reader, json, wish)
    case .wishedForm(let reference): if let form = try? reader.read(json, as: Form.self) { show(form, of: reference) }
    case .jobs: goOn(json["jobs"]?.list ?? [])
    case .why(let title):
      showWhy(title, json["text"]?.text ?? "")
    case .inspector(let part): inspected(part, json)
    case .narrowing, .nothing: break
    }
  }

  private func failed(_ reason: Awaited, _ sentence: String) {
    switch reason {
    case .deed, .why: refuse(sentence)
    case .contextMenu(let title): refuse("\(title): there is no menu for it")
    case .quitting: wish(.quit)
    // After a reload the form's action may be missing.
    case .form(.afterReload): closeForm(Self.isGone)
    // An app that can't list its keys has none.
    case .keys: areKeysKnown = true
    case .hello, .shown, .row, .line, .lines, .narrowing, .actions, .choice, .pane, .chain, .responders, .diagnostics,
      .inspector, .form, .jobs, .nothing:
      break
    case .wishedForm: refuse(sentence)
    }
  }

  /// Returns the place of the first row in sight and the number of all rows; nil if the message has all rows.
  private func sight(_ json: JSON) -> (first: Int, rows: Int)? {
    guard let first = json["first"]?.integer, let rows = json["rows"]?.integer else { return nil }
    return (first - 1, rows)
  }

  /// Requests stale data, one request of each kind at a time, and only if they are shown.
  func askWhatIsStale() {
    lookAtWhatIsWanted()
    if stale.contains(.keys), !isAwaiting(.keys) {
      stale.remove(.keys)
      ask("keys", for: .keys)
    }
    if stale.contains(.body), isBodyShown, !isAwaiting(.body) {
      stale.remove(.body)
      // Menus show the possible actions already, so only the order of the responders is needed.
      if menus.bar.isEmpty {
        ask("app", for: .responders)
        ask("actions", for: .actions)
      } else {
        ask("chain", for: .chain)
      }
    }
    if let wish = formWish, !isAwaiting(.form) {
      formWish = nil
      askForForm(wish)
    }
    if stale.contains(.inspector), !isAwaiting(.inspector) {
      stale.remove(.inspector)
      inspect()
    }
  }

  // MARK: - Notifications

  private func notified(_ method: String, _ json: JSON) {
    switch method {
    case "menus":
      if let changes = try? AnswerReader().changes(json["changes"]) { menus.apply(changes) }
      stale.formUnion([.keys, .body, .inspector])
    case "panel":
      if let changes = try? AnswerReader().changes(json["changes"]) {
        menus.apply(panel: changes, sight: sight(json))
        refreshPanes()
        if panes.isEmpty { followTick() }
      }
      followApp(json)
    case "job": job(json)
    case "outcome": if let keys = json["waited"]?.text { actedAlone(keys, json) }
    case "focus": stale.formUnion([.keys, .body, .inspector])
    case "log": logged(json)
    case "diagnostic":
      if let json = json["diagnostic"], let diagnostic = try? AnswerReader().read(json, as: Diagnostic.self) {
        note(diagnostic)
      }
    case "app": changed(json)
    // Notifications were dropped, so the face requests everything again.
    case "resync": askWhatGoesOn()
    default: break
    }
  }

  private func logged(_ json: JSON) {
    let text = json["text"]?.text ?? ""
    guard let level = json["level"]?.text.flatMap(LogLevel.init) else {
      return log.add(.init(text: text, kind: .print))
    }
    guard level.isAtLeast(settings.level) else { return }
    let place = AnswerReader().place(json)?.description ?? json["owner"]?.text ?? ""
    log.add(.init(text: "\(place): \(level.rawValue): \(text)", kind: level == .error ? .error : .log))
  }

  private func note(_ diagnostic: Diagnostic) {
    let text = (diagnostic.place.map { "\($0): " } ?? "") + diagnostic.message
    // A diagnostic that recurs with each drawing or timer is shown once, that of a person's deed each time.
    if toldBefore.count >= Self.mostTold { toldBefore = [] }
    guard toldBefore.insert(text).inserted || isAwaiting(.saying) else { return }
    log.add(.init(text: text, kind: diagnostic.severity == .error ? .error : .warning))
    if diagnostic.severity == .error { say(.failed(text)) }
  }

  /// Handles a notification that the app was reloaded, changed its keys or plugins, or ends.
  private func changed(_ json: JSON) {
    // An ending app answers nothing.
    if json["stopping"]?.bool == true { return }
    if json["quit"]?.bool == true {
      isToldToQuit = true
      return wish(.quit)
    }
    if let open = json["open"] { return fulfil(open) }
    if json["forms"]?.bool == true { return formWish = formWish ?? .whileTyping }
    if let title = json["title"] { self.title = title.text ?? (name ?? source) }
    stale.formUnion([.keys, .body, .inspector])
    guard let isReloaded = json["reloaded"]?.bool else { return }
    over.removeAll { $0.isOfReload }
    broken = nil
    toldBefore = []
    if isReloaded {
      log.add(.init(text: "the app was reloaded", kind: .outcome))
      say(.done("the app was reloaded"))
      ask("hello", for: .hello)
      ask("jobs", for: .jobs)
      ask("actions", for: .actions)
      panel.chooseAnew()
      formWish = .afterReload
      return
    }
    for json in json["diagnostics"]?.list ?? [] {
      guard let diagnostic = try? AnswerReader().read(json, as: Diagnostic.self) else { continue }
      note(diagnostic)
      broken = broken ?? diagnostic.place.map { "\($0): \(diagnostic.message)" } ?? diagnostic.message
      showFailedReload(diagnostic, line: json["line_text"]?.text)
    }
  }
}

extension LogLevel {
  fileprivate func isAtLeast(_ other: LogLevel) -> Bool {
    let all = LogLevel.allCases
    return all.firstIndex(of: self) ?? 0 >= all.firstIndex(of: other) ?? 0
  }
}

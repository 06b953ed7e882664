import LiveHost
import ScriptHost

// Jobs: actions that take time.

extension Face {
  func began(_ number: Int, _ title: String, _ progress: JSON?) {
    // The notification that the job begins comes before this answer.
    if let index = jobs.firstIndex(where: { $0.number == number }) {
      jobs[index].title = title
    } else {
      jobs.append(RunningJob(number: number, title: title))
    }
    message = Message()
    progressed(number, progress)
  }

  /// Whether a job is running that began after the face.
  var isWaitedFor: Bool { jobs.contains { !$0.wasThere } }

  /// Takes the list of all running jobs.
  func goOn(_ list: [JSON]) {
    let numbers = Set(list.compactMap { $0["job"]?.integer })
    let known = Set(jobs.map(\.number))
    jobs.removeAll { !numbers.contains($0.number) }
    timers.formIntersection(numbers)
    for one in list { job(one) }
    for index in jobs.indices where !known.contains(jobs[index].number) { jobs[index].wasThere = true }
  }

  /// Takes a notification about a job: its beginning, its progress, or its outcome.
  func job(_ json: JSON) {
    guard let number = json["job"]?.integer else { return }
    stale.insert(.inspector)
    if json["timer"]?.bool == true { timers.insert(number) }
    if timers.contains(number) {
      // What fails is told by a diagnostic.
      if json["outcome"] != nil { timers.remove(number) }
      return
    }
    guard let outcome = json["outcome"] else {
      // A job that another client or the app began.
      if !jobs.contains(where: { $0.number == number }) {
        let action = json["action"]?.text ?? ""
        let title = json["title"]?.text ?? menus.title(of: action) ?? action
        jobs.append(RunningJob(number: number, title: title))
      }
      return progressed(number, json["progress"])
    }
    let known = jobs.first { $0.number == number }
    jobs.removeAll { $0.number == number }
    guard let performed = try? AnswerReader().performed(outcome, before: .nothing) else { return }
    note(performed.trace)
    report(performed, known.flatMap { $0.title.isEmpty ? nil : $0.title } ?? performed.name)
  }

  private func progressed(_ number: Int, _ json: JSON?) {
    guard let json, let index = jobs.firstIndex(where: { $0.number == number }) else { return }
    if let fraction = json["fraction"] { jobs[index].fraction = AnswerReader().fraction(fraction) }
    jobs[index].text = json["text"]?.text ?? ""
  }

  /// Cancels the job that began last.
  func cancelJob() {
    guard let job = jobs.last else { return }
    ask("cancel", [("job", .integer(job.number))], for: .nothing)
  }
}

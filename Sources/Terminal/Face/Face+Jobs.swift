import LiveHost
import ScriptHost

// Actions that take time.

extension Face {
  func began(_ number: Int, _ title: String, _ progress: JSON?) {
    // Whoever is told of jobs hears that it begins before the answer.
    if let index = jobs.firstIndex(where: { $0.number == number }) {
      jobs[index].title = title
    } else {
      jobs.append(RunningJob(number: number, title: title))
    }
    message = Message()
    progressed(number, progress)
  }

  /// Whether anything goes on that began since the face did.
  var isWaitedFor: Bool { jobs.contains { !$0.wasThere } }

  /// All that goes on, whoever began it and when.
  func goOn(_ list: [JSON]) {
    let numbers = Set(list.compactMap { $0["job"]?.integer })
    let known = Set(jobs.map(\.number))
    jobs.removeAll { !numbers.contains($0.number) }
    for one in list { job(one) }
    for index in jobs.indices where !known.contains(jobs[index].number) { jobs[index].wasThere = true }
  }

  /// The app tells of a job: how far it is, or what came of it.
  func job(_ json: JSON) {
    guard let number = json["job"]?.integer else { return }
    stale.insert(.inspector)
    guard let outcome = json["outcome"] else {
      // One that others began.
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
    if let fraction = json["fraction"] {
      jobs[index].fraction =
        switch fraction {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
    jobs[index].text = json["text"]?.text ?? ""
  }

  /// Cancels what began last.
  func cancelJob() {
    guard let job = jobs.last else { return }
    ask("cancel", [("job", .integer(job.number))], for: .nothing)
  }
}

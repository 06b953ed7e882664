import LiveHost

/// A question of a job that a face hasn't shown yet.
struct JobQuestion {
  let job: Int
  let title: String
  let asked: AskedInMiddle

  init?(_ job: Int, _ json: JSON, called title: String) {
    guard let asked = AskedInMiddle(json) else { return nil }
    self.job = job
    self.title = asked.title ?? title
    self.asked = asked
  }
}

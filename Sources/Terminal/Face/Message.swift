/// The last message of the status line. It disappears with the next key, or after a while.
struct Message {
  var content: StatusContent?
  var until = Duration.zero
  /// Whether a key was pressed since. The message then stays until the answer comes, which may bring another one.
  var isOld = false
}

/// The content of the status line.
enum StatusContent: Equatable {
  /// What can be done here, if there is nothing else to say.
  case hint(String)
  case done(String)
  /// A remark: the person's own choice, or how to go on.
  case note(String)
  /// The reason why something was refused or can't be done.
  case refused(String)
  case failed(String)
  /// The reason why something was refused, while a job is running that may be the cause.
  case inTheWay(String, job: String)
  /// A running job: its progress from 0 to 1, if it tells that, its text, and the number of others.
  case progress(title: String, fraction: Double?, text: String, others: Int = 0)
  /// The strokes of a sequence that was begun, or that the app is busy.
  case pending(String)
}

extension StatusContent {
  /// How long the message stays if no key is pressed. A reason takes longer to read than a success.
  var timeToRead: Duration {
    switch self {
    case .done, .note: .seconds(4)
    default: .seconds(10)
    }
  }
}

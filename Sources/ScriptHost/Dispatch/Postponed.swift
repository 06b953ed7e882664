/// Something *postponed* could not be done when there was a reason to, because nothing of a script's could be run then.
enum Postponed {
  /// An action failed: what it registered is taken back.
  case takingBack(ContiguousArray<Recording.Entry>, of: String)
  /// An owner was set aside: what it has under way ends.
  case settingAside(Owner)
}

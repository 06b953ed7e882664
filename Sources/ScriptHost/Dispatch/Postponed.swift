/// *Postponed* work could not be done at once, because the script allowance was spent.
enum Postponed {
  /// An action failed: what it registered is taken back.
  case takingBack(ContiguousArray<Recording.Entry>, of: String)
  /// An owner was set aside: what it has under way ends.
  case settingAside(Owner)
}

/// Names that the reference has and an app's script doesn't find: only plugins find them. A test expects exactly these
/// to be missing, so the list can only shrink.
let notThereYet: Set<String> = ["plugin"]

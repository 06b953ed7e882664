/// What the reference tells of and no script of an app finds: a plugin's word. A test expects exactly these to be
/// missing, so the list can only shrink.
let notThereYet: Set<String> = ["plugin"]

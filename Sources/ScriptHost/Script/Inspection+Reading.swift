// What a program that hears of a value from elsewhere makes an inspection of.

extension Inspection.Table {
  package init(told entries: [Entry], more: Int, isClosed: Bool) {
    self.init(entries: entries, more: more, isClosed: isClosed)
  }
}

extension Inspection.Table.Entry {
  package init(told key: Inspection, _ value: Inspection) { self.init(key: key, value: value) }
}

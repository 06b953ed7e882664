// Builds an `Inspection` from decoded JSON, for clients of the live protocol.

extension Inspection.Table {
  package init(told entries: [Entry], more: Int, isClosed: Bool) {
    self.init(entries: entries, more: more, isClosed: isClosed)
  }
}

extension Inspection.Table.Entry {
  package init(told key: Inspection, _ value: Inspection) { self.init(key: key, value: value) }
}

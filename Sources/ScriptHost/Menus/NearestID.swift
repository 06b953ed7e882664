/// The ids that one that nobody has may stand for: those that are spelled nearly so, else those of which it is the last title.
package func nearest(toID wanted: String, among ids: [String]) -> [String] {
  let near = nearest(to: wanted, among: ids)
  if !near.isEmpty { return near }
  let end = "/\(wanted)".utf8
  return ids.filter { $0.utf8.count > end.count && $0.utf8.suffix(end.count).elementsEqual(end) }
    .sorted { $0.precedesByBytes($1) }
}

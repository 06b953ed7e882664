/// The ids that an unknown id may stand for: those that are spelled almost like it, else those whose last title it is.
package func nearest(toID wanted: String, among ids: [String]) -> [String] {
  let near = nearest(to: wanted, among: ids)
  if !near.isEmpty { return near }
  let end = "/\(wanted)".utf8
  return ids.filter { $0.utf8.count > end.count && $0.utf8.suffix(end.count).elementsEqual(end) }
    .sorted { $0.precedesByBytes($1) }
}

extension MenuElement {
  /// Itself with all below it as a text of JSON, as `menuctl menu --json` shows it; what doesn't apply to its kind is left out.
  ///
  /// ```swift
  /// try host.load(text: #"menubar { menu "File" { item "Quit" { "quit", key = "ctrl+q" } } }"#, name: "app.lua")
  /// print(host.menus().json.contains(#""action": "quit", "args": {}, "key": "ctrl+q""#))  // true
  /// ```
  public var json: String {
    var writer = JSONWriter(capacity: 4096)
    write(to: &writer)
    return writer.text
  }

  /// - Parameter isWhole: whether what can't be named has its id too, by which changes find it.
  package func write(to json: inout JSONWriter, whole isWhole: Bool = false) {
    switch kind {
    case .separator:
      json.raw("{\"kind\": \"separator\"")
      if isWhole { write(", \"id\": ", id, to: &json) }
      return json.raw("}")
    case .label:
      json.raw("{\"kind\": \"label\", \"title\": ")
      json.string(title)
      if isWhole { write(", \"id\": ", id, to: &json) }
      return json.raw("}")
    case .item: json.raw("{\"kind\": \"item\", \"id\": ")
    case .menu: json.raw("{\"kind\": \"menu\", \"id\": ")
    case .section: json.raw("{\"kind\": \"section\", \"id\": ")
    }
    json.string(id)
    json.raw(", \"title\": ")
    json.string(title)
    if kind == .item { writeItem(to: &json, isWhole) } else { writeMenu(to: &json, isWhole) }
    json.raw("}")
  }

  private func writeItem(to json: inout JSONWriter, _ isWhole: Bool) {
    write(", \"subtitle\": ", subtitle, to: &json)
    json.raw(", \"action\": ")
    json.string(action)
    json.raw(", \"args\": ")
    if let arguments = facts.details?.arguments { json.object(arguments) } else { json.raw("{}") }
    write(", \"key\": ", key, to: &json)
    writeEnabled(to: &json)
    switch state {
    case .on: json.raw(", \"state\": \"on\"")
    case .off: json.raw(", \"state\": \"off\"")
    case .mixed: json.raw(", \"state\": \"mixed\"")
    }
    write(", \"reason\": ", reason, to: &json)
    write(", \"by\": ", by, to: &json)
    write(", \"elsewhere\": ", elsewhere, to: &json)
    if isBlocked { json.raw(", \"blocked\": true") }
    write(", \"icon\": ", icon, to: &json)
    if isDestructive { json.raw(", \"destructive\": true") }
    if keepsOpen { json.raw(", \"keeps_open\": true") }
    write(", \"confirm\": ", confirm, to: &json)
    write(", \"mnemonic\": ", mnemonic, to: &json)
    switch mark {
    case .check?: json.raw(", \"mark\": \"check\"")
    case .radio?: json.raw(", \"mark\": \"radio\"")
    case nil: break
    }
    if asks { json.raw(", \"asks\": true") }
    if !alternates.isEmpty { writeAlternates(to: &json, isWhole) }
  }

  private func writeEnabled(to json: inout JSONWriter) {
    json.raw(isEnabled ? ", \"enabled\": true" : ", \"enabled\": false")
    json.raw(isHidden ? ", \"hidden\": true" : ", \"hidden\": false")
  }

  private func writeMenu(to json: inout JSONWriter, _ isWhole: Bool) {
    writeEnabled(to: &json)
    write(", \"reason\": ", reason, to: &json)
    json.raw(", \"children\": [")
    for index in children.indices {
      if index > 0 { json.raw(", ") }
      children[index].write(to: &json, whole: isWhole)
    }
    json.raw("]")
  }

  private func writeAlternates(to json: inout JSONWriter, _ isWhole: Bool) {
    json.raw(", \"alternates\": [")
    for (index, alternate) in alternates.enumerated() {
      json.raw(index > 0 ? ", {\"modifiers\": [" : "{\"modifiers\": [")
      for (index, modifier) in alternate.modifiers.enumerated() {
        if index > 0 { json.raw(", ") }
        json.string(modifier)
      }
      json.raw("], \"element\": ")
      alternate.element.write(to: &json, whole: isWhole)
      json.raw("}")
    }
    json.raw("]")
  }

  @inline(__always)
  private func write(_ name: StaticString, _ text: String?, to json: inout JSONWriter) {
    guard let text else { return }
    json.raw(name)
    json.string(text)
  }
}

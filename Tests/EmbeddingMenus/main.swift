import ScriptHost

let script = """
  local photos = { { name = "Harbour", stars = 2 }, { name = "Gulls", stars = 0 } }

  menubar {
    menu "Photo" {
      item "Next" { "next", key = "right" },
      separator,
      item "★★★" { "rate(stars: 3)", key = "3" },
    },
    menu "Go" {
      section "photos" {
        items = function(ctx) return photos end,
        id = function(photo) return photo.name end,
        row = function(photo) return item(photo.name) { "show", args = { photo = photo } } end,
      },
    },
  }

  local grid = responder "grid" { at = 0 }

  function grid.on:next() self.at = self.at + 1 return photos[self.at].name end
  function grid.can:next() return self.at < #photos, "this is the last photo" end

  function grid.on:rate(ctx) photos[self.at].stars = ctx.stars end
  function grid.can:rate() return self.at > 0, "select a photo first" end
  function grid.look:rate(ctx)
    local photo = photos[self.at]
    return { state = photo ~= nil and photo.stars == ctx.stars }
  end

  function grid.on:show(ctx) return ctx.photo.stars .. " stars" end
  focus(grid)
  """

func run() throws {
  let host = ScriptHost()
  try host.load(text: script, name: "photos.lua")

  // A snapshot is a tree of plain values. The children of its root are the menus of the menubar.
  for menu in host.menus().children { draw(menu, indent: "") }

  // Pass the id of the item that a person picks, or the keys that a person presses.
  print(host.pick("Photo/Next").result)
  print(host.press("3").status)

  // 'changes' returns what changed since the last snapshot: draw only that.
  for change in host.changes() {
    switch change {
    case .insert(let element, let parent, _): print("+ \(element.title) in \(parent)")
    case .remove(let id): print("- \(id)")
    case .move(let id, let parent, _): print("\(id) moved in \(parent)")
    case .update(let element): draw(element, indent: "changed: ")
    }
  }

  // A row of a section is an item too; its id has the section's id and the row's.
  print(host.pick("photos Harbour").result)

  // A pick and a press that can't be done return the reason.
  print(host.press("right").result)
  print(host.press("right").reason ?? "")
  print(host.press("f5").reason ?? "")

  // A program that always shows menus listens for changes, and draws at the end of the turn.
  let listening = host.listen(.validation) { event in
    if case .validation(let changes) = event { print("to draw: \(changes.map(\.id).joined(separator: ", "))") }
  }
  // The host compares the next snapshot with this one.
  _ = host.menus()
  _ = host.perform("rate(stars: 3)")
  listening.remove()
}

func draw(_ element: MenuElement, indent: String) {
  switch element.kind {
  case .separator: print("\(indent)───")
  case .item:
    let mark = element.state == .on ? "• " : element.isEnabled ? "  " : "✗ "
    print("\(indent)\(mark)\(element.title)  \(element.key ?? "")  \(element.reason ?? "")".trimmed)
  default: if !element.title.isEmpty { print("\(indent)\(element.title)") }
  }
  for child in element.children where !child.isHidden { draw(child, indent: indent + "  ") }
}

extension String {
  var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

try run()

import ScriptHost

/// A *component* is a part of the screen in one place: its state, its keys, its mouse and its drawing.
protocol Component: AnyObject {
  /// The area in which it is drawn.
  var area: Area { get set }

  /// Takes from the face what it shows, before it is drawn.
  func refresh(from face: Face)
  func draw(on canvas: inout Canvas, theme: Theme)

  /// Takes a key; returns false if it means nothing here, so that the next component gets it.
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool
  func paste(_ text: String, of face: Face) -> Bool
  func mouse(_ mouse: Mouse, of face: Face) -> Bool
}

extension Component {
  func refresh(from face: Face) {}
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool { false }
  func paste(_ text: String, of face: Face) -> Bool { false }
  func mouse(_ mouse: Mouse, of face: Face) -> Bool { false }
}

/// The parts of a face's screen below the overlays.
struct FaceParts {
  let hints: any Component
}

/// An *overlay* is a component over the rest of the screen, which gets the keys and the mouse first while it is open.
protocol Overlay: Component {
  /// The area that it needs on a screen.
  func area(on screen: Area) -> Area
  /// Its keys, as the status line names them.
  var hint: String { get }
  /// Whether the person types or answers there.
  var takesText: Bool { get }
  /// Whether it waits for an answer, so that its keys are named and no messages.
  var isAnswered: Bool { get }
  /// Whether it shows all items and all rows, so that the app is asked for all.
  var listsEverything: Bool { get }
  /// Whether it has opened by itself because of a failed reload, so that keys are meant for what lies below.
  var isOfReload: Bool { get }
}

extension Overlay {
  var takesText: Bool { isAnswered || listsEverything }
  var isAnswered: Bool { false }
  var listsEverything: Bool { false }
  var isOfReload: Bool { false }
}

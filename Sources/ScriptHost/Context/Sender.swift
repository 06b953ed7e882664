/// Who asked for a perform: the app, an item of a menu, or a responder.
public enum Sender: Equatable {
  case app
  case item(id: String, title: String, action: String, key: String?)
  /// A responder of that name.
  case responder(String)
}

/// Who asked for a perform: an item of a menu, or the app.
public enum Sender: Equatable {
  case app
  case item(id: String, title: String, action: String, key: String?)
  /// A responder of that name.
  case responder(String)
}

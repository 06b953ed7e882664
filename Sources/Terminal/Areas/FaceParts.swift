import LiveHost

extension Face {
  /// A face with the parts of the screen that every app has.
  convenience init(
    _ settings: FaceSettings, wish: @escaping (Wish) -> Void,
    post: @escaping (_ method: String, _ parameters: [(String, JSON)]) -> Int
  ) {
    self.init(settings, FaceParts(body: Body(), hints: Hints(), status: StatusLine()), wish: wish, post: post)
  }
}

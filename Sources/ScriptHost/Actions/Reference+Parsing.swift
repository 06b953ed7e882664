extension Reference {
  /// Reads a reference, with blanks before and after it or not.
  public static func parse(_ text: String) throws(ReferenceError) -> Reference {
    try text.withBytes(parsed).get()
  }

  /// Reads a reference from bytes that nobody has checked.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReferenceError) -> Reference {
    var parser = ReferenceParser(bytes)
    return try parser.reference()
  }

  /// What reading the bytes came to, as a value that a closure can give back.
  private static func parsed(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Reference, ReferenceError> {
    Result { () throws(ReferenceError) in try parse(bytes) }
  }
}

extension JSONError {
    /// Makes an error about a value that was read; path and offset are those of the value.
    public init(_ code: Code, _ message: String, at view: JSONView, cause: (any Error)? = nil) {
        self.init(code, message, offset: view.offset, path: view.path, cause: cause)
    }

    /// The value is not of the requested kind.
    public static func typeMismatch(expected: JSONKind, at view: JSONView) -> JSONError {
        JSONError(.typeMismatch, "expected \(expected), found \(view.kind)", at: view)
    }

    /// The object has no member of that name.
    public static func missingMember(_ name: String, in object: JSONView) -> JSONError {
        JSONError(.missingMember, "no member \(JSONStringText.quoted(name))", at: object)
    }
}

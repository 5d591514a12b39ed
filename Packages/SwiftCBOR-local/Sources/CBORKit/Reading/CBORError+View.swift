extension CBORError {
    /// The item is not of the requested kind, such as "text string".
    public static func typeMismatch(expected: String, at view: CBORView) -> CBORError {
        CBORError(.typeMismatch, "expected \(expected), found \(view.kind)", at: view)
    }

    /// The item's number does not fit the requested type.
    public static func outOfRange(_ type: String, at view: CBORView) -> CBORError {
        CBORError(.outOfRange, "the number does not fit \(type)", at: view)
    }

    /// The map lacks a key that is required.
    public static func missingKey(_ key: CBORPath.Step, in view: CBORView) -> CBORError {
        CBORError(.missingItem, "the key \(key) is missing", at: view)
    }

    /// The content of an item breaks a rule of the structure it belongs to; the message says which.
    public static func invalidValue(_ message: String, at view: CBORView) -> CBORError {
        CBORError(.invalidValue, message, at: view)
    }

    /// Makes an error about an item, with the item's place.
    public init(_ code: Code, _ message: String, at view: CBORView, cause: (any Error)? = nil) {
        self.init(code, message, offset: view.offset, path: view.path, cause: cause)
    }
}

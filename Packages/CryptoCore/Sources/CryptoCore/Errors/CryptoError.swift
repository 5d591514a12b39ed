/// The reason why a key, a signature, a ciphertext or a certificate could not be processed.
///
/// Tests and callers compare ``code``; the message is for people and may change. Nothing in an error tells anything
/// about secret bytes. A signature that does not verify is an answer (`false`), not an error.
public struct CryptoError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, as a value to act on.
    public let code: Code

    /// A description of the error for a developer, in one sentence.
    public let message: String

    /// The names of the structures around the fault, outermost first, such as `["PrivateKeyInfo", "privateKey"]`.
    public let path: [String]

    /// The offset in bytes of the fault in the input, where a parser knows it.
    public let offset: Int?

    /// The error underneath, where there is one.
    public let cause: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code,
        _ message: String,
        path: [String] = [],
        offset: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message.escapedForDisplay()
        self.path = path
        self.offset = offset
        self.cause = cause
    }

    /// The same error seen from one structure further out.
    public func inside(_ structure: String) -> CryptoError {
        CryptoError(code, message, path: [structure] + path, offset: offset, cause: cause)
    }

    /// Code, place, message and cause in one line, with invisible characters escaped.
    public var description: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        if let offset { text += " at byte \(offset)" }
        text += ": " + message
        if let cause { text += " (\(cause))" }
        return text.escapedForDisplay()
    }
}

import CryptoCore

/// The reason why a key, an attribute, a message or a request to this module could not be processed.
///
/// Tests and callers compare ``code``; the message is for people and may change. Nothing in an error tells anything
/// about a secret. A proof that does not verify is an answer (``ProofListVerdict``), not an error.
public struct IdemixError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, as a value to act on.
    public let code: Code

    /// A description of the error for a developer, in one sentence.
    public let message: String

    /// The names of the structures around the fault, outermost first, such as `["IssuerPublicKey", "S"]`.
    public let path: [String]

    /// The error underneath, where there is one.
    public let cause: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ message: String, path: [String] = [], cause: (any Error)? = nil) {
        self.code = code
        self.message = message.escapedForDisplay()
        self.path = path
        self.cause = cause
    }

    /// The same error seen from one structure further out.
    public func inside(_ structure: String) -> IdemixError {
        IdemixError(code, message, path: [structure] + path, cause: cause)
    }

    /// Code, place, message and cause in one line, with invisible characters escaped.
    public var description: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        text += ": " + message
        if let cause { text += " (\(cause))" }
        return text.escapedForDisplay()
    }
}

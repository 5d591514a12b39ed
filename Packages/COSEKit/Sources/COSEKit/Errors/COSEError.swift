import CryptoCore

/// The reason why a COSE message, key or claims set was refused or could not be made.
///
/// Tests and callers compare ``code``; ``path`` names the structure and the field, ``message`` is for people and may
/// change. Nothing in an error tells anything about secret bytes.
public struct COSEError: Error, Sendable {
    /// The kind of error, as a value to act on.
    public var code: Code { backing.code }

    /// A description of the error for a developer, in one sentence.
    public var message: String { backing.message }

    /// The names of the structures and fields around the fault, outermost first, such as
    /// `["COSE_Sign", "signatures[1]", "protected", "alg"]`.
    public var path: [String] { backing.path }

    /// The error underneath, where another layer raised it.
    public var cause: (any Error)? { backing.cause }

    private let backing: Backing

    /// Makes an error.
    public init(_ code: Code, _ message: String, path: [String] = [], cause: (any Error)? = nil) {
        backing = Backing(code: code, message: message.escapedForDisplay(), path: path, cause: cause)
    }

    /// The same error seen from one structure further out.
    public func inside(_ structure: String) -> COSEError {
        COSEError(code, message, path: [structure] + path, cause: cause)
    }

    /// The parts, on the heap: errors travel on the fast path of every throwing function as one pointer.
    private final class Backing: Sendable {
        let code: Code
        let message: String
        let path: [String]
        let cause: (any Error)?

        init(code: Code, message: String, path: [String], cause: (any Error)?) {
            self.code = code
            self.message = message
            self.path = path
            self.cause = cause
        }
    }
}

extension COSEError: CustomStringConvertible {
    /// Code, place, message and cause in one line, with invisible characters escaped.
    public var description: String {
        var text = code.description
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        text += ": " + message
        if let cause { text += " (\(cause))" }
        return text.escapedForDisplay()
    }
}

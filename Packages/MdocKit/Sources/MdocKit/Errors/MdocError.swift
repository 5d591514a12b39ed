public import CBORKit
import CryptoCore

/// An error in reading, building, signing or processing an mdoc structure.
///
/// A failed check of a credential is not an error: see ``DocumentVerification``. Two errors compare by their ``code``;
/// the rest is for people.
public struct MdocError: Error, Sendable {
    /// The kind of failure.
    public let code: Code
    /// A description of the error, without the place.
    public let message: String
    /// The steps from the outermost structure to the item that was refused; empty where the whole is concerned.
    public let path: CBORPath
    /// The error of the layer below that led to this one.
    public let cause: (any Error)?

    /// Makes an error from its parts.
    public init(_ code: Code, _ message: String, path: CBORPath = CBORPath(), cause: (any Error)? = nil) {
        self.code = code
        self.message = message.escapedForDisplay()
        self.path = path
        self.cause = cause
    }

    /// Makes an error about an item, with the item's place.
    init(_ code: Code, _ message: String, at view: CBORView, cause: (any Error)? = nil) {
        self.init(code, message, path: view.path, cause: cause)
    }

    /// Makes an error out of one that reading CBOR gave.
    init(reading error: CBORError) {
        let code: Code =
            switch error.code {
            case .typeMismatch: .unexpectedType
            case .missingItem: .missingMember
            case .outOfRange, .invalidValue, .invalidTagContent: .invalidValue
            case .limitExceeded: .limitExceeded
            default: .malformedCBOR
            }
        self.init(code, error.message, path: error.path, cause: error)
    }
}

extension MdocError: CustomStringConvertible {
    /// The code, the message, the place and the cause, on one line, with invisible characters escaped.
    public var description: String {
        var text = "mdoc \(code): \(message)"
        if !path.isEmpty { text += ", in \(path)" }
        if let cause { text += " (\(cause))" }
        return text.escapedForDisplay()
    }
}

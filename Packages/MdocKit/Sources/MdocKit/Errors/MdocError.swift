package import CBORKit
// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// An error in reading, building, signing or processing an mdoc structure.
///
/// A failed check of a credential is not an error: see `Verification`. Two errors compare by their `code`;
/// the rest is for people.
public struct MdocError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension MdocError {
    /// Makes an error about the item that a path leads to.
    package init(_ code: Code, _ message: String, path: CBORPath, cause: (any Error)? = nil) {
        self.init(code, message, path: path.names, cause: cause)
    }

    /// Makes an error about an item, with the item's place.
    package init(_ code: Code, _ message: String, at view: CBORView, cause: (any Error)? = nil) {
        self.init(code, message, path: view.path, cause: cause)
    }

    /// Makes an error out of one that reading CBOR gave.
    package init(reading error: CBORError) {
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

extension CBORPath {
    /// The steps as names of structures: an index, a label or a tag stands with the name before it.
    package var names: [String] {
        steps.reduce(into: []) { names, step in
            if case .key = step {
                names.append(step.description)
            } else if names.isEmpty {
                names = [step.description]
            } else {
                names[names.count - 1] += step.description
            }
        }
    }
}

// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a key, an attribute, a message or a request to this module could not be processed.
///
/// Tests and callers compare `code`; the message is for people and may change. Nothing in an error tells anything
/// about a secret. A proof that does not verify is an answer (`Verification`), not an error.
public struct IdemixError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

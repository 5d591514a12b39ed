// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that an SD-JWT was refused or could not be made.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about secret bytes.
public struct SDJWTError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

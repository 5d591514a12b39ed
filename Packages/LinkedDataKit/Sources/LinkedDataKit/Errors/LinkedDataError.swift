// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that linked data was refused.
///
/// Tests and callers compare `code`; `path` names the place in the document or context, such as
/// `["credentialSubject", "degree[1]"]`. `message` is for people and may change.
public struct LinkedDataError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

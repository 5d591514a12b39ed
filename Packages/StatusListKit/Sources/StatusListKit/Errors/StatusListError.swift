// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a status list was refused or could not be made.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about secret bytes.
public struct StatusListError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension StatusListError {
    /// The error for a token that its verification refuses.
    public init(_ refusal: Refusal) {
        self.init(.refused, "\(refusal.reason): \(refusal.message)", path: ["token"] + refusal.path, cause: refusal)
    }

    /// The error for a list that is neither kept nor in a snapshot, without a network.
    static func notAvailable(_ uri: String) -> StatusListError {
        StatusListError(.notAvailable, "the list is not at hand, and there is no network", path: [uri])
    }

    /// The refusal of a token, or nil for any other error.
    public var refusal: Refusal? { cause as? Refusal }
}

extension Verification {
    /// The verified list.
    ///
    /// - Throws: ``StatusListError/Code/refused``.
    func list() throws(StatusListError) -> Value {
        do throws(Refusal) {
            return try get()
        } catch {
            throw StatusListError(error)
        }
    }
}

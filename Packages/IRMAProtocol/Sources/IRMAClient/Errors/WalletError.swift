public import IRMAMessages
// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a session ended, or that the wallet could not do something.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about a secret or an attribute's value. ``remoteError``, ``proofStatus`` and
/// ``keyshareRefusal`` have the reason that a server gave.
public struct WalletError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }

    /// The error that the server sent, or `nil`.
    public var remoteError: RemoteError? { cause as? RemoteError }

    /// The status of proofs that the server did not accept, or `nil` for another error.
    public var proofStatus: ProofStatus? { (cause as? RefusedProofs)?.status }

    /// The keyshare server's refusal of a PIN, or `nil` for another error.
    public var keyshareRefusal: KeyshareRefusal? { cause as? KeyshareRefusal }
}

/// The status of proofs that a server did not accept.
struct RefusedProofs: Error, CustomStringConvertible {
    let status: ProofStatus

    var description: String { status.description }
}

/// A keyshare server's refusal of a PIN.
public enum KeyshareRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The PIN is wrong, and so many attempts are left; `nil` if the server gives no number.
    case wrongPIN(remainingAttempts: Int?)
    /// The account is blocked for so many seconds; `nil` if the server gives no number.
    case blocked(seconds: Int?)

    /// The refusal, with its number.
    public var description: String {
        switch self {
        case .wrongPIN(let attempts): "wrong PIN, \(attempts.map(String.init) ?? "unknown") attempts left"
        case .blocked(let seconds): "blocked for \(seconds.map(String.init) ?? "unknown") seconds"
        }
    }
}

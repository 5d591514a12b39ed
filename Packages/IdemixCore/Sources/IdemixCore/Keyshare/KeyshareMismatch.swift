/// The reason that a keyshare server's answer does not fit a list of proofs, and the proof that it does not fit.
///
/// It is the cause of the errors of ``IdemixProofList/merging(_:at:multiplyingShare:)`` and
/// ``IdemixProofList/dividingOut(_:)``; ``IdemixError/keyshareMismatch`` returns it.
public struct KeyshareMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// A reason: an open set, so that a new one breaks no caller.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The list has no proof at the position.
        public static let noProof = Reason("noProof")
        /// The proof at the position is not a commitment for a credential.
        public static let noCommitment = Reason("noCommitment")
        /// The proof has no response for the secret key.
        public static let noSecretKeyResponse = Reason("noSecretKeyResponse")
        /// The server answered another challenge than the proof's.
        public static let otherChallenge = Reason("otherChallenge")
        /// The answer has no share P, and the commitment U came without it.
        public static let missingShare = Reason("missingShare")
        /// The share P is not an element of the group of the proof's key.
        public static let shareOutsideGroup = Reason("shareOutsideGroup")
        /// The share P belongs to another key: a server sends that of the last key only.
        public static let shareOfOtherKey = Reason("shareOfOtherKey")
        /// A number of the answer is negative.
        public static let negativeNumber = Reason("negativeNumber")
    }

    /// The position of the proof in the list, or `nil` if the answer itself is at fault.
    public let position: Int?
    /// The reason.
    public let reason: Reason

    /// The reason, and the position if there is one.
    public var description: String {
        position.map { "\(reason) at proofs[\($0)]" } ?? reason.description
    }
}

extension IdemixError {
    /// The reason that a keyshare server's answer does not fit, and the proof that it does not fit; `nil` for other errors.
    public var keyshareMismatch: KeyshareMismatch? { cause as? KeyshareMismatch }

    /// An error about a keyshare server's answer.
    static func mismatch(
        _ reason: KeyshareMismatch.Reason,
        at position: Int?,
        _ message: String,
        _ code: Code = .keyshareMismatch
    ) -> IdemixError {
        IdemixError(
            code,
            message,
            path: position.map { ["proofs[\($0)]"] } ?? [],
            cause: KeyshareMismatch(position: position, reason: reason)
        )
    }
}

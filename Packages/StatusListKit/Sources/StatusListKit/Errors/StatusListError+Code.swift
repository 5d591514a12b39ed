extension StatusListError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        // MARK: Structure

        /// The input is not a status list or status list token.
        public static let malformed = Code("malformed")
        /// The list's `bits` are not 1, 2, 4 or 8.
        public static let unsupportedBits = Code("unsupportedBits")
        /// The list's compressed bytes are no complete zlib stream.
        public static let invalidCompression = Code("invalidCompression")
        /// One of ``StatusListLimits`` was passed.
        public static let limitExceeded = Code("limitExceeded")
        /// The credential's reference to a status list lacks a member, or a member has another type.
        public static let invalidReference = Code("invalidReference")

        // MARK: The token

        /// The token's `typ` is not that of a status list token in its form.
        public static let wrongType = Code("wrongType")
        /// The token is of a form, JWT or CWT, that the policy does not take.
        public static let formNotAccepted = Code("formNotAccepted")
        /// The token's algorithm is missing, unknown, or not on the caller's list.
        public static let algorithmNotAllowed = Code("algorithmNotAllowed")
        /// The key does not go with the token's algorithm.
        public static let keyMismatch = Code("keyMismatch")
        /// The signature or authentication tag does not verify with the key of the party that should have signed.
        public static let invalidSignature = Code("invalidSignature")
        /// The token carries no certificate chain that leads to the caller's anchors.
        public static let untrustedSigner = Code("untrustedSigner")
        /// A claim that must be there is not.
        public static let missingClaim = Code("missingClaim")
        /// A claim has another type or value than its definition demands.
        public static let invalidClaim = Code("invalidClaim")
        /// The token's `sub` is not the `uri` of the reference: it is the token of another list.
        public static let wrongSubject = Code("wrongSubject")
        /// The token is for an audience that the caller is not.
        public static let wrongAudience = Code("wrongAudience")
        /// The token's `exp` has passed.
        public static let expired = Code("expired")
        /// The token's `nbf` has not come.
        public static let notYetValid = Code("notYetValid")
        /// The token's `iat` lies in the future.
        public static let issuedInFuture = Code("issuedInFuture")
        /// The token is older than the policy allows.
        public static let tooOld = Code("tooOld")

        // MARK: The status

        /// The index lies beyond the end of the list.
        public static let indexOutOfRange = Code("indexOutOfRange")
        /// The status is reserved for a later registration, and has no meaning yet.
        public static let reservedStatus = Code("reservedStatus")

        // MARK: Getting the token

        /// The list could not be fetched; the cause is a `TransportError` of CredentialTransport.
        public static let notFetched = Code("notFetched")
        /// There is no network, and the list is not among those at hand.
        public static let notAvailable = Code("notAvailable")
        /// The provider keeps no lists for the requested time.
        public static let historyNotSupported = Code("historyNotSupported")
        /// The token is not of the requested time.
        public static let timeNotCovered = Code("timeNotCovered")

        // MARK: Making lists

        /// The status does not fit into the bits of the list.
        public static let statusTooLarge = Code("statusTooLarge")
        /// The token could not be signed.
        public static let signingFailed = Code("signingFailed")
    }
}

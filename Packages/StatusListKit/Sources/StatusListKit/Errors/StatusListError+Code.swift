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
        /// The list's compressed bytes are not a complete zlib stream.
        public static let invalidCompression = Code("invalidCompression")
        /// One of ``StatusListLimits`` was passed.
        public static let limitExceeded = Code("limitExceeded")
        /// The credential's reference to a status list lacks a member, or a member has another type.
        public static let invalidReference = Code("invalidReference")

        // MARK: The token

        /// The token is refused; the cause is the `Refusal`, see ``StatusListError/refusal``.
        public static let refused = Code("refused")
        /// The party that signed the list, or would have to, may not speak about the credential.
        public static let issuerNotTrusted = Code("issuerNotTrusted")

        // MARK: The status

        /// The index lies beyond the end of the list.
        public static let indexOutOfRange = Code("indexOutOfRange")
        /// The status is reserved for a later registration, and has no meaning yet.
        public static let reservedStatus = Code("reservedStatus")

        // MARK: Getting the token

        /// The list could not be fetched; the cause is a `TransportError` of CredentialTransport.
        public static let notFetched = Code("notFetched")
        /// There is no network and no stored list, or the signer of the list is not known.
        public static let notAvailable = Code("notAvailable")
        /// The provider keeps no lists for the requested time.
        public static let historyNotSupported = Code("historyNotSupported")
        /// The token is not of the requested time.
        public static let timeNotCovered = Code("timeNotCovered")

        // MARK: Making lists

        /// The status does not fit into the bits of the list.
        public static let statusTooLarge = Code("statusTooLarge")
        /// A claim of a token that is made has another value than its definition demands.
        public static let invalidClaim = Code("invalidClaim")
        /// The header of a token that is made names no algorithm, or one that the key does not sign with.
        public static let algorithmNotAllowed = Code("algorithmNotAllowed")
        /// The token could not be signed.
        public static let signingFailed = Code("signingFailed")
    }
}

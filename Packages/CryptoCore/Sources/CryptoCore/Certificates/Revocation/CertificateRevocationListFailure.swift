/// The reason that a revocation list cannot be relied on.
public struct CertificateRevocationListFailure: Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault in a list: an open set.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The list was issued by another authority than the given one, or with another key.
        public static let issuerMismatch = Reason("issuerMismatch")
        /// The authority's key may not sign revocation lists.
        public static let listSigningNotAllowed = Reason("listSigningNotAllowed")
        /// A critical extension of the list or of an entry is not known.
        public static let unknownCriticalExtension = Reason("unknownCriticalExtension")
        /// The content of an extension cannot be read.
        public static let malformedExtension = Reason("malformedExtension")
        /// The list is about certificates of other issuers too.
        public static let indirectList = Reason("indirectList")
        /// The list is a delta, or limited to some reasons or to attribute certificates.
        public static let partialList = Reason("partialList")
        /// The signature algorithm is not known, is over SHA-1, or does not fit the authority's key.
        public static let unsupportedSignatureAlgorithm = Reason("unsupportedSignatureAlgorithm")
        /// The signature does not verify with the authority's key.
        public static let invalidSignature = Reason("invalidSignature")
    }

    /// The kind of fault, as a value to act on.
    public let reason: Reason

    /// A description of the fault for people, in one sentence.
    public let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message.escapedForDisplay()
    }

    /// Reason and message in one line.
    public var description: String { "\(reason): \(message)" }
}

// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a key, a signature, a ciphertext or a certificate could not be processed.
///
/// Tests and callers compare `code`; the message is for people and may change. Nothing in an error tells anything
/// about secret bytes. A signature that does not verify is an answer (`false`), not an error.
public struct CryptoError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension CryptoError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        /// Makes a kind; parts of this module declare theirs as static members beside what throws them.
        init(_ name: String) {
            description = name
        }

        /// No engine of this build has the algorithm, the curve or the parameter set.
        public static let unsupported = Code("unsupported")
        /// The key is of another type or curve than the algorithm or the other key needs.
        public static let keyMismatch = Code("keyMismatch")
        /// The key is too weak to be used without saying so: RSA below 2048 bits.
        public static let weakKey = Code("weakKey")
        /// The number of bytes is not the one that the algorithm demands.
        public static let invalidLength = Code("invalidLength")
        /// The coordinates are of no point on the curve, or not below the field's prime.
        public static let pointNotOnCurve = Code("pointNotOnCurve")
        /// An encoded point has another form than uncompressed or compressed.
        public static let invalidPointEncoding = Code("invalidPointEncoding")
        /// The point is the neutral element.
        public static let pointAtInfinity = Code("pointAtInfinity")
        /// The point lies in a subgroup of small order, or a key agreement had an all-zero result.
        public static let smallOrderPoint = Code("smallOrderPoint")
        /// The private scalar is zero or not below the order of the group.
        public static let invalidScalar = Code("invalidScalar")
        /// A number of an RSA key is out of its bounds, or the numbers do not belong together.
        public static let invalidRSAKey = Code("invalidRSAKey")
        /// The public key inside a private key is not the one that belongs to it.
        public static let keyPairMismatch = Code("keyPairMismatch")
        /// A signature's numbers are zero or not below the order, or its form is wrong.
        public static let invalidSignatureEncoding = Code("invalidSignatureEncoding")
        /// The bytes are not the DER structure that was expected.
        public static let invalidDER = Code("invalidDER")
        /// The text is not the PEM that was expected.
        public static let invalidPEM = Code("invalidPEM")
        /// A parameter is out of its range: a length, a count of rounds.
        public static let invalidParameter = Code("invalidParameter")
        /// The input exceeds a limit of the reader.
        public static let limitExceeded = Code("limitExceeded")
        /// Decryption failed: the tag, the padding or the wrapped key is not authentic; never says which.
        public static let authenticationFailure = Code("authenticationFailure")
        /// The engine reported a failure that no check of the input explains.
        public static let engineFailure = Code("engineFailure")
    }
}

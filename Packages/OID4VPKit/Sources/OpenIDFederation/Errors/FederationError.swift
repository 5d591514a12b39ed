import JOSEKit
// The vocabulary of all layers comes with each of them.
@_spi(Layers) @_exported public import VerificationCore

/// The reason that a statement, a policy or a trust chain was refused or could not be made.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change.
public struct FederationError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension FederationError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// A text is not the identifier of an entity: an https URL without query and fragment.
        public static let invalidIdentifier = Code("invalidIdentifier")
        /// A statement or chain is not of the form that its definition demands.
        public static let malformed = Code("malformed")
        /// One of the limits of reading or resolving was passed.
        public static let limitExceeded = Code("limitExceeded")
        /// A statement has an extension that must be understood and is not.
        public static let unsupportedExtension = Code("unsupportedExtension")
        /// A metadata policy is malformed, or combines operators or values that exclude each other.
        public static let invalidMetadataPolicy = Code("invalidMetadataPolicy")
        /// The metadata of an entity break the policy of the federation.
        public static let metadataPolicyViolation = Code("metadataPolicyViolation")
        /// An entity lies outside the constraints that a superior has set.
        public static let constraintViolation = Code("constraintViolation")
        /// A statement cannot be signed.
        public static let signingFailed = Code("signingFailed")
        /// A statement or key set cannot be fetched.
        public static let retrievalFailed = Code("retrievalFailed")
        /// The caller's task was cancelled before the answers came.
        public static let cancelled = Code("cancelled")
        /// No path leads from an entity to a trust anchor.
        public static let noTrustChain = Code("noTrustChain")
        /// A key set of an entity is missing, malformed, or not signed by the entity.
        public static let invalidKeySet = Code("invalidKeySet")
        /// An entity is not of the type that is asked for.
        public static let missingEntityType = Code("missingEntityType")
    }

    /// The refusal of a JOSE object; a passed limit has a code of its own.
    init(_ code: Code, _ message: String, reading error: JOSEError, path: [String] = []) {
        let code = error.code == .limitExceeded ? .limitExceeded : code
        self.init(code, message, path: path + error.path, cause: error.withoutPlace)
    }
}

/// Runs a reading of a JOSE object, and gives its refusal a code and a message of this module.
func reading<Value>(
    _ code: FederationError.Code,
    _ message: String,
    at path: [String] = [],
    _ body: () throws(JOSEError) -> Value
) throws(FederationError) -> Value {
    do throws(JOSEError) {
        return try body()
    } catch {
        throw FederationError(code, message, reading: error, path: path)
    }
}

// The vocabulary of all layers comes with each of them.
@_spi(Layers) @_exported public import VerificationCore

/// The reason that a message of OpenID4VP was refused or could not be made.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about a claim's value.
public struct OID4VPError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension OID4VPError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        // MARK: Form

        /// A member or parameter is missing, or has another type or form than its definition demands.
        public static let malformed = Code("malformed")
        /// One of the limits of reading or evaluating was passed.
        public static let limitExceeded = Code("limitExceeded")

        // MARK: Requests

        /// A text is not a URL of a request.
        public static let invalidURL = Code("invalidURL")
        /// A parameter occurs twice.
        public static let repeatedParameter = Code("repeatedParameter")
        /// A required parameter is missing.
        public static let missingParameter = Code("missingParameter")
        /// A parameter has another type or form than its definition demands.
        public static let invalidParameter = Code("invalidParameter")
        /// Parameters exclude each other, or one is forbidden beside another.
        public static let contradictoryParameters = Code("contradictoryParameters")
        /// The request is for something else than a `vp_token`.
        public static let unsupportedResponseType = Code("unsupportedResponseType")
        /// The response mode is unknown, or is not for this channel.
        public static let unsupportedResponseMode = Code("unsupportedResponseMode")
        /// A `scope` is malformed, or unknown to the wallet.
        public static let invalidScope = Code("invalidScope")
        /// `request_uri` is not an https URL that may be contacted.
        public static let invalidRequestURI = Code("invalidRequestURI")
        /// `request_uri_method` is neither `get` nor `post`.
        public static let invalidRequestURIMethod = Code("invalidRequestURIMethod")
        /// The response address is malformed, or is not one of this client.
        public static let invalidResponseAddress = Code("invalidResponseAddress")
        /// The client identifier has a prefix or scheme that is unknown, reserved or not supported.
        public static let unsupportedClientIdentifier = Code("unsupportedClientIdentifier")
        /// The client is not registered with the wallet.
        public static let unknownClient = Code("unknownClient")
        /// The request has metadata of a client whose metadata the wallet knows.
        public static let metadataNotAllowed = Code("metadataNotAllowed")
        /// The metadata of the client are malformed.
        public static let invalidMetadata = Code("invalidMetadata")
        /// An encrypted response is asked for, and there is no key or algorithm for it.
        public static let encryptionImpossible = Code("encryptionImpossible")
        /// A signed response is asked for, and the wallet has no key or algorithm for it.
        public static let signingImpossible = Code("signingImpossible")
        /// The key set of a client cannot be fetched.
        public static let keysNotRetrieved = Code("keysNotRetrieved")
        /// A presentation definition cannot be fetched.
        public static let definitionNotRetrieved = Code("definitionNotRetrieved")
        /// A fetched presentation definition is unusable.
        public static let invalidDefinitionDocument = Code("invalidDefinitionDocument")
        /// The request or the response breaks a rule of the profile.
        public static let profileViolation = Code("profileViolation")
        /// Transaction data are malformed, of an unknown type, or for a credential that is not asked for.
        public static let invalidTransactionData = Code("invalidTransactionData")

        // MARK: Queries

        /// A DCQL query breaks a rule of OpenID4VP 1.0, section 6.
        public static let invalidQuery = Code("invalidQuery")
        /// A presentation definition breaks a rule of Presentation Exchange 2.
        public static let invalidDefinition = Code("invalidDefinition")
        /// A definition requires a feature that is not implemented.
        public static let unsupportedFeature = Code("unsupportedFeature")
        /// A text is not JSONPath.
        public static let invalidPath = Code("invalidPath")
        /// A JSONPath has a filter or a script.
        public static let unsupportedPath = Code("unsupportedPath")
        /// A filter is not JSON Schema.
        public static let invalidSchema = Code("invalidSchema")
        /// A filter has a keyword or a reference that is not supported.
        public static let unsupportedSchema = Code("unsupportedSchema")
        /// A text is not a regular expression.
        public static let invalidPattern = Code("invalidPattern")
        /// A regular expression has a back-reference, a look-around or a property of characters.
        public static let unsupportedPattern = Code("unsupportedPattern")
        /// The wallet supports none of the formats that are asked for, or none that the verifier takes.
        public static let formatsNotSupported = Code("formatsNotSupported")
        /// A definition says something that a DCQL query cannot say.
        public static let notConvertible = Code("notConvertible")

        // MARK: Selections

        /// The credentials of the wallet do not satisfy the query.
        public static let unsatisfied = Code("unsatisfied")
        /// The query does not permit the selection.
        public static let invalidSelection = Code("invalidSelection")
        /// A chosen credential has expired, or is not valid yet.
        public static let outsideValidity = Code("outsideValidity")

        // MARK: Responses

        /// Parts of a response belong to another request, or there is something missing to make it.
        public static let invalidResponse = Code("invalidResponse")
        /// The response has nowhere to be sent to by the wallet itself.
        public static let nothingToSend = Code("nothingToSend")
        /// The response could not be sent, or no complete answer came.
        public static let responseNotSent = Code("responseNotSent")
        /// The verifier refused the response, or redirected it.
        public static let responseRefused = Code("responseRefused")
        /// The verifier took the response, and its answer is malformed.
        public static let invalidAnswer = Code("invalidAnswer")

        // MARK: Presentations

        /// A presentation cannot be built.
        public static let presentationFailed = Code("presentationFailed")
        /// The holder's key for a presentation is unknown or cannot sign.
        public static let missingHolderKey = Code("missingHolderKey")
        /// A signature is missing, is not one by the holder's key, or could not be made.
        public static let signingFailed = Code("signingFailed")
    }
}

public import CredentialTransport
public import JOSEKit
public import JSONKit

/// A request whose parameters are read and found consistent: the query, and the way to answer it.
///
/// A wallet makes one of the parameters of an authenticated request alone.
public struct PresentationRequest: Sendable {
    /// The query of a request.
    public enum Query: Sendable {
        /// A DCQL query.
        case dcql(DCQLQuery)
        /// A presentation definition.
        case definition(PresentationDefinition)
        /// A presentation definition at an address.
        case definitionReference(HTTPURL)
        /// A name for a query that verifier and wallet agreed on.
        case scope(String)
    }

    /// The version.
    public let version: OpenID4VPVersion
    /// The mode and the address of the response.
    public let target: ResponseTarget
    /// The verifier's value that each presentation repeats.
    public let nonce: String
    /// The verifier's value that the response repeats; nil for none.
    public let state: String?
    /// The query of a request.
    public let query: Query
    /// The metadata of the verifier; nil if it sent none, or the wallet knows them.
    public let metadata: ClientMetadata?
    /// The key and the algorithms for the response; nil if it is not encrypted.
    public let encryption: ResponseEncryption?
    /// The algorithm of the signature that drafts before 26 ask of the response; nil for none.
    public let responseSigning: JWSAlgorithm?
    /// The transactions to authorize.
    public let transactionData: [TransactionDataEntry]
    /// The attestations about the verifier, without malformed ones.
    public let verifierInfo: [VerifierInfo]
    /// The deviations that tolerances let pass.
    public private(set) var deviations: [Deviation]
    /// Indicates that a credential that names a key of the holder is presented with a proof of it, even if the query does not
    /// require one.
    package private(set) var bindsWherePossible = false
    /// The tolerances that the request was read with.
    package let tolerances: Set<RequestTolerance>

    /// The capabilities of a wallet that decide whether it can answer.
    public struct Support: Sendable {
        /// The algorithms for encrypted responses.
        public var encryption: EncryptionSupport
        /// The types of transactions.
        public var transactionData: TransactionDataTypes
        /// The algorithms that the wallet signs responses with, for drafts before 26; none by default.
        public var signing: Set<JWSAlgorithm>
        /// The formats of credentials; nil, the default, for all.
        ///
        /// A request for none of them is refused, whatever the wallet holds.
        public var formats: Set<CredentialFormat>?

        /// Sets the capabilities.
        public init(
            encryption: EncryptionSupport = .default,
            transactionData: TransactionDataTypes = .none,
            signing: Set<JWSAlgorithm> = [],
            formats: Set<CredentialFormat>? = nil
        ) {
            self.encryption = encryption
            self.transactionData = transactionData
            self.signing = signing
            self.formats = formats
        }
    }

    /// The origin of the metadata of a verifier.
    public enum MetadataSource: Sendable {
        /// The request.
        case request
        /// The wallet, which knows the client; nil for a client without any.
        case wallet(JSONObject?)
        /// The federation of the client; those in the request are ignored (section 5.9.3).
        case federation(JSONObject)
    }

    /// Reads the parameters of a request.
    ///
    /// - Parameters:
    ///   - parameters: The parameters: those of the request object, if there is one.
    ///   - version: The version of the request.
    ///   - target: The mode and the address of the response.
    ///   - query: The query that stands behind a scope or an address in the parameters; nil to read the parameters' own.
    ///   - metadataSource: The origin of the verifier's metadata; those in the request of a client that the wallet knows
    ///     are refused, or ignored under a tolerance.
    ///   - support: The capabilities of the wallet.
    ///   - options: Tolerances and limits.
    /// - Throws: ``OID4VPError``; its `authorizationCode` is that of the response to the verifier.
    public init(
        _ parameters: AuthorizationParameters,
        version: OpenID4VPVersion,
        target: ResponseTarget,
        query: Query? = nil,
        metadataSource: MetadataSource = .request,
        support: Support = Support(),
        options: RequestReadingOptions = .strict
    ) throws(OID4VPError) {
        var deviations: [Deviation] = []
        try Self.checkResponseType(parameters)
        self.version = version
        self.target = target
        tolerances = options.tolerances
        if target.mode.address == .responseURI, parameters.contains("redirect_uri"),
            parameters.contains("response_mode")
        {
            // The verifier is told of it at its own address (section 8.2).
            throw OID4VPError(.contradictoryParameters, "the response mode has none", path: ["redirect_uri"])
        }
        guard let nonce = try Self.opaque("nonce", parameters, options, &deviations) else {
            throw OID4VPError(.missingParameter, .missing, path: ["nonce"])
        }
        self.nonce = nonce
        // The Digital Credentials API has no such parameter (appendix A.2).
        let isIgnored = version == .v1 && target.mode.address == .platform
        state = isIgnored ? nil : try Self.opaque("state", parameters, options, &deviations)
        if let query { self.query = query } else { self.query = try Self.query(parameters, options, &deviations) }
        metadata = try Self.metadata(parameters, version, metadataSource, options, &deviations)
        if let formats = support.formats { try Self.check(formats, self.query, metadata) }
        (encryption, responseSigning) = try Self.protection(target, metadata, version, support, options, &deviations)
        transactionData = try TransactionDataEntry.entries(
            parameters,
            types: support.transactionData,
            query: self.query.dcql,
            definition: self.query.definition,
            limits: options.limits
        )
        verifierInfo = try VerifierInfo.entries(parameters, limits: options.limits, &deviations)
        self.deviations = deviations
    }

    /// The same request with further deviations, such as those from a profile, which may ask for bound presentations.
    package func reporting(_ deviations: [Deviation], bindsWherePossible: Bool) -> PresentationRequest {
        var request = self
        request.deviations += deviations
        request.bindsWherePossible = bindsWherePossible
        return request
    }

    private static func checkResponseType(_ parameters: AuthorizationParameters) throws(OID4VPError) {
        let type = try parameters.requiredText("response_type")
        guard type == "vp_token" else {
            throw OID4VPError(.unsupportedResponseType, "\"\(type)\" is not supported", path: ["response_type"])
        }
    }

    /// Refuses a request that a wallet with these formats can answer with no credential (section 8.5).
    private static func check(
        _ formats: Set<CredentialFormat>,
        _ query: Query,
        _ metadata: ClientMetadata?
    ) throws(OID4VPError) {
        let supported = Set(formats.map(\.credential))
        func isSupported(_ formats: [CredentialFormat]) -> Bool {
            formats.isEmpty || formats.contains { supported.contains($0.credential) }
        }
        guard query.requestedFormats.contains(where: isSupported) else {
            throw OID4VPError(.formatsNotSupported, "the wallet supports none of the formats that are asked for")
        }
        guard isSupported((metadata?.formats?.names ?? []).map { CredentialFormat($0) }) else {
            throw OID4VPError(
                .formatsNotSupported,
                "the wallet supports none of the formats that the verifier takes",
                path: ["client_metadata"]
            )
        }
    }

    /// The encryption of the response, and the algorithm of its signature.
    private static func protection(
        _ target: ResponseTarget,
        _ metadata: ClientMetadata?,
        _ version: OpenID4VPVersion,
        _ support: Support,
        _ options: RequestReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> (ResponseEncryption?, JWSAlgorithm?) {
        guard target.mode.isJWT else { return (nil, nil) }
        // Drafts before 26 can ask for a signature beside the encryption, or instead of it.
        let signing = version == .v1 ? nil : metadata?.signingAlgorithm
        if let signing {
            guard support.signing.contains(signing) else {
                throw OID4VPError(
                    .signingImpossible,
                    "the wallet does not sign with \(signing.rawValue)",
                    path: ["client_metadata", "authorization_signed_response_alg"]
                )
            }
            if metadata?.olderAlgorithm == nil { return (nil, signing) }
        }
        let encryption = try ResponseEncryption(
            metadata,
            version: version,
            support: support.encryption,
            options: options,
            deviations: &deviations
        )
        return (encryption, signing)
    }

    /// A value that is given back unchanged.
    private static func opaque(
        _ name: String,
        _ parameters: AuthorizationParameters,
        _ options: RequestReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> String? {
        guard let text = try parameters.text(name) else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy {
            ScalarSet.word.contains($0) || "-.~".unicodeScalars.contains($0)
        }
        if !isPlain { try options.tolerate(.anyCharacters, at: [name], &deviations) }
        return text
    }

    /// The query of a request, as its parameters have it: it may be a name or an address.
    package static func query(
        _ parameters: AuthorizationParameters,
        _ options: RequestReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> Query {
        if let json = try parameters.value("dcql_query") {
            let query = try DCQLQuery(json: json, options: options.dcql)
            deviations += query.deviations
            return .dcql(query)
        }
        if let json = try parameters.value("presentation_definition") {
            return .definition(
                try PresentationDefinition(json: json, limits: options.definitionLimits, skippingAlternatives: true)
            )
        }
        if let text = try parameters.text("presentation_definition_uri") {
            return .definitionReference(try HTTPURL(secure: text, .invalidParameter, at: "presentation_definition_uri"))
        }
        return .scope(try parameters.requiredText("scope"))
    }

    private static func metadata(
        _ parameters: AuthorizationParameters,
        _ version: OpenID4VPVersion,
        _ source: MetadataSource,
        _ options: RequestReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> ClientMetadata? {
        let received = try parameters.object("client_metadata")
        let members: JSONObject?
        switch source {
        case .request: members = received
        case .federation(let resolved): members = resolved
        case .wallet(let known):
            if received != nil {
                try options.tolerate(
                    .metadataOfKnownClient,
                    at: ["client_metadata"],
                    &deviations,
                    .metadataNotAllowed
                )
            }
            members = known
        }
        guard let members else { return nil }
        return try ClientMetadata(members, version: version, options: options, deviations: &deviations)
    }
}

extension PresentationRequest.Query {
    /// The DCQL query, or nil.
    public var dcql: DCQLQuery? {
        if case .dcql(let query) = self { query } else { nil }
    }

    /// The presentation definition, or nil.
    public var definition: PresentationDefinition? {
        if case .definition(let definition) = self { definition } else { nil }
    }

    /// For each credential that is asked for, the formats that may answer; none for any format.
    fileprivate var requestedFormats: [[CredentialFormat]] {
        switch self {
        case .dcql(let query): query.credentials.map { [$0.format] }
        case .definition(let definition):
            definition.descriptors.map { definition.formats(of: $0).map(\.format) }
        case .definitionReference, .scope: [[]]
        }
    }
}

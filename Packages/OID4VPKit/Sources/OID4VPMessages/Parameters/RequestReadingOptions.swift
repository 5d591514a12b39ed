/// Tolerances and limits for reading requests.
///
/// Reading is strict: a deviation from the version that a request is of is refused unless a tolerance for it is named. A
/// tolerated deviation is reported with its place.
public struct RequestReadingOptions: Sendable {
    /// The deviations that are accepted, and reported.
    public var tolerances: Set<RequestTolerance>
    /// The limits.
    public var limits: RequestLimits
    /// The limits for DCQL queries.
    public var queryLimits: DCQLLimits
    /// The limits for presentation definitions.
    public var definitionLimits: PresentationDefinitionLimits

    /// Sets the options; strict ones unless tolerances are named.
    public init(
        tolerances: Set<RequestTolerance> = [],
        limits: RequestLimits = .default,
        queryLimits: DCQLLimits = .default,
        definitionLimits: PresentationDefinitionLimits = .default
    ) {
        self.tolerances = tolerances
        self.limits = limits
        self.queryLimits = queryLimits
        self.definitionLimits = definitionLimits
    }

    /// Accepts nothing that the version does not allow.
    public static let strict = RequestReadingOptions()

    /// Accepts the known deviations of deployed verifiers, and the forms of drafts 22 to 28 in requests with DCQL.
    public static let deployed = RequestReadingOptions(tolerances: .deployed)

    /// The options for DCQL queries that follow from these.
    var dcql: DCQLReadingOptions {
        var options = DCQLReadingOptions(limits: queryLimits)
        if tolerances.contains(.missingMeta) { options.tolerances.insert(.missingMeta) }
        if tolerances.contains(.namespaceAndClaimName) { options.tolerances.insert(.namespaceAndClaimName) }
        return options
    }

    /// Reports a deviation, or refuses it if no tolerance names it.
    package func tolerate(
        _ tolerance: RequestTolerance,
        at path: [String],
        _ deviations: inout [Deviation],
        _ code: OID4VPError.Code = .invalidParameter
    ) throws(OID4VPError) {
        guard tolerances.contains(tolerance) else { throw OID4VPError(code, tolerance.finding, path: path) }
        deviations.append(Deviation(tolerance.description, at: path, tolerance.finding))
    }
}

/// A deviation of a request from its version that verifiers show.
public struct RequestTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String
    /// The deviation, for a developer.
    let finding: String

    private init(_ description: String, _ finding: String) {
        self.description = description
        self.finding = finding
    }

    /// Compares the names.
    public static func == (left: RequestTolerance, right: RequestTolerance) -> Bool {
        left.description == right.description
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// A DID as client identifier of a request with DCQL, without `decentralized_identifier:` (drafts 22 to 25).
    public static let bareDID = RequestTolerance("bareDID", "the client identifier is a DID without a prefix")
    /// The entity identifier of a federation as client identifier of a request with DCQL, without `openid_federation:` (drafts 22 to
    /// 25).
    public static let bareEntity = RequestTolerance(
        "bareEntity",
        "the client identifier is the entity of a federation without a prefix"
    )
    /// The prefix `x509_san_uri` in a request with DCQL (removed in draft 25).
    public static let removedPrefix = RequestTolerance(
        "removedPrefix",
        "the prefix of the client identifier is removed"
    )
    /// Characters in `nonce` and `state` beyond those that need no encoding in a URL.
    ///
    /// They are opaque text and are returned unchanged.
    public static let anyCharacters = RequestTolerance(
        "anyCharacters",
        "it has characters other than letters, digits, hyphens, periods, low lines and tildes"
    )
    /// `client_metadata` of a client whose metadata the wallet knows, which are ignored.
    public static let metadataOfKnownClient = RequestTolerance(
        "metadataOfKnownClient",
        "the wallet knows the metadata of the client"
    )
    /// An `aud` that names another wallet.
    public static let otherAudience = RequestTolerance("otherAudience", "the request is for another wallet")
    /// The `request_uri` that a request object was fetched from as its `aud`, as verifiers with libraries of 2025 have it.
    public static let requestURIAsAudience = RequestTolerance(
        "requestURIAsAudience",
        "the address of the request stands for its audience"
    )
    /// A filter for a text at the path of an array, as `type` of a credential is: one of the array's texts may pass it.
    ///
    /// JSON Schema compares the array itself, which is no text.
    public static let elementwiseFilters = RequestTolerance(
        "elementwiseFilters",
        "the filter accepts an element of the array, and not the array"
    )
    /// A signed request of OpenID4VP 1.0 without `aud`.
    public static let missingAudience = RequestTolerance("missingAudience", "the request names no audience")
    /// White space around a fetched request object.
    public static let surroundingWhiteSpace = RequestTolerance(
        "surroundingWhiteSpace",
        "there is white space around the request object"
    )
    /// A fetched request object of another content type than `application/oauth-authz-req+jwt`.
    public static let otherContentType = RequestTolerance(
        "otherContentType",
        "the content type is not application/oauth-authz-req+jwt"
    )
    /// `request_uri_method` in a request by value, where it is ignored.
    public static let methodWithoutURI = RequestTolerance(
        "methodWithoutURI",
        "request_uri_method stands without request_uri"
    )
    /// `request` or `request_uri` inside a request object, where they are ignored (RFC 9101, section 4).
    public static let requestInsideObject = RequestTolerance(
        "requestInsideObject",
        "a request object holds no other request"
    )
    /// Parameters of a request object, or of a request by a platform, that are null: they count as absent.
    public static let nullParameters = RequestTolerance("nullParameters", "it is null, which counts as absent")
    /// `vp_formats` in a request of OpenID4VP 1.0 (drafts before 27).
    public static let olderFormats = RequestTolerance("olderFormats", "vp_formats stands for vp_formats_supported")
    /// `authorization_encrypted_response_alg` and `_enc` in a request with DCQL that has no
    /// `encrypted_response_enc_values_supported` (drafts before 26).
    public static let olderEncryption = RequestTolerance(
        "olderEncryption",
        "the algorithms for the response are named as in drafts before 26"
    )
    /// A credential query without `meta` (drafts 22 to 28).
    public static let missingMeta = RequestTolerance("missingMeta", "a credential query has no meta")
    /// A claim of an mdoc by `namespace` and `claim_name` (drafts 22 and 23).
    public static let namespaceAndClaimName = RequestTolerance(
        "namespaceAndClaimName",
        "a claim is given by namespace and claim_name"
    )
    /// The protocol `openid4vp` of the Digital Credentials API (drafts 21 to 24).
    public static let draftPlatformProtocol = RequestTolerance(
        "draftPlatformProtocol",
        "the protocol is that of drafts 21 to 24"
    )
    /// A request with DCQL without `response_mode`: the response is a fragment (drafts 22 to 24).
    public static let missingResponseMode = RequestTolerance(
        "missingResponseMode",
        "a required parameter is missing"
    )
    /// A signed request with DCQL whose `typ` is missing, or `JWT` (drafts 22 and 23).
    public static let missingObjectType = RequestTolerance(
        "missingObjectType",
        "the type is not oauth-authz-req+jwt"
    )
    /// `client_id_scheme` in the request object and not in the URL, as verifiers after ISO/IEC TS 18013-7, Annex B, have it.
    ///
    /// The request object is fetched before it is known by which rule the client is to be authenticated.
    public static let schemeInObject = RequestTolerance(
        "schemeInObject",
        "the scheme stands in the request object alone"
    )
    /// `redirect_uri` in the place of `response_uri`, in a request of drafts before 26 by the rule `redirect_uri` that has no
    /// `response_mode`: the response is posted to it.
    ///
    /// It is not among the deployed ones, since such a request otherwise asks for a redirect.
    public static let redirectURIAsResponseURI = RequestTolerance(
        "redirectURIAsResponseURI",
        "redirect_uri stands in the place of response_uri"
    )
}

extension Set<RequestTolerance> {
    /// The known deviations of deployed verifiers.
    public static let deployed: Set<RequestTolerance> = [
        .bareDID, .bareEntity, .removedPrefix, .anyCharacters, .metadataOfKnownClient, .missingAudience,
        .surroundingWhiteSpace, .otherContentType, .methodWithoutURI, .nullParameters, .olderFormats, .olderEncryption,
        .missingMeta, .namespaceAndClaimName, .draftPlatformProtocol, .missingResponseMode, .missingObjectType,
        .schemeInObject, .requestURIAsAudience, .elementwiseFilters, .requestInsideObject,
    ]
}

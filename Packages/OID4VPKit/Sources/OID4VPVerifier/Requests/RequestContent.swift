public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The query of a request, and the way back for the answer.
public struct RequestContent: Sendable {
    /// The version: drafts for wallets that know Presentation Exchange alone.
    public var version: OpenID4VPVersion
    /// The query: in DCQL for 1.0, a presentation definition for drafts.
    public var query: ResponseExpectation.Query
    /// The response mode.
    public var mode: ResponseMode
    /// The address of the response: `response_uri` or `redirect_uri`; nil for the Digital Credentials API.
    public var address: String?
    /// The transactions that the holder is to authorize: objects with `type` and `credential_ids`.
    public var transactionData: [JSONObject]
    /// The intended use, which selects the certificates of registration; nil for none.
    public var intendedUse: ExactText?
    /// The time in seconds after which a signed request has expired; at most ``maximumLifetime``.
    public var lifetime: TimeInterval
    /// The longest lifetime of a request in seconds: ten years.
    public static let maximumLifetime: TimeInterval = 315_576_000

    /// Describes a request.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - mode: The response mode: encrypted unless said otherwise.
    ///   - address: The address of the response; nil for the Digital Credentials API.
    ///   - version: The version.
    public init(
        _ query: ResponseExpectation.Query,
        mode: ResponseMode = .directPostJWT,
        address: String? = nil,
        version: OpenID4VPVersion = .v1
    ) {
        self.query = query
        self.mode = mode
        self.address = address
        self.version = version
        transactionData = []
        intendedUse = nil
        lifetime = 300
    }
}

extension ResponseExpectation.Query {
    /// The DCQL query, or nil.
    public var dcql: DCQLQuery? {
        if case .dcql(let query) = self { query } else { nil }
    }

    /// The presentation definition, or nil.
    public var definition: PresentationDefinition? {
        if case .definition(let definition) = self { definition } else { nil }
    }
}

/// A request that was made and not sent yet: the parameters, and the expectation of the response.
public struct CreatedRequest: Sendable {
    /// The parameters, without those of a single delivery such as `iat` and `wallet_nonce`.
    public let parameters: JSONObject
    /// The expectation of the response.
    public let expectation: ResponseExpectation
    /// The time after which the request is not to be answered.
    public let expiresAt: Date
    /// The deviations from the party's profile that it tolerates; those of a stored request are not stored.
    public let deviations: [Deviation]

    init(
        parameters: JSONObject,
        expectation: ResponseExpectation,
        expiresAt: Date,
        deviations: [Deviation] = []
    ) {
        self.parameters = parameters
        self.expectation = expectation
        self.expiresAt = expiresAt
        self.deviations = deviations
    }

    /// The request as JSON text, for the store of a transaction; like the expectation it holds a private key.
    public var encodedBytes: [UInt8] {
        var members: JSONObject = ["parameters": .object(parameters), "expectation": .object(expectation.json)]
        members["expiresAt"] = expiresAt.wholeSeconds.map { .integer($0) }
        return JSONValue.object(members).encoded()
    }

    /// Reads a request that was stored.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/malformedExpectation``.
    public init(decoding bytes: some Collection<UInt8>) throws(OID4VPVerifierError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw OID4VPVerifierError(.malformedExpectation, "it is not JSON", cause: error)
        }
        guard let parameters = value["parameters"]?.objectValue, let expectation = value["expectation"]?.objectValue,
            let seconds = value["expiresAt"]?.numberValue.flatMap({ try? $0.integer(as: Int64.self) }),
            case let expiresAt = Date(timeIntervalSince1970: TimeInterval(seconds)), expiresAt.wholeSeconds != nil
        else { throw OID4VPVerifierError(.malformedExpectation, "a member is missing or malformed") }
        self.init(
            parameters: parameters,
            expectation: try ResponseExpectation(json: expectation),
            expiresAt: expiresAt
        )
    }
}

extension Date {
    /// The whole seconds since 1970; nil outside of the years 1 to 9999.
    var wholeSeconds: Int64? {
        let seconds = timeIntervalSince1970.rounded(.down)
        return (-62_135_596_800...253_402_300_799).contains(seconds) ? Int64(seconds) : nil
    }
}

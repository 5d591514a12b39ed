public import JSONKit

/// A requestor's call to start a transaction.
///
/// ```swift
/// var request = TransactionRequest(of: "shop", for: query)
/// request.redirect = try RedirectTemplate("https://shop.example/done#response_code={response_code}")
/// let transaction = try await server.start(request)
/// ```
public struct TransactionRequest: Hashable, Sendable {
    /// The query.
    public enum Query: Hashable, Sendable {
        /// A DCQL query (OpenID4VP 1.0, section 6), as JSON.
        case dcql(JSONValue)
        /// A presentation definition, for wallets of drafts before 26, as JSON.
        case definition(JSONValue)
    }

    /// The ways in which the request reaches the wallet.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// A link with a reference to a signed request.
        case reference
        /// A link with all parameters; the only one for clients that do not sign.
        case value
        /// An object for the Digital Credentials API of a browser.
        case digitalCredentials = "digital_credentials"
    }

    /// The name of the relying party.
    public var relyingParty: String
    /// The query.
    public var query: Query
    /// The way in which the request reaches the wallet: a reference by default.
    public var form = Form.reference
    /// The method by which the wallet fetches a request by reference: POST by default, with its nonce and metadata.
    ///
    /// Both methods are answered whichever is named, and the request is signed anew each time.
    public var requestMethod = RequestReference.Method.post
    /// Indicates that the response is to be encrypted; `true` by default.
    public var isEncrypted = true
    /// The transactions that the holder authorizes with the response: objects with `type` and `credential_ids`.
    public var transactionData: [JSONObject] = []
    /// The name of the relying party's intended use, whose registration certificates are sent along; nil for none.
    public var intendedUse: String?
    /// The version of OpenID4VP; 1.0 by default, and draft 23 for a presentation definition.
    public var version: OpenID4VPVersion
    /// The address for the user's browser after the response; nil to leave it where it is.
    public var redirect: RedirectTemplate?
    /// Indicates that the result is given without a response code though there is an address for the browser.
    ///
    /// The requestor then has to know by other means that the person who answered is the one at its page.
    public var allowsPolling = false
    /// The URL to which the signed result is sent when the transaction ends; nil for none.
    public var callback: String?
    /// The time in seconds that the wallet has; nil for the server's.
    public var lifetime: Int64?
    /// The beginning of the link for this device, such as `haip-vp://`; nil for the server's.
    public var walletLink: String?

    /// A request for a response to a DCQL query.
    public init(of relyingParty: String, for query: DCQLQuery) {
        self.relyingParty = relyingParty
        self.query = .dcql(query.json)
        version = .v1
    }

    /// A request for a response to a presentation definition.
    public init(of relyingParty: String, for definition: PresentationDefinition) {
        self.relyingParty = relyingParty
        query = .definition(definition.json)
        version = .draft23
    }

    /// Indicates that the result requires the response code.
    var requiresResponseCode: Bool { redirect != nil && !allowsPolling }
}

extension TransactionRequest {
    /// The names of versions in JSON.
    private enum Version: String, CaseIterable {
        case draft21
        case draft23
        case v1 = "1.0"

        init(_ version: OpenID4VPVersion) {
            switch version {
            case .draft21: self = .draft21
            case .draft23: self = .draft23
            case .v1: self = .v1
            }
        }

        var value: OpenID4VPVersion {
            switch self {
            case .draft21: .draft21
            case .draft23: .draft23
            case .v1: .v1
            }
        }
    }

    private static let names: Set<String> = [
        "relying_party", "dcql_query", "presentation_definition", "form", "request_uri_method", "encrypted",
        "transaction_data", "intended_use", "version", "redirect_uri", "polling", "callback_uri", "lifetime",
        "wallet_link",
    ]

    /// Reads a request as requestors send it in JSON.
    ///
    /// - Parameters:
    ///   - bytes: The JSON.
    ///   - relyingParty: The relying party of a request that names none; nil to demand one.
    /// - Throws: ``TransactionError/Code-swift.struct/invalidRequest``, also for an unknown member.
    init(decoding bytes: [UInt8], defaultRelyingParty relyingParty: String?) throws(TransactionError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes, limits: JSONLimits(size: max(bytes.count, 1), depth: 64))
        } catch {
            throw TransactionError(.invalidRequest, "the body is no JSON", cause: error)
        }
        try self.init(json: json, defaultRelyingParty: relyingParty)
    }

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - relyingParty: The relying party of a request that names none; nil to demand one.
    ///   - isStored: Indicates a request that ``json`` wrote. A query may have members of extensions (section 6), so what is unknown
    ///     is ignored.
    init(
        json: JSONValue,
        defaultRelyingParty: String? = nil,
        isStored: Bool = false
    ) throws(TransactionError) {
        let reader = try WishReader(json, knowing: Self.names, isStored: isStored)
        guard let relyingParty = try reader.text("relying_party") ?? defaultRelyingParty else {
            throw WishReader.refusal("relying_party", "it is missing")
        }
        self.relyingParty = relyingParty
        switch (json["dcql_query"], json["presentation_definition"]) {
        case (let query?, nil): self.query = .dcql(try reader.checked(dcql: query))
        case (nil, let definition?): self.query = .definition(try reader.checked(definition: definition))
        default: throw WishReader.refusal("dcql_query", "there must be one query")
        }
        let version = try reader.choice("version", of: Version.allCases)
        self.version = version?.value ?? (json["dcql_query"] == nil ? .draft23 : .v1)
        form = try reader.choice("form", of: Form.allCases) ?? .reference
        requestMethod = try reader.choice("request_uri_method", of: [.get, .post]) ?? .post
        isEncrypted = try reader.flag("encrypted") ?? true
        transactionData = try reader.objects("transaction_data")
        intendedUse = try reader.text("intended_use")
        redirect = try reader.text("redirect_uri").map { text throws(TransactionError) in try RedirectTemplate(text) }
        allowsPolling = try reader.flag("polling") ?? false
        callback = try reader.text("callback_uri")
        lifetime = try reader.seconds("lifetime")
        walletLink = try reader.text("wallet_link")
    }

    /// The request in JSON.
    var json: JSONValue {
        var object: JSONObject = ["relying_party": .string(relyingParty)]
        switch query {
        case .dcql(let query): object["dcql_query"] = query
        case .definition(let definition): object["presentation_definition"] = definition
        }
        object["form"] = .string(form.rawValue)
        object["request_uri_method"] = .string(requestMethod.rawValue)
        object["encrypted"] = .bool(isEncrypted)
        if !transactionData.isEmpty { object["transaction_data"] = .array(transactionData.map { .object($0) }) }
        object["intended_use"] = intendedUse.map { .string($0) }
        object["version"] = .string(Version(version).rawValue)
        object["redirect_uri"] = redirect.map { .string($0.text) }
        object["polling"] = .bool(allowsPolling)
        object["callback_uri"] = callback.map { .string($0) }
        object["lifetime"] = lifetime.map { .integer($0) }
        object["wallet_link"] = walletLink.map { .string($0) }
        return .object(object)
    }
}

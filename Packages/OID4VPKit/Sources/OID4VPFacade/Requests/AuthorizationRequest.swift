public import JSONKit
public import OID4VPMessages

/// An authenticated request, as an app shows and answers it.
public struct AuthorizationRequest: Sendable {
    /// The client identifier.
    public let clientId: String
    /// The client identifier scheme of draft 21; nil for other versions.
    public let clientIdScheme: String?
    /// The presentation definition; nil for a DCQL query.
    public let presentationDefinition: PresentationDefinition?
    /// The response type.
    public let responseType: String
    /// The response mode.
    public let responseMode: String?
    /// The verifier's value for presentations.
    public let nonce: String
    /// The verifier's value for the response; nil for none.
    public let state: String?
    /// The address for redirects; nil for none.
    public let redirectUri: String?
    /// The address for the response; nil for none.
    public let responseUri: String?
    /// The wallet's value that the request repeats; nil if none was sent.
    public let walletNonce: String?
    /// The metadata of the verifier; nil for none.
    public let clientMetadata: ClientMetadata?
    /// The DCQL query; nil for a presentation definition.
    public let dcqlQuery: DCQLQuery?
    /// The transactions to authorize.
    public let transactionData: [TransactionDataEntry]?
    /// The attestations about the verifier.
    public let verifierInfo: [VerifierInfo]?
    /// The version of OpenID4VP.
    public let specVersion: OpenID4VPVersion

    init(_ content: PresentationRequest, _ parameters: AuthorizationParameters, clientId: String, walletNonce: String?)
    {
        func text(_ name: String) -> String? { parameters.members[name]?.stringValue }
        self.clientId = clientId
        clientIdScheme = text("client_id_scheme")
        presentationDefinition = content.query.definition
        responseType = text("response_type") ?? "vp_token"
        responseMode = content.target.mode.text
        nonce = content.nonce
        state = content.state
        redirectUri = text("redirect_uri")
        responseUri = content.target.address ?? text("response_uri")
        self.walletNonce = walletNonce
        clientMetadata = content.metadata
        dcqlQuery = content.query.dcql
        transactionData = content.transactionData.isEmpty ? nil : content.transactionData
        verifierInfo = content.verifierInfo.isEmpty ? nil : content.verifierInfo
        specVersion = content.version
    }

    /// The request with the names of its parameters; some of those that are missing are null.
    public var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        var members: JSONObject = ["client_id": .string(clientId)]
        if let clientIdScheme { members["client_id_scheme"] = .string(clientIdScheme) }
        if let presentationDefinition { members["presentation_definition"] = presentationDefinition.json }
        if let dcqlQuery { members["dcql_query"] = dcqlQuery.json }
        members["response_type"] = .string(responseType)
        if let responseMode { members["response_mode"] = .string(responseMode) }
        members["nonce"] = .string(nonce)
        members["state"] = text(state)
        members["redirect_uri"] = text(redirectUri)
        members["response_uri"] = text(responseUri)
        if let walletNonce { members["wallet_nonce"] = .string(walletNonce) }
        members["client_metadata"] = clientMetadata.map { .object($0.members) } ?? .null
        if let transactionData { members["transaction_data"] = .array(transactionData.map { .string($0.text) }) }
        return .object(members)
    }
}

extension AuthorizationRequest: Encodable {
    /// Writes the request with the names of its parameters.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}

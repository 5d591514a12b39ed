/// A verifier that the wallet trusts.
public struct Verifier: Hashable, Sendable, Codable {
    /// The client identifier.
    public let clientId: String
    /// The addresses for responses.
    public let responseUris: [String]
    /// The address of the keys that the verifier signs requests with; nil for none.
    public let jwksUri: String?
    /// Indicates that a request without a signature is accepted.
    public let allowUnsignedRequest: Bool

    /// Describes a verifier.
    public init(
        clientId: String,
        responseUris: [String],
        jwksUri: String? = nil,
        allowUnsignedRequest: Bool = false
    ) {
        self.clientId = clientId
        self.responseUris = responseUris
        self.jwksUri = jwksUri
        self.allowUnsignedRequest = allowUnsignedRequest
    }

    private enum CodingKeys: String, CodingKey {
        case clientId = "client_id"
        case responseUris = "response_uris"
        case jwksUri = "jwks_uri"
        case allowUnsignedRequest = "allow_unsigned_request"
    }

    /// Reads an entry of the wallet's list of verifiers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            clientId: try container.decode(String.self, forKey: .clientId),
            responseUris: try container.decode([String].self, forKey: .responseUris),
            jwksUri: try container.decodeIfPresent(String.self, forKey: .jwksUri),
            allowUnsignedRequest: try container.decodeIfPresent(Bool.self, forKey: .allowUnsignedRequest) ?? false
        )
    }
}

/// The presented credentials with their outcomes, and the requested ones that are missing.
///
/// Encoders and decoders of `Codable` write and read it in JSON; use `StrictJSONDecoder` for received JSON.
public struct MobileCredentialResponse: Hashable, Sendable {
    /// The credentials, in the order of the wallet's response.
    public let credentials: [MobileCredentialPresentation]
    /// The types of which no credential came.
    public let credentialErrors: [CredentialError]

    init(credentials: [MobileCredentialPresentation], credentialErrors: [CredentialError]) {
        self.credentials = credentials
        self.credentialErrors = credentialErrors
    }

    /// The credentials that are verified.
    public var verifiedCredentials: [MobileCredentialPresentation.VerifiedCredential] {
        credentials.compactMap(\.verifiedCredential)
    }
}

extension MobileCredentialResponse: Codable {
    private enum CodingKeys: String, CodingKey {
        case credentials, credentialErrors
    }

    /// Reads a response; both members may be absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            credentials: try container.decodeIfPresent([MobileCredentialPresentation].self, forKey: .credentials) ?? [],
            credentialErrors: try container.decodeIfPresent([CredentialError].self, forKey: .credentialErrors) ?? []
        )
    }

    /// Writes the members that are not empty.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !credentials.isEmpty { try container.encode(credentials, forKey: .credentials) }
        if !credentialErrors.isEmpty { try container.encode(credentialErrors, forKey: .credentialErrors) }
    }
}

import MdocKit
public import VerificationCore

/// The presented credentials with their outcomes, and the requested ones that are missing.
///
/// Encoders and decoders of `Codable` write and read it in JSON; use `StrictJSONDecoder` for received JSON.
public struct MobileCredentialResponse: Hashable, Sendable {
    /// The credentials, in the order of the wallet's response.
    public let credentials: [MobileCredentialPresentation]
    /// The types of which no credential came.
    public let credentialErrors: [CredentialError]
    /// The deviations that tolerances let pass in the session, the response and its credentials; refused ones too.
    ///
    /// JSON has a member `deviations` only where there are any.
    public let deviations: [Deviation]

    init(
        credentials: [MobileCredentialPresentation],
        credentialErrors: [CredentialError],
        deviations: [Deviation] = []
    ) {
        self.credentials = credentials
        self.credentialErrors = credentialErrors
        self.deviations = deviations
    }

    /// The credentials that are verified.
    public var verifiedCredentials: [MobileCredentialPresentation.VerifiedCredential] {
        credentials.compactMap(\.verifiedCredential)
    }
}

extension MobileCredentialResponse: Codable {
    private enum CodingKeys: String, CodingKey {
        case credentials, credentialErrors, deviations
    }

    /// Reads a response; every member may be absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            credentials: try container.decodeIfPresent([MobileCredentialPresentation].self, forKey: .credentials) ?? [],
            credentialErrors: try container.decodeIfPresent([CredentialError].self, forKey: .credentialErrors) ?? [],
            deviations: try container.decodeIfPresent([DeviationEntry].self, forKey: .deviations)?
                .map(\.deviation) ?? []
        )
    }

    /// Writes the members that are not empty.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !credentials.isEmpty { try container.encode(credentials, forKey: .credentials) }
        if !credentialErrors.isEmpty { try container.encode(credentialErrors, forKey: .credentialErrors) }
        if !deviations.isEmpty { try container.encode(deviations.map(DeviationEntry.init), forKey: .deviations) }
    }

    /// A deviation in JSON, as in a `VerificationReport`.
    private struct DeviationEntry: Codable {
        let tolerance: String
        let path: [String]?
        let message: String?

        init(_ deviation: Deviation) {
            tolerance = deviation.tolerance
            path = deviation.path.isEmpty ? nil : deviation.path
            message = deviation.message.isEmpty ? nil : deviation.message
        }

        var deviation: Deviation { Deviation(tolerance, at: path ?? [], message ?? "") }
    }
}

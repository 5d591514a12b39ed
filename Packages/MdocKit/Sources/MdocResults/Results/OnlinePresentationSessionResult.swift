import MdocKit

/// The end of an online presentation session, as a relying party gets it: the credentials or an error, and the
/// challenge with which it started the session.
///
/// ```swift
/// let result = try StrictJSONDecoder().decode(OnlinePresentationSessionResult.self, from: body)
/// let response = try result.response(toChallenge: challenge)
/// ```
public struct OnlinePresentationSessionResult: Sendable {
    /// The challenge of the session; nil if it was started without one.
    public let challenge: String?
    /// The credentials, or the reason for their absence.
    public let outcome: Result<MobileCredentialResponse, PresentationSessionError>

    /// Puts a result together.
    public init(challenge: String?, outcome: Result<MobileCredentialResponse, PresentationSessionError>) {
        self.challenge = challenge
        self.outcome = outcome
    }

    /// A session that came to a response.
    public init(challenge: String?, mobileCredentialResponse: MobileCredentialResponse) {
        self.init(challenge: challenge, outcome: .success(mobileCredentialResponse))
    }

    /// A session that failed.
    public init(challenge: String?, error: PresentationSessionError) {
        self.init(challenge: challenge, outcome: .failure(error))
    }

    /// The credentials, if there are any results for them.
    public var mobileCredentialResponse: MobileCredentialResponse? {
        guard case .success(let response) = outcome else { return nil }
        return response
    }

    /// The reason that the session failed, or nil.
    public var error: PresentationSessionError? {
        guard case .failure(let error) = outcome else { return nil }
        return error
    }

    /// The credentials, if the result belongs to the session of a challenge.
    ///
    /// - Throws: The error of the session, or `VerificationError` for the result of another session or of none.
    public func response(toChallenge expected: String) throws(PresentationSessionError) -> MobileCredentialResponse {
        guard answers(challenge: expected) else {
            throw PresentationSessionError(.verificationError, detail: "the result belongs to another session")
        }
        return try outcome.get()
    }

    /// Returns `true` if the result belongs to the session of a challenge, compared byte for byte.
    public func answers(challenge expected: String) -> Bool {
        challenge.map { $0.hasSameBytes(as: expected) } ?? false
    }
}

extension OnlinePresentationSessionResult: Hashable {}

extension OnlinePresentationSessionResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case challenge, mobileCredentialResponse, error
    }

    /// Reads a result.
    ///
    /// - Throws: `DecodingError`, also if there are both a response and an error, or neither.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let response = try container.decodeIfPresent(
            MobileCredentialResponse.self,
            forKey: .mobileCredentialResponse
        )
        let error = try container.decodeIfPresent(PresentationSessionError.self, forKey: .error)
        let challenge = try container.decodeIfPresent(String.self, forKey: .challenge)
        switch (response, error) {
        case (let response?, nil): self.init(challenge: challenge, mobileCredentialResponse: response)
        case (nil, let error?): self.init(challenge: challenge, error: error)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .error,
                in: container,
                debugDescription: "a result holds either a response or an error"
            )
        }
    }

    /// Writes the result.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(challenge, forKey: .challenge)
        try container.encodeIfPresent(mobileCredentialResponse, forKey: .mobileCredentialResponse)
        try container.encodeIfPresent(error, forKey: .error)
    }
}

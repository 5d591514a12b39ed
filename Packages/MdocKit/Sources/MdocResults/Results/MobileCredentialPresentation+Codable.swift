import MdocKit

extension MobileCredentialPresentation: Codable {
    private enum CodingKeys: String, CodingKey {
        case docType, claims, claimErrors, validityInfo, verificationResult, issuerInfo, branding
    }

    /// Reads a credential.
    ///
    /// - Throws: `DecodingError`, also if a credential that is not verified carries claims.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let docType = try container.decode(DocType.self, forKey: .docType)
        let validityInfo = try container.decodeIfPresent(ValidityInfo.self, forKey: .validityInfo)
        switch try container.decode(VerificationResult.self, forKey: .verificationResult) {
        case .verified:
            let credential = VerifiedCredential(
                docType: docType,
                claims: try container.decodeElements(of: MobileCredentialClaim.self, forKey: .claims),
                claimErrors: try container.decodeElements(of: ClaimError.self, forKey: .claimErrors),
                validityInfo: validityInfo,
                issuerInfo: try container.decodeIfPresent(IssuerInfo.self, forKey: .issuerInfo),
                branding: try container.decodeIfPresent(Branding.self, forKey: .branding)
            )
            self = .verified(credential)
        case .failed(let reason):
            guard !container.contains(.claims) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .claims,
                    in: container,
                    debugDescription: "a credential that is not verified must not carry claims"
                )
            }
            self = .refused(RefusedCredential(docType: docType, reason: reason, validityInfo: validityInfo))
        }
    }

    /// Writes the credential.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(docType, forKey: .docType)
        if case .verified(let credential) = self {
            try container.encodeUnlessEmpty(credential.claims, forKey: .claims)
            try container.encodeUnlessEmpty(credential.claimErrors, forKey: .claimErrors)
        }
        try container.encodeIfPresent(validityInfo, forKey: .validityInfo)
        try container.encode(verificationResult, forKey: .verificationResult)
        if case .verified(let credential) = self {
            try container.encodeIfPresent(credential.issuerInfo, forKey: .issuerInfo)
            try container.encodeIfPresent(credential.branding, forKey: .branding)
        }
    }
}

extension MobileCredentialPresentation.VerificationResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case verified, reason
    }

    /// Reads `{"verified": true}`, or `{"verified": false, "reason": …}`.
    ///
    /// - Throws: `DecodingError`, also if a verified credential has a reason, or one that is not has none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Bool.self, forKey: .verified) else {
            self = .failed(try container.decode(Reason.self, forKey: .reason))
            return
        }
        guard try container.decodeIfPresent(Reason.self, forKey: .reason) == nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .reason,
                in: container,
                debugDescription: "a verified credential has no reason for its failure"
            )
        }
        self = .verified
    }

    /// Writes `verified`, and the reason if there is one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .verified:
            try container.encode(true, forKey: .verified)
        case .failed(let reason):
            try container.encode(false, forKey: .verified)
            try container.encode(reason, forKey: .reason)
        }
    }
}

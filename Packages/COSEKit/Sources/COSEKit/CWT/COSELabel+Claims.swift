/// The labels of the registry "CBOR Web Token (CWT) Claims" that this library reads or writes.
///
/// They are members of ``COSELabel`` with the prefix `claim`, since header parameters use the same numbers.
extension COSELabel {
    /// The issuer of the token (`iss`, RFC 8392 section 3.1.1).
    public static let claimIssuer: COSELabel = 1
    /// The subject of the token (`sub`, RFC 8392 section 3.1.2).
    public static let claimSubject: COSELabel = 2
    /// The audience of the token (`aud`, RFC 8392 section 3.1.3).
    public static let claimAudience: COSELabel = 3
    /// When the token expires (`exp`, RFC 8392 section 3.1.4).
    public static let claimExpirationTime: COSELabel = 4
    /// When the token starts to be valid (`nbf`, RFC 8392 section 3.1.5).
    public static let claimNotBefore: COSELabel = 5
    /// When the token was issued (`iat`, RFC 8392 section 3.1.6).
    public static let claimIssuedAt: COSELabel = 6
    /// The identifier of the token (`cti`, RFC 8392 section 3.1.7).
    public static let claimID: COSELabel = 7
    /// The key whose possession the presenter proves (`cnf`, RFC 8747 section 3.1).
    public static let claimConfirmation: COSELabel = 8
}

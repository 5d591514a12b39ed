/// A check of an SD-JWT, by name; an open set.
///
/// The checks are made in the order of ``all``; the first that fails is the reason of a refusal.
public struct SDJWTCheck: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public var description: String { "\(name)" }

    /// A name that is part of the program, so that a list of outcomes costs nothing to keep.
    private let name: StaticString

    private init(_ name: StaticString) {
        self.name = name
    }

    /// Whether both are the same check.
    public static func == (left: SDJWTCheck, right: SDJWTCheck) -> Bool {
        left.description == right.description
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }

    /// The issuer signed with an algorithm that is accepted; `none` and MACs never are.
    public static let issuerAlgorithm = SDJWTCheck("issuerAlgorithm")
    /// `typ` of the issuer-signed JWT is an expected one.
    public static let type = SDJWTCheck("type")
    /// The issuer's key was found in a permitted way, and belongs to the issuer.
    public static let issuerKey = SDJWTCheck("issuerKey")
    /// The issuer's signature.
    public static let issuerSignature = SDJWTCheck("issuerSignature")
    /// Disclosures and digests follow the rules (RFC 9901, section 7.1, steps 3 to 5).
    public static let disclosures = SDJWTCheck("disclosures")
    /// Claims that must be open are not selectively disclosable.
    public static let openClaims = SDJWTCheck("openClaims")
    /// The claims that are required are there.
    public static let requiredClaims = SDJWTCheck("requiredClaims")
    /// `iss` is one of those that are accepted.
    public static let issuer = SDJWTCheck("issuer")
    /// `aud` of the issuer-signed JWT names the verifier, where it is there.
    public static let audience = SDJWTCheck("audience")
    /// `vct` is well-formed, and it or one of `aka_vcts` is an accepted type.
    public static let credentialType = SDJWTCheck("credentialType")
    /// `nbf` has come, `exp` has not passed, `iat` is not in the future.
    public static let validityPeriod = SDJWTCheck("validityPeriod")
    /// There is a Key Binding JWT where one is required, and none where none may be.
    public static let keyBinding = SDJWTCheck("keyBinding")
    /// The credential names the holder's key in a way that can be used.
    public static let holderKey = SDJWTCheck("holderKey")
    /// The holder signed with an algorithm that is accepted.
    public static let keyBindingAlgorithm = SDJWTCheck("keyBindingAlgorithm")
    /// `typ` of the Key Binding JWT is `kb+jwt`.
    public static let keyBindingType = SDJWTCheck("keyBindingType")
    /// The holder's signature.
    public static let keyBindingSignature = SDJWTCheck("keyBindingSignature")
    /// `iat` of the Key Binding JWT lies within the accepted window, and `exp` and `nbf`, where they are there, allow now.
    public static let keyBindingTime = SDJWTCheck("keyBindingTime")
    /// `aud` of the Key Binding JWT is the verifier alone.
    public static let keyBindingAudience = SDJWTCheck("keyBindingAudience")
    /// `nonce` is the verifier's.
    public static let nonce = SDJWTCheck("nonce")
    /// `sd_hash` covers exactly what was presented.
    public static let presentationHash = SDJWTCheck("presentationHash")
    /// The holder authorized the requested transactions, and no others.
    public static let transactionData = SDJWTCheck("transactionData")
    /// The claims are as the metadata of the credential's type demand.
    public static let typeMetadata = SDJWTCheck("typeMetadata")
    /// The credential has not been revoked or suspended.
    public static let status = SDJWTCheck("status")

    /// All checks, in their order.
    public static let all: [SDJWTCheck] = [
        .issuerAlgorithm, .type, .issuerKey, .issuerSignature, .disclosures, .openClaims, .requiredClaims, .issuer,
        .audience, .credentialType, .validityPeriod, .keyBinding, .holderKey, .keyBindingAlgorithm, .keyBindingType,
        .keyBindingSignature, .keyBindingTime, .keyBindingAudience, .nonce, .presentationHash, .transactionData,
        .typeMetadata, .status,
    ]
}

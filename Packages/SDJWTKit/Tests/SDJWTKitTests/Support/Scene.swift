import CredentialTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport

/// An issuer, a holder and a verifier, with keys that are the same in every run.
struct Scene {
    static let audience = "x509_san_dns:verifier.example"
    static let nonce = "n-0S6_WzA2Mj"
    static let credentialType = "https://credentials.example/id"

    let issuer: SoftwareSigner
    let holder: SoftwareSigner
    let stranger: SoftwareSigner
    let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        issuer = try Self.signer(1)
        holder = try Self.signer(2)
        stranger = try Self.signer(3)
    }

    static func signer(_ seed: UInt64, _ curve: EllipticCurve = .p256) throws -> SoftwareSigner {
        try SoftwareSigner(.generate(curve, using: random(seed)))
    }

    static func random(_ seed: UInt64) -> some RandomSource {
        GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
    }

    /// Claims of many shapes.
    static let claims: JSONObject = [
        "iss": "https://issuer.example",
        "iat": 1_799_990_000,
        "exp": 1_900_000_000,
        "given_name": "Erika",
        "family_name": "Mustermann",
        "age_over_18": true,
        "nationalities": ["DE", "NL"],
        "address": ["street_address": "Heidestraße 17", "locality": "Köln", "country": "DE"],
        "degrees": [
            ["type": "Bachelor", "university": "Köln"],
            ["type": "Master", "university": "Bonn"],
        ],
    ]

    /// A credential in the making: hidden members, elements, and members inside a hidden one.
    func builder(claims: JSONObject = Self.claims) throws -> SDJWTBuilder {
        var builder = SDJWTBuilder(credentialType: Self.credentialType, claims: claims)
        for path: ClaimPath in [
            ["given_name"], ["family_name"], ["age_over_18"], ["nationalities", nil],
            ["address"], ["address", "street_address"], ["address", "locality"], ["degrees", nil, "university"],
        ] {
            try builder.conceal(path)
        }
        builder.holderKey = try JWK(holder.publicKey)
        return builder
    }

    /// A credential as issued.
    func credential() async throws -> SDJWT {
        try await builder().sign(with: issuer, using: Self.random(4))
    }

    /// A presentation of some claims, with key binding.
    func presentation(
        of paths: [ClaimPath] = [["given_name"], ["nationalities", 1]],
        keyBinding: KeyBinding? = nil
    ) async throws -> SDJWT {
        try await credential().presentation(disclosing: paths).bound(by: holder, keyBinding ?? self.keyBinding)
    }

    var keyBinding: KeyBinding {
        KeyBinding(audience: Self.audience, nonce: Self.nonce, issuedAt: now)
    }

    var expectation: KeyBindingExpectation {
        KeyBindingExpectation(audience: Self.audience, nonce: Self.nonce)
    }

    /// Verifies with the issuer's key.
    func verify(
        _ sdJWT: SDJWT,
        _ expected: SDJWTExpectation? = nil,
        policy: SDJWTVerificationPolicy = .credential(algorithms: [.es256]),
        at time: Date? = nil
    ) -> Verification<VerifiedSDJWT> {
        SDJWTVerifier.verify(
            sdJWT,
            issuerKey: IssuerKey(issuer.publicKey),
            policy: policy,
            expecting: expected ?? .keyBinding(expectation),
            at: time ?? now
        )
    }
}

/// Puts an SD-JWT together by hand: whatever payload and Disclosures, signed by the issuer.
func assemble(
    _ payload: JSONValue,
    _ disclosures: [JSONValue] = [],
    header: JOSEHeader = ["typ": "dc+sd-jwt"],
    signer: any Signer
) async throws -> String {
    let jwt = try await JWS.sign(payload.encoded(), header: header, with: signer).compactSerialization()
    return ([jwt] + disclosures.map { Base64URL.encode($0.encoded()) } + [""]).joined(separator: "~")
}

/// The digest of a Disclosure put together by hand.
func digest(_ disclosure: JSONValue, _ hash: HashAlgorithm = .sha256) -> JSONValue {
    .string(Base64URL.encode(hash.digest(of: Base64URL.encodedBytes(disclosure.encoded()))))
}

/// A salt that is long enough.
let salt: JSONValue = "AAAAAAAAAAAAAAAAAAAAAA"

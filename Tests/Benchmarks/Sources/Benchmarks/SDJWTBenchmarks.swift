import CryptoCore
import Foundation
import Harness
import JOSEKit
import JSONKit
import SDJWTKit

/// Verification of a presentation beside the signatures that no verification can do without.
enum SDJWTBenchmarks: LayerBenchmarks {
    static let layer = "SDJWTKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let scene = try await Scene()
        let comparison = try stopwatch.compare {
            try scene.verify(try SDJWT(compact: scene.text))
        } with: {
            scene.verifyBareSignatures()
        }
        report(
            Figure(
                layer: layer,
                name: "read and verify 28 disclosures with key binding / its two bare P-256 verifications",
                value: comparison.ratio,
                bar: .atMost(1.3)
            )
        )
        let reading = try stopwatch.nanoseconds { blackHole(try SDJWT(compact: scene.text)) }
        report(Figure(layer: layer, name: "read 28 disclosures with key binding", value: reading / 1000, unit: "µs"))
        let allocations = await Allocations { scene.readAndVerify() }
        let operation = "read and verify 28 disclosures with key binding"
        allocations?.figures(layer: layer, of: operation, input: scene.text.count, bars: (134, 5.24, 4.2)).forEach(
            report
        )
        let sdJWT = try SDJWT(compact: scene.text)
        let checking = try stopwatch.nanoseconds { try scene.verify(sdJWT) }
        report(Figure(layer: layer, name: "verify what has been read", value: checking / 1000, unit: "µs"))
        let bare = stopwatch.nanoseconds { scene.verifyBareSignatures() }
        report(Figure(layer: layer, name: "its two bare P-256 verifications", value: bare / 1000, unit: "µs"))
        let contention = Contention(
            rounds: 400,
            (0..<2).map { _ in { scene.readAndVerify() } },
            bareRounds: 400,
            bare: (0..<2).map { _ in { scene.verifyBareSignatures() } }
        )
        contention.figures(layer: layer, of: "read and verify", beside: "its two bare P-256 verifications")
            .forEach(report)
        let issuing = try stopwatch.nanoseconds { blackHole(try scene.prepare()) }
        report(Figure(layer: layer, name: "prepare a credential of 28 claims", value: issuing / 1000, unit: "µs"))
    }

    /// A credential with 28 claims that are all disclosed, with key binding.
    private struct Scene: Sendable {
        private typealias BareSignature = (signature: [UInt8], input: [UInt8], key: PublicKey)

        let text: [UInt8]
        private let expectation = KeyBindingExpectation(audience: "https://verifier.example", nonce: "n-0S6_WzA2Mj")
        private let builder: SDJWTBuilder
        private let issuerKey: PublicKey
        private let signatures: [BareSignature]
        private let policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        private let now = Date()

        /// Names of usual length: the claims of a European personal identification.
        private static let names = [
            "family_name", "given_name", "birthdate", "place_of_birth", "nationalities", "street_address", "locality",
            "region", "postal_code", "country", "house_number", "email", "phone_number", "picture", "sex",
            "birth_family_name", "birth_given_name", "personal_administrative_number", "date_of_expiry",
            "date_of_issuance", "issuing_authority", "issuing_country", "issuing_jurisdiction", "document_number",
            "age_over_18", "age_in_years", "age_birth_year", "trust_anchor",
        ]

        init() async throws {
            let issuer = try SoftwareSigner(PrivateKey.generate(.p256))
            let holder = try SoftwareSigner(PrivateKey.generate(.p256))
            issuerKey = issuer.publicKey
            builder = try Self.builder(holder.publicKey)
            let binding = KeyBinding(audience: expectation.audience, nonce: expectation.nonce, issuedAt: now)
            let presentation = try await builder.sign(with: issuer).bound(by: holder, binding)
            text = Array(try presentation.compactSerialization().utf8)
            signatures = [
                try Self.bareSignature(presentation.issuerSignedJWT, issuer.publicKey),
                try presentation.keyBindingJWT.map { try Self.bareSignature($0, holder.publicKey) },
            ].compactMap(\.self)
        }

        private static func bareSignature(_ jwt: JWS, _ key: PublicKey) throws -> BareSignature {
            (jwt.signatures.first?.signature ?? [], try jwt.signingInput(), key)
        }

        private static func builder(_ holderKey: PublicKey) throws -> SDJWTBuilder {
            var claims: JSONObject = ["iss": "https://issuer.example", "exp": 4_000_000_000]
            for name in names { claims[name] = "a value of usual length" }
            var builder = SDJWTBuilder(credentialType: "https://credentials.example/id", claims: claims)
            for name in names { try builder.conceal([.name(name)]) }
            builder.holderKey = try JWK(holderKey)
            return builder
        }

        func verify(_ sdJWT: SDJWT) throws {
            let verification = SDJWTVerifier.verify(
                sdJWT,
                issuerKey: IssuerKey(issuerKey),
                policy: policy,
                expecting: .keyBinding(expectation),
                at: now
            )
            precondition(verification.verified?.claims.count == 32, "the presentation verifies")
            blackHole(verification)
        }

        func readAndVerify() {
            do { try verify(SDJWT(compact: text)) } catch { preconditionFailure("\(error)") }
        }

        func verifyBareSignatures() {
            for (signature, input, key) in signatures {
                blackHole(key.isValidSignature(signature, for: input, algorithm: .ecdsaSHA256))
            }
        }

        func prepare() throws -> UnsignedSDJWT {
            try builder.prepare(header: ["alg": "ES256"])
        }
    }
}

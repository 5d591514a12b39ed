import Credentials
import Foundation

/// An identity as an SD-JWT VC, of which the wallet shows one claim to a shop.
enum SDJWTPresentation {
    static func run() async throws {
        Stage.chapter("4. An SD-JWT VC: one claim of an identity")
        let issuer = try SoftwareSigner(.generate(.p256))
        let holderKey = try PrivateKey.generate(.p256)
        var builder = SDJWTBuilder(
            credentialType: "https://utopia.example/identity",
            claims: ["given_name": "Åsa", "family_name": "Bergström", "birthdate": "1990-02-28", "over_18": true]
        )
        builder.holderKey = try JWK(holderKey.publicKey)
        for name in ["given_name", "family_name", "birthdate", "over_18"] { try builder.conceal([.name(name)]) }
        let credential = try await builder.sign(with: issuer)
        Stage.step("issuer", "issues an identity with \(credential.disclosures.count) claims that can be kept back")

        let now = Date()
        let binding = KeyBinding(audience: "https://shop.example", nonce: "n-0S6_WzA2Mj", issuedAt: now)
        let presentation = try await credential.presentation(disclosing: [["over_18"]])
            .bound(by: SoftwareSigner(holderKey), binding)
        Stage.step(
            "wallet",
            "shows \(presentation.disclosures.count) of them to \(binding.audience), signed for its nonce"
        )

        let verification = SDJWTVerifier.verify(
            presentation,
            issuerKey: IssuerKey(issuer.publicKey),
            policy: .credential(algorithms: [.es256]),
            expecting: .keyBinding(KeyBindingExpectation(audience: binding.audience, nonce: binding.nonce)),
            at: now
        )
        switch verification.verdict {
        case .verified(let identity):
            Stage.step("verdict", "VERIFIED: over_18 \(Stage.readable(identity["over_18"] ?? .null))")
            Stage.step("", "the shop learns no name: \(identity["family_name"] == nil ? "right" : "wrong")")
        case .refused(let refusal):
            Stage.step("verdict", "REFUSED: \(refusal.reason), by \(refusal.check): \(refusal.message)")
        }
    }
}

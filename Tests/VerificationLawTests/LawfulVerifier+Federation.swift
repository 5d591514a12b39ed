import Credentials
import Foundation

extension LawfulVerifier {
    /// A trust chain of two statements.
    static func trustChains() async throws -> [LawfulVerifier] {
        let anchorKey = try PrivateKey.generate(.p256)
        let entityKey = try PrivateKey.generate(.p256)
        let anchor = try EntityIdentifier("https://anchor.example")
        let entity = try EntityIdentifier("https://rp.example")
        let keys = JWKSet([try JWK(entityKey.publicKey, keyID: "e")])
        let validity = time - 60...time + 60
        let own = EntityStatementBuilder(issuer: entity, keys: keys, validity: validity, authorityHints: [anchor])
        let about = EntityStatementBuilder(issuer: anchor, about: entity, keys: keys, validity: validity)
        let chain = try await TrustChain([
            own.sign(with: SoftwareSigner(entityKey), keyID: "e"),
            about.sign(with: SoftwareSigner(anchorKey), keyID: "a"),
        ])
        let policy = FederationPolicy(
            anchors: [FederationTrustAnchor(id: anchor, keys: JWKSet([try JWK(anchorKey.publicKey, keyID: "a")]))]
        )
        return [
            LawfulVerifier("trust chain", TrustChain.checks) { chain.verify(about: entity, policy: policy, at: time) }
        ]
    }
}

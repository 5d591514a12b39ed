import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

/// Senders and recipients of JOSE objects, with nothing between them but text.
@Suite struct JOSEPartyTests {
    private static let content = Array("content".utf8)

    /// A key as its owner publishes it, in a JWK Set.
    private func published(_ key: PrivateKey, keyID: String) throws -> [UInt8] {
        JWKSet([try JWK(key.publicKey, keyID: keyID)]).encoded()
    }

    @Test func signsToAReceiverThatKnowsAKeySet() async throws {
        let key = try PrivateKey.generate(.p256)
        let sent = try await JWT.sign(["iss": "a"], header: ["kid": "1"], with: SoftwareSigner(key))
            .compactSerialization()
        let keys = try JWKSet(decoding: published(key, keyID: "1"))
        let verified = try JWT(compact: sent)
            .verify(with: .jwkSet(keys), policy: [.es256], claims: JWTClaimsPolicy(issuers: ["a"]), at: Date())
            .get()
        #expect(try verified.claims.issuer() == "a")
        let other = try JWKSet(decoding: published(PrivateKey.generate(.p256), keyID: "1"))
        let forged = try JWT(compact: sent)
            .verify(with: .jwkSet(other), policy: [.es256], claims: JWTClaimsPolicy(), at: Date())
        #expect(forged.refusal?.check == .signature)
    }

    @Test func encryptsToOneRecipient() async throws {
        let key = try PrivateKey.generate(.p256)
        let received = try JWKSet(decoding: published(key, keyID: "1")).keys[0]
        let sent = try JWE.encrypt(
            Self.content,
            to: .jwk(received, .ecdhES, for: .a256GCM),
            with: .a256GCM
        ).compactSerialization()
        let policy = JWEDecryptionPolicy(algorithms: [.ecdhES], encryptions: [.a256GCM])
        let opened = try await JWE(compact: sent).decrypt(with: .privateKey(key), policy: policy)
        #expect(opened.plaintext == Self.content)
    }

    @Test func encryptsToSeveralRecipients() async throws {
        let keys = try (1...3).map { _ in try PrivateKey.generate(.p256) }
        let recipients = try keys.enumerated().map { index, key in
            let received = try JWKSet(decoding: published(key, keyID: "\(index)")).keys[0]
            return try JWEEncryptionKey.jwk(received, .ecdhES_A128KW, for: .a128GCM)
        }
        let sent = try JWE.encrypt(Self.content, toEach: recipients, with: .a128GCM).generalSerialization()
        let policy = JWEDecryptionPolicy(algorithms: [.ecdhES_A128KW], encryptions: [.a128GCM])
        for (index, key) in keys.enumerated() {
            let own = try JWKSet([JWK(key, keyID: "\(index)")])
            let opened = try await JWE(json: sent).decrypt(with: .jwkSet(own), policy: policy)
            #expect(opened.plaintext == Self.content)
        }
        await #expect(throws: JOSEError.self) {
            try await JWE(json: sent).decrypt(with: .privateKey(PrivateKey.generate(.p256)), policy: policy)
        }
    }
}

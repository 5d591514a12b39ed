import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// Issuer, server of issuer metadata, holder and verifier, with nothing between them but text.
@Suite struct SDJWTPartyTests {
    private static let issuerName = "https://issuer.example"
    private static let verifierName = "https://verifier.example"
    private let time = Date(timeIntervalSince1970: 1_800_000_000)
    private let issuerKey: PrivateKey
    private let holderKey: PrivateKey

    init() throws {
        issuerKey = try PrivateKey.generate(.p256)
        holderKey = try PrivateKey.generate(.p256)
    }

    /// The issuer's answer to a holder that sent its public key as a JWK.
    private func issue(to holderKey: [UInt8]) async throws -> String {
        var builder = SDJWTBuilder(
            credentialType: "https://issuer.example/person",
            claims: ["iss": .string(Self.issuerName), "given_name": "Erika", "age": 42]
        )
        builder.holderKey = try JWK(decoding: holderKey)
        try builder.conceal(["given_name"])
        try builder.conceal(["age"])
        let credential = try await builder.sign(with: SoftwareSigner(issuerKey), header: ["kid": "1"])
        return try credential.compactSerialization()
    }

    /// The document at `/.well-known/jwt-vc-issuer`.
    private func metadata() throws -> [UInt8] {
        let key = try JWK(issuerKey.publicKey, keyID: "1")
        let value: JSONValue = ["issuer": .string(Self.issuerName), "jwks": ["keys": [.object(key.members)]]]
        return value.encoded()
    }

    /// The holder's presentation of one claim.
    private func present(_ credential: String, nonce: String) async throws -> SDJWT {
        let binding = KeyBinding(audience: Self.verifierName, nonce: nonce, issuedAt: time)
        return try await SDJWT(compact: credential).presentation(disclosing: [["age"]])
            .bound(by: SoftwareSigner(holderKey), binding)
    }

    /// The verification by a verifier that fetches the issuer's key.
    private func verify(_ presentation: SDJWT, nonce: String) async throws -> Verification<VerifiedSDJWT> {
        let place = Self.issuerName + "/.well-known/jwt-vc-issuer"
        let transport = InMemoryHTTPTransport([place: .ok(try metadata(), type: .json)])
        let now = time
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: IssuerMetadataKeys(transport: transport, issuers: [ExactText(Self.issuerName)]),
            clock: { now }
        )
        let expectation = KeyBindingExpectation(audience: Self.verifierName, nonce: nonce)
        return await verifier.verify(presentation, expecting: .keyBinding(expectation))
    }

    @Test func issuesPresentsAndVerifies() async throws {
        let credential = try await issue(to: JWK(holderKey.publicKey).encoded())
        let sent = try await present(credential, nonce: "1").compactSerialization()
        let verified = try await verify(SDJWT(compact: sent), nonce: "1").get()
        #expect(verified["age"] == 42)
        #expect(verified["given_name"] == nil)
        #expect(try await verify(SDJWT(compact: sent), nonce: "2").verified == nil)
    }

    @Test func presentsInJSON() async throws {
        let credential = try await issue(to: JWK(holderKey.publicKey).encoded())
        let sent = try await present(credential, nonce: "1").flattenedSerialization()
        #expect(try await verify(SDJWT(json: sent), nonce: "1").get()["age"] == 42)
    }
}

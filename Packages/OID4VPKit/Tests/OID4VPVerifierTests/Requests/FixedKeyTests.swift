import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// One key for the responses to all requests, as wallets see it.
struct FixedKeyTests {
    private static let curveKey = Result { try PrivateKey.generate(.p256) }

    private static func key(_ members: JSONObject = [:]) throws -> JWK {
        var all = try JWK(curveKey.get()).membersWithSecrets()
        for (name, value) in members { all[name] = value }
        return try JWK(json: .object(all))
    }

    private func scene(_ key: JWK, _ client: ClientIdentity? = nil) async throws -> Scene {
        var scene = try await Scene()
        if let client { scene.party.client = client }
        scene.party.encryption.key = .fixed(key)
        return scene
    }

    /// Each JWK has an algorithm (section 8.3) and an identifier (section 5.1).
    @Test(arguments: [[:], ["kid": "e1"], ["kid": "e1", "alg": "ECDH-ES", "use": "enc"]] as [JSONObject])
    func requestsNameTheKeyInFull(_ members: JSONObject) async throws {
        var all = members
        all["ext"] = true
        let key = try Self.key(all)
        let scene = try await scene(key)
        let request = try scene.request(Scene.query([.sdJWT]))
        let sent = try #require(request.parameters["client_metadata"]?["jwks"]?["keys"]?[0])
        #expect(sent["alg"] == "ECDH-ES" && sent["use"] == "enc")
        #expect(sent["kid"] == members["kid"] ?? .string(Base64URL.encode(key.thumbprint())))
        #expect(sent["ext"] == true && sent["d"] == nil)
        // A wallet encrypts to it, and names it.
        let presented = try await scene.presented(.sdJWT, request)
        let verification = try await scene.verify(["pid": presented], request)
        #expect(verification.refusal == nil)
        let stored = try CreatedRequest(decoding: request.encodedBytes).expectation
        #expect(stored.decryption?.key.keyID == sent["kid"]?.stringValue)
        #expect(stored.decryption?.key.thumbprint() == key.thumbprint())
    }

    /// Wallets have the key of a registered client from elsewhere, with or without an identifier.
    @Test func registeredKeysKeepTheirName() async throws {
        let scene = try await scene(Self.key(), .preRegistered("me"))
        let key = try scene.request(Scene.query([.sdJWT])).expectation.decryption?.key
        #expect(key != nil && key?.keyID == nil)
    }

    @Test func theServerFindsTheTransactionOfAKeyWithoutName() async throws {
        let key = try Self.key()
        let scene = try await WalletScene { party, keys in
            let claims = JWTClaims([
                "iss": "https://attester.example", "sub": "verifier", "exp": 1_900_000_000,
                "cnf": ["jwk": .object(try JWK(keys.reader.publicKey).members)],
            ])
            let attestation = try await JWT.sign(claims, with: keys.stranger).compactSerialization()
            party.client = try .verifierAttestation(attestation, signer: keys.reader)
            party.encryption.key = .fixed(key)
        }
        let transactions = [try await scene.start(), try await scene.start()]
        for transaction in transactions.reversed() {
            let wallet = try await SceneWallet(scene, link: #require(transaction.link))
            #expect(wallet.parameters["response_uri"] == "https://verifier.example/oid4vp/response")
            #expect(try await wallet.send(wallet.presentation()).status == .ok)
            #expect(try await scene.server.status(of: transaction.id) == .verified)
        }
    }

    @Test func refusesKeysForOtherAlgorithms() async throws {
        let keys = [
            try Self.key(["alg": "ECDH-ES+A128KW"]), try Self.key(["alg": "ES256"]), try Self.key(["use": "sig"]),
            try Self.key(["key_ops": ["sign"]]), try JWK(PrivateKey.generate(.ed25519)),
            try JWK(PrivateKey.generateRSA(bits: 2048)),
            try JWK(symmetric: SecretBytes(Array(repeating: 7, count: 16))),
        ]
        for key in keys {
            for client in [nil, .preRegistered("me")] as [ClientIdentity?] {
                let scene = try await scene(key, client)
                await expectError(.invalidRelyingParty) { try scene.request(Scene.query([.sdJWT])) }
            }
            let scene = try await WalletScene { party, _ in party.encryption.key = .fixed(key) }
            // The requestor's call is not at fault.
            let error = await #expect(throws: TransactionError.self) { try await scene.start() }
            #expect(error?.code == .internalError)
        }
    }

    @Test func takesTheKeyOfAnotherAlgorithm() async throws {
        var scene = try await scene(JWK(PrivateKey.generateRSA(bits: 2048)))
        scene.party.encryption.algorithm = .rsaOAEP256
        let sent = try scene.request(Scene.query([.sdJWT])).parameters["client_metadata"]?["jwks"]?["keys"]?[0]
        #expect(sent?["alg"] == "RSA-OAEP-256")
    }
}

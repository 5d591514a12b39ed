import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Responses that are encrypted to a fixed key that the relying party has replaced.
struct ResponseKeyRotationTests {
    private let earlierKey: JWK
    private let newKey: JWK

    init() throws {
        earlierKey = try JWK(PrivateKey.generate(.p256), keyID: "earlier", use: .encryption, algorithm: "ECDH-ES")
        newKey = try JWK(PrivateKey.generate(.p256), keyID: "new", use: .encryption, algorithm: "ECDH-ES")
    }

    /// A server whose party gets all responses at one URL, with the key, and the party.
    private func scene(
        _ key: JWK,
        store: MemorySessionStore? = nil,
        _ client: (WalletScene.Keys) throws -> ClientIdentity = {
            .preRegistered("shop", signer: $0.reader, keyID: "reader")
        }
    ) async throws -> (WalletScene, RelyingParty) {
        var own: RelyingParty?
        let scene = try await WalletScene(store: store) { party, keys in
            party.client = try client(keys)
            party.encryption.key = .fixed(key)
            own = party
        }
        return (scene, try #require(own))
    }

    /// The wallet that has fetched a request of a new transaction, and has the key of the party from elsewhere.
    private func wallet(
        _ scene: WalletScene,
        of transaction: StartedTransaction,
        _ key: JWK
    ) async throws -> SceneWallet {
        var parameters = try await SceneWallet(scene, link: #require(transaction.link)).parameters
        #expect(parameters["response_uri"] == "https://verifier.example/oid4vp/response")
        #expect(parameters["client_metadata"] == nil)
        parameters["client_metadata"] = ["jwks": ["keys": [.object(try #require(key.publicJWK).members)]]]
        return SceneWallet(scene, parameters: parameters)
    }

    @Test(arguments: ["earlier", nil]) func aResponseToAnEarlierRequestIsOpened(_ keyID: String?) async throws {
        let key = try JWK(earlierKey.privateKey(), keyID: keyID, use: .encryption, algorithm: "ECDH-ES")
        var (scene, party) = try await scene(key)
        let transaction = try await scene.start()
        let wallet = try await wallet(scene, of: transaction, key)
        party.encryption.key = .fixed(newKey)
        try scene.server.setRelyingParty(ServedRelyingParty(party), named: "shop")
        try expectRefusal(.refusedResponse, try await wallet.send(wallet.presentation()))
        #expect(try await scene.server.status(of: transaction.id) == .requested)
        party.retiredResponseKeys = [key]
        try scene.server.setRelyingParty(ServedRelyingParty(party), named: "shop")
        let response = try await wallet.send(wallet.presentation())
        #expect(response.status == .ok, "\(response.text)")
        #expect(try await scene.server.status(of: transaction.id) == .verified)
        // The new key has the new transactions, and a party may go back to fresh keys.
        let next = try await scene.start()
        let later = try await self.wallet(scene, of: next, newKey)
        #expect(try await later.send(later.presentation()).status == .ok)
        #expect(try await scene.server.status(of: next.id) == .verified)
    }

    @Test func aRestartedServerOpensResponsesToTheEarlierKey() async throws {
        let store = MemorySessionStore(clock: EngineWorld.sessionClock(ManualClock()))
        let (earlier, party) = try await scene(earlierKey, store: store)
        let transaction = try await earlier.start()
        let fetched = try await wallet(earlier, of: transaction, earlierKey)
        let restarted = try await WalletScene(store: store) { other, _ in
            other = party
            other.encryption.key = .ephemeral(.p256)
            other.retiredResponseKeys = [earlierKey]
        }
        let wallet = SceneWallet(restarted, parameters: fetched.parameters)
        let own = try await earlier.credential()
        let presentation = try await own.presentation(disclosing: [["given_name"]])
            .bound(by: earlier.keys.holder, fetched.keyBinding()).compactSerialization()
        #expect(try await wallet.send(presentation).status == .ok)
        #expect(try await restarted.server.result(of: transaction.id).status == .verified)
    }

    /// A wallet with the metadata of yesterday encrypts to the earlier key.
    @Test func walletsWithEarlierMetadataAreUnderstood() async throws {
        var (scene, party) = try await scene(newKey)
        let transaction = try await scene.start()
        let wallet = try await wallet(scene, of: transaction, earlierKey)
        try expectRefusal(.refusedResponse, try await wallet.send(wallet.presentation()))
        party.retiredResponseKeys = [earlierKey]
        try scene.server.setRelyingParty(ServedRelyingParty(party), named: "shop")
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await scene.server.status(of: transaction.id) == .verified)
    }

    /// A wallet that has read the metadata anew encrypts to the key that the request did not have yet.
    @Test(arguments: [true, false]) func walletsWithNewerMetadataAreUnderstood(_ isEarlierKept: Bool) async throws {
        var (scene, party) = try await scene(earlierKey)
        let transaction = try await scene.start()
        let wallet = try await wallet(scene, of: transaction, newKey)
        try expectRefusal(.refusedResponse, try await wallet.send(wallet.presentation()))
        party.encryption.key = .fixed(newKey)
        if isEarlierKept { party.retiredResponseKeys = [earlierKey] }
        try scene.server.setRelyingParty(ServedRelyingParty(party), named: "shop")
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await scene.server.status(of: transaction.id) == .verified)
    }

    /// A request that sends its key gets no response to another one, whoever has that.
    @Test func aKeyThatTheRequestSendsIsTheOnlyOne() async throws {
        let scene = try await WalletScene { party, _ in
            party.encryption.key = .fixed(newKey)
            party.retiredResponseKeys = [earlierKey]
        }
        let transaction = try await scene.start()
        var parameters = try await SceneWallet(scene, link: #require(transaction.link)).parameters
        parameters["client_metadata"] = ["jwks": ["keys": [.object(try #require(earlierKey.publicJWK).members)]]]
        let wallet = SceneWallet(scene, parameters: parameters)
        try expectRefusal(.refusedResponse, try await wallet.send(wallet.presentation()))
        #expect(try await scene.server.status(of: transaction.id) == .requested)
    }
}

import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPVerifier
import OpenIDFederation
import Testing

/// A relying party that is an entity of a federation.
struct FederationTests {
    private let key: PrivateKey
    private let entity: EntityIdentifier

    init() throws {
        key = try PrivateKey.generate(.p256)
        entity = try EntityIdentifier("https://v.example")
    }

    private func party(responseKey: JWK?) async throws -> RelyingParty {
        var party = try await Scene().party
        party.client = try .federation(entity, signer: SoftwareSigner(key), keyID: "r1")
        if let responseKey { party.encryption.key = .fixed(responseKey) }
        party.metadata = ["client_name": "Shop"]
        return party
    }

    private func statement(_ metadata: JSONObject = [:]) async throws -> EntityStatement {
        try await EntityStatementBuilder(
            issuer: entity,
            keys: JWKSet([try JWK(key.publicKey, keyID: "f1")]),
            validity: Scene.now...Scene.now + 60,
            metadata: ["openid_credential_verifier": .object(metadata)]
        ).sign(with: SoftwareSigner(key), keyID: "f1")
    }

    @Test func metadataToPublish() async throws {
        let responseKey = try JWK(PrivateKey.generate(.p256), keyID: "e1")
        let metadata = try await party(responseKey: responseKey).federationMetadata(responseAddresses: [Scene.address])
        #expect(metadata["client_name"] == "Shop")
        #expect(metadata["response_uris"] == [.string(Scene.address)])
        #expect(metadata["encrypted_response_enc_values_supported"] == ["A256GCM", "A128GCM"])
        #expect(metadata["vp_formats_supported"]?["mso_mdoc"] != nil)
        let keys = try #require(metadata["jwks"]?["keys"]?.arrayValue)
        #expect(keys.map { $0["kid"] } == ["r1", "e1"])
        #expect(keys.map { $0["use"] } == ["sig", "enc"])
        #expect(keys[1]["alg"] == "ECDH-ES")
        #expect(keys.allSatisfy { $0["d"] == nil })
        // The statement that publishes them is well-formed.
        #expect(try await statement(metadata).isConfiguration)
    }

    @Test func metadataOfPartiesThatCannotPublish() async throws {
        let parties = [
            try await party(responseKey: nil), try await Scene().party,
            try await party(responseKey: JWK(PrivateKey.generate(.p256))),
            try await party(responseKey: JWK(PrivateKey.generate(.p256), keyID: "r1")),
        ]
        for party in parties {
            let error = #expect(throws: OID4VPVerifierError.self) { _ = try party.federationMetadata() }
            #expect(error?.code == .invalidRelyingParty)
        }
    }

    /// Requests have no metadata of their own, and a key for the response that wallets know from the federation.
    @Test func requests() async throws {
        let query = try Scene.query([.sdJWT])
        let content = RequestContent(.dcql(query), address: Scene.address)
        let fixed = try await party(responseKey: JWK(PrivateKey.generate(.p256), keyID: "e1"))
        let request = try RequestBuilder(fixed).makeRequest(content, at: Scene.now)
        #expect(request.parameters["client_id"] == "openid_federation:https://v.example")
        #expect(request.parameters["client_metadata"] == nil)
        let fresh = try await party(responseKey: nil)
        #expect(throws: OID4VPVerifierError.self) {
            _ = try RequestBuilder(fresh).makeRequest(
                RequestContent(.dcql(query), mode: .directPostJWT, address: Scene.address),
                at: Scene.now
            )
        }
    }

    @Test func chainsOfOthers() async throws {
        let chain = try TrustChain([try await statement()])
        #expect(chain.unverifiedExpirationTime == Scene.now + 60)
        let other = try EntityIdentifier("https://w.example")
        let signer = try SoftwareSigner(key)
        #expect(throws: Never.self) {
            _ = try ClientIdentity.federation(entity, signer: signer, keyID: "r1", trustChain: chain)
        }
        let error = #expect(throws: OID4VPVerifierError.self) {
            _ = try ClientIdentity.federation(other, signer: signer, keyID: "r1", trustChain: chain)
        }
        #expect(error?.code == .invalidRelyingParty)
    }

    /// Requests bring the chain of their time along, and none that has expired.
    @Test func chainsOfEachRequest() async throws {
        let chain = try TrustChain([try await statement()])
        let signer = try SoftwareSigner(key)
        let other = try EntityIdentifier("https://w.example")
        func header(_ client: ClientIdentity, at time: Date) async throws -> JOSEHeader {
            var party = try await party(responseKey: JWK(PrivateKey.generate(.p256), keyID: "e1"))
            party.client = client
            let content = RequestContent(.dcql(try Scene.query([.sdJWT])), address: Scene.address)
            let request = try RequestBuilder(party).makeRequest(content, at: time)
            let object = try await RequestBuilder(party).signedObject(of: request, at: time)
            return try JWS(compact: object).unverifiedHeader()
        }
        let fixed = try ClientIdentity.federation(entity, signer: signer, keyID: "r1", trustChain: chain)
        #expect(try await header(fixed, at: Scene.now + 59)["trust_chain"] == chain.headerValue())
        #expect(try await header(fixed, at: Scene.now + 60)["trust_chain"] == nil)
        let renewed = ClientIdentity.federation(entity, signer: signer, keyID: "r1") { time in
            time < Scene.now + 30 ? chain : nil
        }
        #expect(try await header(renewed, at: Scene.now + 29)["trust_chain"] == chain.headerValue())
        #expect(try await header(renewed, at: Scene.now + 30)["trust_chain"] == nil)
        let foreign = ClientIdentity.federation(other, signer: signer, keyID: "r1") { _ in chain }
        let error = await #expect(throws: OID4VPVerifierError.self) { try await header(foreign, at: Scene.now) }
        #expect(error?.code == .invalidRelyingParty)
    }
}

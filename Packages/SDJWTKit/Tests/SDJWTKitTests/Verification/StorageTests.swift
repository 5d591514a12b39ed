import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// A wallet stores a credential that is bound to its own key.
@Suite struct StorageTests {
    private let scene: Scene
    private let verifier: SDJWTVerifier

    init() throws {
        let scene = try Scene()
        self.scene = scene
        verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            clock: { scene.now }
        )
    }

    private func credential(_ confirmation: JSONValue?) async throws -> SDJWT {
        var claims: JSONObject = ["a": 1]
        claims["cnf"] = confirmation
        return try await SDJWTBuilder(credentialType: "t", claims: claims).sign(with: scene.issuer)
    }

    @Test func theKeyIsTheWallets() async throws {
        let own = scene.holder.publicKey
        let bound = try await scene.credential()
        let verification = await verifier.verifyForStorage(bound, holderKey: own)
        #expect(verification.verified != nil, "\(verification.checks)")
        #expect(verification.outcome(of: .holderKey)?.outcome == .passed)
        verification.expectEveryCheck()
        let other = await verifier.verifyForStorage(bound, holderKey: scene.stranger.publicKey)
        other.expectRefusal(.holderKey, .claimMismatch)
        #expect(verification.verified?.holderKey == own)
        let unasked = try await verifier.verifyForStorage(bound).get()
        #expect(unasked.holderKey == nil)
        let presented = await verifier.verify(
            try await scene.presentation(),
            expecting: .keyBinding(scene.expectation)
        )
        #expect(presented.verified?.holderKey == own, "\(presented.checks)")
    }

    @Test func theThumbprintIsThatOfTheWalletsKey() async throws {
        let thumbprint = try JWK(scene.holder.publicKey).thumbprint()
        let named = try await credential(["jkt": .string(Base64URL.encode(thumbprint))])
        #expect(await verifier.verifyForStorage(named, holderKey: scene.holder.publicKey).verified != nil)
        await verifier.verifyForStorage(named, holderKey: scene.stranger.publicKey)
            .expectRefusal(.holderKey, .claimMismatch)
    }

    @Test func aCredentialWithoutAKeyIsAnyones() async throws {
        let free = try await credential(nil)
        await verifier.verifyForStorage(free, holderKey: scene.holder.publicKey)
            .expectRefusal(.holderKey, .missingHolderKey)
        #expect(await verifier.verifyForStorage(free).verified != nil)
        let malformed = try await credential(["jwk": [:]])
        let refused = await verifier.verifyForStorage(malformed, holderKey: scene.holder.publicKey)
        #expect(refused.refusal?.check == .holderKey)
    }

    /// The wallet gets all Disclosures from the issuer, so that a digest without one hides no mandatory claim.
    @Test func aMandatoryClaimIsNotBehindADecoy() async throws {
        let document: JSONValue = ["vct": "t", "claims": [["path": ["b"], "mandatory": true]]]
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            typeMetadata: .required(LocalTypeMetadata(["t": document.encoded()])),
            clock: { [now = scene.now] in now }
        )
        for (claims, isComplete) in [(["a": 1], false), (["a": 1, "b": 2], true)] as [(JSONObject, Bool)] {
            var builder = SDJWTBuilder(credentialType: "t", claims: claims)
            try builder.addDecoys(2)
            let credential = try await builder.sign(with: scene.issuer)
            let stored = await verifier.verifyForStorage(credential)
            if isComplete {
                #expect(stored.verified != nil, "\(stored.checks)")
            } else {
                stored.expectRefusal(.typeMetadata, .missingClaim)
            }
            // To others than the holder, the claim may just be withheld.
            #expect(await verifier.verify(credential, expecting: .noKeyBinding).verified != nil)
        }
    }

    @Test func aPresentationIsNoneForTheStore() async throws {
        let presentation = try await scene.presentation()
        await verifier.verifyForStorage(presentation, holderKey: scene.holder.publicKey)
            .expectRefusal(.keyBinding, .unexpectedKeyBinding)
    }
}

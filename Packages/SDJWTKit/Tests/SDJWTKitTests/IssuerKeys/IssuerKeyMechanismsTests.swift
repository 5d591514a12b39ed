import CredentialTransport
import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct IssuerKeyMechanismsTests {
    private static let did = "did:web:issuer.example"
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private var dids: DIDIssuerKeys {
        let keys = FixedKeys(keys: [
            Self.did + "#1": scene.issuer.publicKey, Self.did: scene.issuer.publicKey,
            "did:web:evil.example#1": scene.stranger.publicKey,
        ])
        return DIDIssuerKeys(keys) { $0 == Self.did }
    }

    private func verification(
        _ keys: any IssuerKeyResolver,
        issuer: String? = Self.did,
        header: JOSEHeader = ["kid": "#1"]
    ) async throws -> Verification<VerifiedSDJWT> {
        var claims: JSONObject = ["a": 1]
        claims["iss"] = issuer.map { .string($0) }
        let credential = try await SDJWTBuilder(credentialType: "t", claims: claims)
            .sign(with: scene.issuer, header: header)
        let verifier = SDJWTVerifier(policy: .credential(algorithms: [.es256]), issuerKeys: keys)
        return await verifier.verify(credential, expecting: .noKeyBinding)
    }

    @Test func keysOfDIDs() async throws {
        #expect(try await verification(dids).verified != nil)
        #expect(try await verification(dids, header: ["kid": .string(Self.did + "#1")]).verified != nil)
        #expect(try await verification(dids, header: [:]).verified != nil)
        try await verification(dids, header: ["kid": "did:web:evil.example#1"])
            .expectRefusal(.issuerKey, .issuerMismatch)
        try await verification(dids, header: ["kid": "#2"]).expectRefusal(.issuerKey, .verificationMethodNotFound)
        try await verification(dids, header: ["kid": 1]).expectRefusal(.issuerKey, .issuerKeyNotFound)
        try await verification(dids, issuer: "did:web:evil.example").expectRefusal(.issuerKey, .issuerNotTrusted)
        try await verification(dids, issuer: "https://issuer.example").expectRefusal(.issuerKey, .issuerKeyNotFound)
        try await verification(dids, issuer: nil).expectRefusal(.issuerKey, .issuerKeyNotFound)
    }

    @Test func knownKeys() async throws {
        let known = KnownIssuerKeys([ExactText(Self.did): JWKSet([try JWK(scene.issuer.publicKey, keyID: "#1")])])
        #expect(try await verification(known).verified != nil)
        try await verification(known, issuer: "did:web:other.example").expectRefusal(.issuerKey, .issuerNotTrusted)
        try await verification(known, issuer: nil).expectRefusal(.issuerKey, .issuerNotTrusted)
        #expect(try await verification(KnownIssuerKeys(scene.issuer.publicKey), issuer: nil).verified != nil)
        try await verification(KnownIssuerKeys(scene.stranger.publicKey))
            .expectRefusal(.issuerSignature, .invalidIssuerSignature)
    }

    @Test func oneWayIsSelectedAndNoOtherIsTried() async throws {
        let transport = InMemoryHTTPTransport([:])
        let mechanisms = IssuerKeyMechanisms(
            certificates: X509IssuerKeys(anchors: []),
            metadata: IssuerMetadataKeys(transport: transport) { _ in true },
            dids: dids
        )
        #expect(try await verification(mechanisms).verified != nil)
        try await verification(mechanisms, header: ["kid": "#1", "x5c": ["AAAA"]])
            .expectRefusal(.issuerKey, .issuerNotTrusted)
        try await verification(mechanisms, issuer: "https://issuer.example").expectRefusal(.issuerKey, .retrievalFailed)
        #expect(transport.requests.count == 1)
        try await verification(mechanisms, issuer: "urn:issuer").expectRefusal(.issuerKey, .issuerKeyNotFound)
        try await verification(mechanisms, issuer: nil).expectRefusal(.issuerKey, .issuerKeyNotFound)
        try await verification(IssuerKeyMechanisms()).expectRefusal(.issuerKey, .issuerKeyNotFound)
        let permitted = IssuerKeyMechanisms(dids: dids)
        #expect(try await verification(permitted, header: ["kid": "#1", "x5c": ["AAAA"]]).verified != nil)
    }

    @Test func noKeyIsLookedForWhereTheHeaderIsRefused() async throws {
        let text = try await assemble(
            ["vct": "t", "iss": "https://i.example"],
            header: ["typ": "x"],
            signer: scene.issuer
        )
        let transport = InMemoryHTTPTransport([:])
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: IssuerMetadataKeys(transport: transport) { _ in true }
        )
        await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding).expectRefusal(.type, .unexpectedType)
        #expect(transport.requests.isEmpty)
    }

    @Test func theHoldersKeyMayBeNamedByADID() async throws {
        let text = try await assemble(["vct": "t", "cnf": ["kid": "did:example:h#1"]], signer: scene.issuer)
        let bound = try await SDJWT(compact: text).bound(by: scene.holder, scene.keyBinding)
        let keys = FixedKeys(keys: ["did:example:h#1": scene.holder.publicKey], relationship: .authentication)
        for (resolver, isVerified) in [(keys as FixedKeys?, true), (nil, false), (FixedKeys(keys: [:]), false)] {
            let verifier = SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
                holderKeys: resolver,
                clock: { [now = scene.now] in now }
            )
            let verification = await verifier.verify(bound, expecting: .keyBinding(scene.expectation))
            #expect((verification.verified != nil) == isVerified)
            if !isVerified { #expect(verification.refusal?.check == .holderKey) }
        }
    }
}

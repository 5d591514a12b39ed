import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Synchronization
import Testing
import VerificationCore

/// The types that an issuer is trusted for (SD-JWT VC, issuer authorization).
@Suite struct IssuerAuthorizationTests {
    private static let issuer = "https://university.example"
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func verification(
        _ keys: any IssuerKeyResolver,
        vct: String? = "diploma",
        others: [String] = [],
        accepting accepted: Set<ExactText>? = nil,
        header: JOSEHeader = ["typ": "dc+sd-jwt"],
        issuer: String? = Self.issuer
    ) async throws -> Verification<VerifiedSDJWT> {
        var payload: JSONObject = [:]
        payload["vct"] = vct.map { .string($0) }
        payload["iss"] = issuer.map { .string($0) }
        if !others.isEmpty { payload["aka_vcts"] = .array(others.map { .string($0) }) }
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256], credentialTypes: accepted)
        if vct == nil { policy.requiredClaims = [] }
        let verifier = SDJWTVerifier(policy: policy, issuerKeys: keys, clock: { [now = scene.now] in now })
        let sdJWT = try SDJWT(compact: try await assemble(.object(payload), header: header, signer: scene.issuer))
        let verification = await verifier.verify(sdJWT, expecting: .noKeyBinding)
        verification.expectEveryCheck()
        return verification
    }

    private func known(_ types: [ExactText: Set<ExactText>]) throws -> AuthorizedIssuerKeys {
        let keys = JWKSet([try JWK(scene.issuer.publicKey)])
        return AuthorizedIssuerKeys(KnownIssuerKeys(["https://university.example": keys]), types: types)
    }

    @Test func anIssuerIsTrustedForItsTypesAlone() async throws {
        let keys = try known([
            "https://university.example": ["diploma", "transcript"], "https://registry.example": ["pid"],
        ])
        for type in ["diploma", "transcript"] {
            let verified = try await verification(keys, vct: type).get()
            #expect(verified.trustedCredentialTypes == ["diploma", "transcript"])
        }
        for type in ["pid", "Diploma", "diploma "] {
            try await verification(keys, vct: type).expectRefusal(.issuerTrust, .issuerNotTrusted)
        }
        try await verification(known(["https://registry.example": ["diploma"]]))
            .expectRefusal(.issuerTrust, .issuerNotTrusted)
        // An SD-JWT without a type is of none of them.
        try await verification(keys, vct: nil).expectRefusal(.issuerTrust, .issuerNotTrusted)
    }

    @Test func anIssuerWithoutALimitIsTrustedForAllTypes() async throws {
        let verification = try await verification(KnownIssuerKeys(scene.issuer.publicKey), others: ["pid"])
        #expect(verification.verified?.trustedCredentialTypes == nil)
        let outcome = try #require(verification.outcome(of: .issuerTrust)?.outcome)
        guard case .notApplicable = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    /// A type that the issuer lists is its own claim, and no evidence of a right to it.
    @Test func furtherTypesThatAreAcceptedNeedTheRight() async throws {
        let keys = try known(["https://university.example": ["diploma"]])
        try await verification(keys, others: ["pid"]).expectRefusal(.issuerTrust, .issuerNotTrusted)
        try await verification(keys, others: ["pid"], accepting: ["pid"])
            .expectRefusal(.issuerTrust, .issuerNotTrusted)
        try await verification(keys, others: ["pid"], accepting: ["pid", "diploma"])
            .expectRefusal(.issuerTrust, .issuerNotTrusted)
        #expect(try await verification(keys, others: ["pid"], accepting: ["diploma"]).refusal == nil)
        let both = try known(["https://university.example": ["diploma", "pid"]])
        #expect(try await verification(both, others: ["pid"], accepting: ["pid"]).refusal == nil)
        try await verification(known(["https://university.example": ["pid"]]), others: ["pid"], accepting: ["pid"])
            .expectRefusal(.issuerTrust, .issuerNotTrusted)
    }

    @Test func theIssuerMayBeNamedByADisclosure() async throws {
        let disclosure: JSONValue = [salt, "iss", .string(Self.issuer)]
        let payload: JSONValue = ["vct": "diploma", "_sd": [digest(disclosure)]]
        var policy = SDJWTVerificationPolicy(algorithms: [.es256])
        policy.requiredClaims = ["vct"]
        let keys = AuthorizedIssuerKeys(
            KnownIssuerKeys(scene.issuer.publicKey),
            types: ["https://university.example": ["diploma"]]
        )
        let verifier = SDJWTVerifier(policy: policy, issuerKeys: keys, clock: { [now = scene.now] in now })
        let shown = try await assemble(payload, [disclosure], signer: scene.issuer)
        #expect(await verifier.verify(try SDJWT(compact: shown), expecting: .noKeyBinding).refusal == nil)
        let hidden = try await assemble(payload, signer: scene.issuer)
        await verifier.verify(try SDJWT(compact: hidden), expecting: .noKeyBinding)
            .expectRefusal(.issuerTrust, .issuerNotTrusted)
    }

    @Test func theTypesOfAKeyThatIsKnownAlreadyCount() async throws {
        let payload: JSONValue = ["vct": "pid"]
        let sdJWT = try SDJWT(compact: try await assemble(payload, signer: scene.issuer))
        func verification(_ key: IssuerKey) -> Verification<VerifiedSDJWT> {
            SDJWTVerifier.verify(
                sdJWT,
                issuerKey: key,
                policy: .credential(algorithms: [.es256]),
                expecting: .noKeyBinding,
                at: scene.now
            )
        }
        let key = IssuerKey(scene.issuer.publicKey)
        #expect(verification(key.limited(to: nil)).refusal == nil)
        #expect(verification(key.limited(to: ["pid"]).limited(to: nil)).refusal == nil)
        verification(key.limited(to: ["diploma"])).expectRefusal(.issuerTrust, .issuerNotTrusted)
        // Of two limits, both hold.
        verification(key.limited(to: ["pid"]).limited(to: ["diploma"])).expectRefusal(.issuerTrust, .issuerNotTrusted)
    }

    @Test func aRenewedKeyIsLimitedToo() async throws {
        let keys = try JSONValue.object(JWK(scene.issuer.publicKey).members)
        let other = try JSONValue.object(JWK(scene.stranger.publicKey).members)
        func answer(_ key: JSONValue) -> InMemoryHTTPAnswer {
            let metadata: JSONValue = ["issuer": .string(Self.issuer), "jwks": ["keys": [key]]]
            return .ok(metadata.encoded(), type: .json)
        }
        let current = Mutex(answer(other))
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in current.withLock { $0 } }
        let metadata = IssuerMetadataKeys(
            transport: transport,
            caching: DocumentCacheOptions(refetchInterval: 0),
            trusting: { _ in true }
        )
        let limited = AuthorizedIssuerKeys(metadata, types: ["https://university.example": ["diploma"]])
        try await verification(limited).expectRefusal(.issuerSignature, .invalidIssuerSignature)
        current.withLock { $0 = answer(keys) }
        try await verification(limited, vct: "pid").expectRefusal(.issuerTrust, .issuerNotTrusted)
        current.withLock { $0 = answer(other) }
        _ = await metadata.renewedKey(for: [:], issuer: Self.issuer, at: scene.now)
        current.withLock { $0 = answer(keys) }
        #expect(try await verification(limited).refusal == nil)
    }

    // MARK: Certificates

    private func authority(_ name: String, _ seed: UInt64) async throws -> CertificateAuthority {
        try await .root(
            subject: DistinguishedName(commonName: name),
            signer: try Scene.signer(seed),
            validity: scene.now - 86_400...scene.now + 86_400
        )
    }

    private func header(below authority: CertificateAuthority) async throws -> JOSEHeader {
        let leaf = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "Issuer"),
            publicKey: scene.issuer.publicKey,
            validity: scene.now - 86_400...scene.now + 86_400,
            extensions: [.keyUsage(.digitalSignature)]
        ).issued(by: authority)
        var header: JOSEHeader = ["typ": "dc+sd-jwt"]
        header.setCertificateChain([leaf.derBytes])
        return header
    }

    @Test func anAnchorVouchesForItsTypesAlone() async throws {
        let (universities, registry) = (try await authority("Universities", 21), try await authority("Registry", 22))
        let keys = X509IssuerKeys(
            authorities: [
                IssuerAnchor(universities.certificate, credentialTypes: ["diploma"]),
                IssuerAnchor(universities.certificate, credentialTypes: ["transcript"]),
                IssuerAnchor(registry.certificate, credentialTypes: ["pid"]),
                IssuerAnchor(registry.certificate, credentialTypes: nil),
            ],
            nameRule: .notCompared
        )
        let university = try await header(below: universities)
        for type in ["diploma", "transcript"] {
            #expect(try await verification(keys, vct: type, header: university, issuer: nil).refusal == nil)
        }
        try await verification(keys, vct: "pid", header: university, issuer: nil)
            .expectRefusal(.issuerTrust, .issuerNotTrusted)
        let state = try await header(below: registry)
        for type in ["pid", "other"] {
            #expect(try await verification(keys, vct: type, header: state, issuer: nil).refusal == nil)
        }
        // Plain anchors are trusted for all types.
        let anchors = X509IssuerKeys(anchors: [universities.certificate], nameRule: .notCompared)
        #expect(try await verification(anchors, vct: "pid", header: university, issuer: nil).refusal == nil)
        // The rule of the caller can look at the chain.
        let ruled = AuthorizedIssuerKeys(anchors) { issuer, key in
            issuer == nil && key.certificateChain?.anchor == universities.certificate ? ["diploma"] : []
        }
        #expect(try await verification(ruled, header: university, issuer: nil).refusal == nil)
        try await verification(ruled, vct: "pid", header: university, issuer: nil)
            .expectRefusal(.issuerTrust, .issuerNotTrusted)
    }
}

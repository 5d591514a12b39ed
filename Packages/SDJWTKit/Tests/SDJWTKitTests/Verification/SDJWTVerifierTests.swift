import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct SDJWTVerifierTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    @Test func everyCheckThatAppliesHolds() async throws {
        let verification = scene.verify(try await scene.presentation())
        verification.expectEveryCheck()
        #expect(verification.refusal == nil)
        let verified = try verification.get()
        #expect(verified["given_name"] == "Erika")
        #expect(verified["family_name"] == nil)
        #expect(verified["nationalities"] == ["NL"])
        #expect(verified.credentialType == Scene.credentialType)
        #expect(verified.issuer == "https://issuer.example")
        #expect(verified.verificationTime == scene.now)
        #expect(try verified.values(at: ["nationalities", nil]) == ["NL"])
        #expect(try verified.values(at: ["nationalities", 0]) == ["NL"])
        #expect(try verified.payload.values(atIssued: ["nationalities", 1]) == ["NL"])
        #expect(try verified.payload.values(atIssued: ["nationalities", 0]) == [])
        #expect(Set(verified.payload.disclosedClaims) == [["given_name"], ["nationalities", 0]])
        let open = verification.checks.filter { $0.outcome != .passed }.map(\.check)
        #expect(open == [.issuerTrust, .typeMetadata, .status])
    }

    @Test func theIssuersSignature() async throws {
        let credential = try await scene.builder().sign(with: scene.stranger)
        let verification = scene.verify(credential, .noKeyBinding)
        verification.expectRefusal(.issuerSignature, .invalidIssuerSignature)
        #expect(verification.verified == nil)
        #expect(throws: Refusal.self) { try verification.get() }
        let rest = verification.checks.drop { $0.check != .digests }
        #expect(rest.allSatisfy { $0.outcome == .notReached })
    }

    @Test func algorithms() async throws {
        let p384 = try Scene.signer(5, .p384)
        let credential = try await scene.builder().sign(with: p384)
        scene.verify(credential, .noKeyBinding).expectRefusal(.issuerAlgorithm, .algorithmNotAllowed)
        let policy = SDJWTVerificationPolicy.credential(algorithms: [.es256, .es384])
        scene.verify(credential, .noKeyBinding, policy: policy).expectRefusal(.issuerSignature, .invalidIssuerSignature)
        for name in ["none", "None", "NONE", "nOnE", "HS256", "", "es256"] {
            let headerValue: JSONValue = ["alg": .string(name), "typ": "dc+sd-jwt"]
            let header = Base64URL.encode(headerValue.encoded())
            let claims = Base64URL.encode(Array(#"{"vct":"t"}"#.utf8))
            let sdJWT = try SDJWT(compact: "\(header).\(claims).AAAA~")
            let all = SDJWTVerificationPolicy.credential(
                algorithms: JWSVerificationPolicy(algorithms: Set(JWSAlgorithm.all + [JWSAlgorithm(rawValue: name)]))
            )
            scene.verify(sdJWT, .noKeyBinding, policy: all).expectRefusal(.issuerAlgorithm, .algorithmNotAllowed)
        }
    }

    @Test func types() async throws {
        func verification(
            _ header: JOSEHeader,
            tolerances: Set<SDJWTTolerance> = []
        ) async throws -> Verification<VerifiedSDJWT> {
            let text = try await assemble(["vct": "t"], header: header, signer: scene.issuer)
            let policy = SDJWTVerificationPolicy.credential(algorithms: [.es256], tolerances: tolerances)
            return scene.verify(try SDJWT(compact: text), .noKeyBinding, policy: policy)
        }
        #expect(try await verification(["typ": "dc+sd-jwt"]).verified != nil)
        let earlier = try await verification(["typ": "vc+sd-jwt"], tolerances: .deployed)
        #expect(earlier.verified != nil)
        #expect(earlier.deviations == [Deviation("earlierType", at: ["typ"])])
        #expect(try await verification(["typ": "dc+sd-jwt"], tolerances: .deployed).deviations.isEmpty)
        #expect(try await verification(["typ": "application/dc+sd-jwt"]).verified != nil)
        try await verification(["typ": "vc+sd-jwt"]).expectRefusal(.type, .unexpectedType)
        try await verification(["typ": "JWT"]).expectRefusal(.type, .unexpectedType)
        try await verification(["typ": "kb+jwt"]).expectRefusal(.type, .unexpectedType)
        try await verification([:]).expectRefusal(.type, .unexpectedType)
        try await verification(["typ": 1]).expectRefusal(.type, .unexpectedType)
    }

    @Test func disclosures() async throws {
        let extra = try SDJWTDisclosure(name: "a", value: 1)
        let text = try await scene.credential().compactSerialization() + extra.encoded + "~"
        scene.verify(try SDJWT(compact: text), .noKeyBinding).expectRefusal(.digests, .digestMismatch)
    }

    @Test func hashFunctionsThatAreNotAccepted() async throws {
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        policy.hashAlgorithms = [.sha512]
        let verification = scene.verify(try await scene.presentation(), policy: policy)
        verification.expectRefusal(.digests, .unsupportedHashAlgorithm)
    }

    @Test(arguments: ["iss", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status"])
    func claimsOfACredentialThatMustBeOpen(name: String) async throws {
        let disclosure: JSONValue = [salt, .string(name), "x"]
        var payload: JSONObject = ["vct": "t", "_sd": [digest(disclosure)]]
        payload["vct"] = name == "vct" ? nil : "t"
        let text = try await assemble(.object(payload), [disclosure], signer: scene.issuer)
        scene.verify(try SDJWT(compact: text), .noKeyBinding).expectRefusal(.openClaims, .claimNotConcealable)
        let nested: JSONValue = [salt, "x", "y"]
        payload["_sd"] = nil
        payload[name] = ["_sd": [digest(nested)]]
        let inside = try await assemble(.object(payload), [nested], signer: scene.issuer)
        scene.verify(try SDJWT(compact: inside), .noKeyBinding).expectRefusal(.openClaims, .claimNotConcealable)
        let withheld = try await assemble(.object(payload), signer: scene.issuer)
        scene.verify(try SDJWT(compact: withheld), .noKeyBinding).expectRefusal(.openClaims, .claimNotConcealable)
    }

    /// Keys that are found without the name of an issuer, as those in certificates are.
    private struct KeysByName: IssuerKeyResolver {
        let keys: [String?: PublicKey]

        func key(for header: JOSEHeader, issuer: String?, at time: Date) throws(SDJWTError) -> IssuerKey {
            guard let key = keys[issuer] else { throw SDJWTError(.issuerMismatch, "another name", path: ["iss"]) }
            return IssuerKey(key)
        }
    }

    /// An SD-JWT that is no credential may have its issuer in a Disclosure: it is nobody else's for that.
    @Test(arguments: [("https://own.example", nil), ("https://other.example", "issuerSignature"), ("x", "issuerKey")])
    func theIssuerInADisclosureIsTheOneOfTheKey(issuer: String, check: Check?) async throws {
        let disclosure: JSONValue = [salt, "iss", .string(issuer)]
        let text = try await assemble(["_sd": [digest(disclosure)]], [disclosure], signer: scene.issuer)
        let (own, other) = (scene.issuer.publicKey, scene.stranger.publicKey)
        let verifier = SDJWTVerifier(
            policy: SDJWTVerificationPolicy(algorithms: [.es256]),
            issuerKeys: KeysByName(keys: [nil: own, "https://own.example": own, "https://other.example": other]),
            clock: { [now = scene.now] in now }
        )
        let verification = await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding)
        #expect(verification.refusal?.check == check)
        #expect(verification.verified?.issuer == (check == nil ? issuer : nil))
    }

    @Test func requiredClaims() async throws {
        let text = try await assemble(["iss": "i"], signer: scene.issuer)
        scene.verify(try SDJWT(compact: text), .noKeyBinding).expectRefusal(.requiredClaims, .missingClaim)
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        policy.requiredClaims.insert("family_name")
        scene.verify(try await scene.presentation(), policy: policy).expectRefusal(.requiredClaims, .missingClaim)
        let full = try await scene.presentation(of: [["family_name"]])
        #expect(scene.verify(full, policy: policy).verified != nil)
    }

    @Test func issuers() async throws {
        let presentation = try await scene.presentation()
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        policy.rules.issuers = ["https://issuer.example"]
        #expect(scene.verify(presentation, policy: policy).verified != nil)
        policy.rules.issuers = ["https://other.example"]
        scene.verify(presentation, policy: policy).expectRefusal(.issuer, .claimMismatch)
        let text = try await assemble(["vct": "t"], signer: scene.issuer)
        scene.verify(try SDJWT(compact: text), .noKeyBinding, policy: policy).expectRefusal(.issuer, .missingClaim)
        let number = try await assemble(["vct": "t", "iss": 1], signer: scene.issuer)
        scene.verify(try SDJWT(compact: number), .noKeyBinding).expectRefusal(.issuer, .invalidClaim)
    }

    @Test func namesAreComparedAsBytes() async throws {
        // U+00E9, and e with U+0301: canonically equivalent, and other names all the same (RFC 7519, section 2).
        let composed: ExactText = "https://issuer.example/\u{e9}"
        let decomposed: ExactText = "https://issuer.example/e\u{301}"
        let payload: JSONValue = ["vct": .string(composed.text), "iss": .string(composed.text)]
        let text = try await assemble(payload, signer: scene.issuer)
        let sdJWT = try SDJWT(compact: text)
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256], credentialTypes: [composed])
        policy.rules.issuers = [composed]
        #expect(scene.verify(sdJWT, .noKeyBinding, policy: policy).verified != nil)
        policy.rules.issuers = [decomposed]
        scene.verify(sdJWT, .noKeyBinding, policy: policy).expectRefusal(.issuer, .claimMismatch)
        policy = .credential(algorithms: [.es256], credentialTypes: [decomposed])
        scene.verify(sdJWT, .noKeyBinding, policy: policy).expectRefusal(.credentialType, .claimMismatch)

        let keys = KnownIssuerKeys([composed: JWKSet([try JWK(scene.issuer.publicKey)])])
        #expect(throws: Never.self) { try keys.key(for: JOSEHeader(), issuer: composed.text, at: scene.now) }
        expectRefusal(.issuerNotTrusted) { try keys.key(for: JOSEHeader(), issuer: decomposed.text, at: scene.now) }
        let documents = LocalTypeMetadata([composed: []])
        #expect(throws: Never.self) { try documents.document(for: composed.text) }
        expectRefusal(.typeMetadataNotFound) { try documents.document(for: decomposed.text) }
    }

    @Test func audienceOfTheIssuer() async throws {
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        for audience: JSONValue in ["me", ["you", "me"]] {
            let sdJWT = try SDJWT(compact: try await assemble(["vct": "t", "aud": audience], signer: scene.issuer))
            policy.rules.audience = .namedIfPresent("me")
            #expect(scene.verify(sdJWT, .noKeyBinding, policy: policy).verified != nil)
            policy.rules.audience = .namedIfPresent("m")
            scene.verify(sdJWT, .noKeyBinding, policy: policy).expectRefusal(.audience, .claimMismatch)
            policy.rules.audience = .absent
            scene.verify(sdJWT, .noKeyBinding, policy: policy).expectRefusal(.audience, .claimMismatch)
        }
        let odd = try SDJWT(compact: try await assemble(["vct": "t", "aud": 1], signer: scene.issuer))
        scene.verify(odd, .noKeyBinding, policy: policy).expectRefusal(.audience, .invalidClaim)
    }

    @Test func credentialTypes() async throws {
        func verification(
            _ payload: JSONValue,
            _ accepted: Set<ExactText>? = ["a"]
        ) async throws -> Verification<VerifiedSDJWT> {
            let policy = SDJWTVerificationPolicy.credential(algorithms: [.es256], credentialTypes: accepted)
            let sdJWT = try SDJWT(compact: try await assemble(payload, signer: scene.issuer))
            return scene.verify(sdJWT, .noKeyBinding, policy: policy)
        }
        #expect(try await verification(["vct": "a"]).verified != nil)
        let other = try await verification(["vct": "b", "aka_vcts": ["c", "a"]])
        #expect(other.verified?.otherCredentialTypes == ["c", "a"])
        try await verification(["vct": "b"]).expectRefusal(.credentialType, .claimMismatch)
        try await verification(["vct": "b", "aka_vcts": ["c"]]).expectRefusal(.credentialType, .claimMismatch)
        for payload: JSONValue in [
            ["vct": 1], ["vct": ""], ["vct": "a", "aka_vcts": []], ["vct": "a", "aka_vcts": "b"],
            ["vct": "a", "aka_vcts": ["a"]], ["vct": "a", "aka_vcts": [1]],
        ] {
            try await verification(payload, nil).expectRefusal(.credentialType, .invalidClaim)
        }
    }

    @Test func times() async throws {
        func verification(_ claims: JSONObject, at seconds: Double) async throws -> Verification<VerifiedSDJWT> {
            var payload = claims
            payload["vct"] = "t"
            let sdJWT = try SDJWT(compact: try await assemble(.object(payload), signer: scene.issuer))
            return scene.verify(sdJWT, .noKeyBinding, at: Date(timeIntervalSince1970: seconds))
        }
        #expect(try await verification(["exp": 1000], at: 1059.5).verified != nil)
        try await verification(["exp": 1000], at: 1060).expectRefusal(.validity, .expired)
        #expect(try await verification(["nbf": 1000], at: 940).verified != nil)
        try await verification(["nbf": 1000], at: 939.5).expectRefusal(.validity, .notYetValid)
        #expect(try await verification(["iat": 1000], at: 940).verified != nil)
        try await verification(["iat": 1000], at: 939.5).expectRefusal(.issuedAt, .issuedInFuture)
        for name in ["exp", "nbf", "iat"] {
            try await verification(JSONObject([(name, .string("1000"))]), at: 1000)
                .expectRefusal(name == "iat" ? .issuedAt : .validity, .invalidClaim)
        }
    }

    @Test func plainSDJWTs() async throws {
        let text = try await assemble(["a": 1], header: ["typ": "example+sd-jwt"], signer: scene.issuer)
        let sdJWT = try SDJWT(compact: text)
        let any = SDJWTVerificationPolicy(algorithms: [.es256])
        #expect(scene.verify(sdJWT, .noKeyBinding, policy: any).verified?.claims == ["a": 1])
        let one = SDJWTVerificationPolicy(algorithms: [.es256], types: ["example+sd-jwt"])
        #expect(scene.verify(sdJWT, .noKeyBinding, policy: one).verified?.credentialType == nil)
    }

    /// A refusal that another attempt may undo is told from a final one.
    @Test func aKeyThatCannotBeFetched() async throws {
        struct Unreachable: IssuerKeyResolver {
            func key(
                for header: JOSEHeader,
                issuer: String?,
                at time: Date
            ) async throws(SDJWTError) -> IssuerKey {
                throw SDJWTError(.retrievalFailed, "the issuer does not answer")
            }
        }
        let now = scene.now
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: Unreachable(),
            clock: { now }
        )
        let verification = await verifier.verify(try await scene.credential(), expecting: .noKeyBinding)
        let refusal = try #require(verification.refusal)
        #expect(refusal.isUnavailable && refusal.check == .issuerKey && refusal.reason == "retrievalFailed")
        let later = verification.checks.drop { $0.check != .issuerSignature }
        #expect(later.allSatisfy { $0.outcome == .notReached })
        #expect(verification.time == now && verification.verified == nil)
    }

    /// A credential could make a verifier fetch whatever its `cnf` names.
    @Test func asksForNoHolderKeyWithoutKeyBinding() async throws {
        struct Unasked: DIDResolver {
            func document(of did: DID, at _: Date) throws(DIDError) -> DIDDocument {
                Issue.record("asked for \(did)")
                throw DIDError(.retrievalFailed, "asked")
            }
        }
        let claims: JSONValue = ["vct": "t", "cnf": ["kid": "did:web:holder.example#1"]]
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            holderKeys: Unasked()
        )
        let text = try await assemble(claims, signer: scene.issuer)
        for expected in [SDJWTExpectation.noKeyBinding, .keyBindingIfPresent(scene.expectation)] {
            let verification = await verifier.verify(try SDJWT(compact: text), expecting: expected)
            #expect(verification.verified != nil)
        }
    }

    @Test func outcomesAreReadable() async throws {
        let verification = scene.verify(try await scene.credential(), .keyBinding(scene.expectation))
        let refusal = try #require(verification.refusal)
        #expect("\(refusal)".hasPrefix("invalidHolderBinding (keyBinding)"))
        #expect("\(verification.checks[0])" == "issuerAlgorithm: passed")
        #expect(verification.refusal?.check == .keyBinding)
    }
}

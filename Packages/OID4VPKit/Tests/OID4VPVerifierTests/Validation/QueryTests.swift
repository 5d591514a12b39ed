import CredentialTesting
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPVerifier
import SDJWTKit
import Testing

/// The query is evaluated again over what is verified; the wallet's word counts for nothing.
struct QueryTests {
    private func verification(
        _ change: (inout CredentialQuery) -> Void,
        disclosing paths: [ClaimPath] = [["family_name"]],
        credential: SDJWT? = nil
    ) async throws -> Verification<VerifiedResponse> {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT], change))
        let presentation = try await scene.presentedSDJWT(request, of: credential, disclosing: paths)
        return try await scene.verify(["pid": presentation], request)
    }

    @Test func refusesMissingClaims() async throws {
        try await verification({ $0.claims = [ClaimQuery(path: ["given_name"])] })
            .expectRefusal(.requestedClaims, .missingClaim)
        try await verification({ _ in }, disclosing: []).expectRefusal(.requestedClaims, .missingClaim)
    }

    @Test func refusesOtherValues() async throws {
        try await verification({ $0.claims = [ClaimQuery(path: ["family_name"], values: ["Doe"])] })
            .expectRefusal(.requestedClaims, .claimMismatch)
        let right = try await verification({
            $0.claims = [ClaimQuery(path: ["family_name"], values: ["Doe", "Mustermann"])]
        })
        #expect(right.refusal == nil)
    }

    @Test func takesAnyCompleteClaimSet() async throws {
        func sets(_ query: inout CredentialQuery) {
            query.claims = [ClaimQuery(id: "a", path: ["given_name"]), ClaimQuery(id: "b", path: ["family_name"])]
            query.claimSets = [["a"], ["b"]]
        }
        #expect(try await verification(sets).refusal == nil)
        try await verification(sets, disclosing: []).expectRefusal(.requestedClaims, .missingClaim)
    }

    /// A credential whose two nationalities can be withheld one by one.
    private static func withNationalities(_ scene: Scene) async throws -> SDJWT {
        var builder = SDJWTBuilder(
            credentialType: Scene.type,
            claims: [
                "iss": "https://issuer.example", "nationalities": ["GB", "DE"],
                "exp": .integer(Int64(Scene.now.timeIntervalSince1970) + 86_400),
            ]
        )
        try builder.conceal(["nationalities", nil])
        builder.holderKey = try JWK(scene.holder.publicKey)
        return try await builder.sign(with: scene.issuer)
    }

    /// The wallet counts the elements that it holds, and withholds those before the one that is asked for.
    @Test func countsElementsAsTheyWereIssued() async throws {
        let scene = try await Scene()
        let credential = try await Self.withNationalities(scene)
        for (asked, shown, isAnswer) in [(1, 1, true), (0, 0, true), (1, 0, false)] {
            let query = try Scene.query([.sdJWT]) { $0.claims = [ClaimQuery(path: ["nationalities", .index(asked)])] }
            let request = try scene.request(query)
            let presentation = try await scene.presentedSDJWT(
                request,
                of: credential,
                disclosing: [["nationalities", .index(shown)]]
            )
            let verification = try await scene.verify(["pid": presentation], request)
            #expect((verification.refusal == nil) == isAnswer, "\(asked) \(shown)")
        }
    }

    /// The same in Presentation Exchange, where a path of another form counts the disclosed elements alone.
    @Test func countsElementsOfDefinitionsAsTheyWereIssued() async throws {
        let scene = try await Scene()
        let credential = try await Self.withNationalities(scene)
        for (path, shown, value, isAnswer) in [
            ("$.nationalities[1]", 1, "DE", true), ("$['nationalities'][0]", 0, "GB", true),
            ("$.nationalities[1]", 1, "GB", false), ("$.nationalities[1]", 0, "DE", false),
            ("$.nationalities[-1]", 1, "DE", true), ("$.nationalities[1:]", 1, "DE", false),
        ] {
            var definition = try #require(Scene.definition(.sdJWT).objectValue)
            let field: JSONValue = ["path": [.string(path)], "filter": ["const": .string(value)]]
            var descriptor = try #require(definition["input_descriptors"]?[0]?.objectValue)
            descriptor["constraints"] = ["fields": [field]]
            definition["input_descriptors"] = [.object(descriptor)]
            let request = try scene.request(.object(definition), version: .draft23)
            let presentation = try await scene.presentedSDJWT(
                request,
                of: credential,
                disclosing: [["nationalities", .index(shown)]]
            )
            let parameters = HappyFlowTests.submitting(presentation, format: .sdJWT, request)
            let verification = try await scene.verify(parameters, request)
            #expect((verification.refusal == nil) == isAnswer, "\(path) \(shown) \(value)")
        }
    }

    @Test func refusesAnotherType() async throws {
        try await verification({ $0.type = .vct(["urn:other"]) }).expectRefusal(.credentialType, .unexpectedType)
    }

    /// A further type that the issuer only claims answers no query for it.
    @Test(arguments: [false, true])
    func refusesATypeThatTheIssuerIsNotTrustedFor(isTrusted: Bool) async throws {
        let types: Set<ExactText> = isTrusted ? ["urn:eudi:pid:1", "urn:other"] : ["urn:eudi:pid:1"]
        let scene = try await Scene(trustedTypes: types)
        let credential = try await scene.sdJWT { $0["aka_vcts"] = ["urn:other"] }
        let request = try scene.request(Scene.query([.sdJWT]) { $0.type = .vct(["urn:other"]) })
        let presentation = try await scene.presentedSDJWT(request, of: credential)
        let verification = try await scene.verify(["pid": presentation], request)
        if isTrusted {
            #expect(verification.refusal == nil, "\(verification.checks)")
        } else {
            verification.expectRefusal(.credentialType, .unexpectedType)
        }
    }

    @Test func refusesAnotherFormat() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.linkedData]))
        // A token in the place of a linked-data presentation.
        let token = try await scene.presentedW3C(.jwt, request)
        try await scene.verify(["ldp": token], request).expectRefusal(.structure, .malformed)
        // A credential in a token inside of a linked-data presentation.
        let issuerKey = try Scene.keyName(scene.didIssuer).text
        let inner = try await scene.w3cContent(.linkedData).signedToken(keyID: issuerKey, with: scene.didIssuer)
        let verification = try await scene.verify(
            ["ldp": try await scene.presentedW3C(.linkedData, request, of: [inner])],
            request
        )
        #expect(verification.refusal != nil)
    }

    @Test func refusesAnUntrustedAuthority() async throws {
        let scene = try await Scene()
        let authority = try #require(scene.pki.documentSigner.authorityKeyIdentifier?.keyIdentifier)
        for (value, isTrusted) in [(Base64URL.encode(authority), true), ("AAAA", false)] {
            let query = try Scene.query([.mdoc]) {
                $0.trustedAuthorities = [TrustedAuthority(type: "aki", values: [ExactText(value)])]
            }
            let request = try scene.request(query)
            let presentation = try await scene.presentedMdoc(Scene.transcript(request))
            let verification = try await scene.verify(["mdl": presentation], request)
            if isTrusted {
                #expect(verification.refusal == nil)
            } else {
                verification.expectRefusal(.trustedAuthority, .authorityNotTrusted)
            }
        }
        let query = try Scene.query([.sdJWT]) {
            $0.trustedAuthorities = [TrustedAuthority(type: "etsi_tl", values: ["https://lotl.example"])]
        }
        let request = try scene.request(query)
        let presentation = try await scene.presentedSDJWT(request)
        try await scene.verify(["pid": presentation], request).expectRefusal(.trustedAuthority, .authorityNotTrusted)
        var policy = PresentationPolicy()
        policy.isTrustedAuthority = { authority, _ in authority.type == "etsi_tl" }
        #expect(try await scene.verify(["pid": presentation], request, policy: policy).refusal == nil)
    }

    @Test func refusesAResponseThatLeavesAQueryOut() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT, .mdoc]))
        let presentation = try await scene.presentedSDJWT(request)
        try await scene.verify(["pid": presentation], request).expectRefusal(.query, .queryNotAnswered)
    }

    @Test func refusesSeveralCredentialsForOne() async throws {
        let scene = try await Scene()
        let query = try Scene.query([.mdoc])
        let request = try scene.request(query)
        let two = [try await scene.mdoc(), try await scene.mdoc()]
        let presentation = try await scene.presentedMdoc(Scene.transcript(request), of: two)
        try await scene.verify(["mdl": presentation], request).expectRefusal(.submission, .unrequestedCredential)
        let several = try scene.request(Scene.query([.mdoc]) { $0.allowsMultiple = true })
        let presentations = [
            try await scene.presentedMdoc(Scene.transcript(several)),
            try await scene.presentedMdoc(Scene.transcript(several)),
        ]
        let verification = try await scene.verify(["mdl": .array(presentations)], several)
        #expect(verification.verified?["mdl"].count == 2)
    }

    // MARK: Sets

    private func sets(_ sets: [CredentialSetQuery]) throws -> DCQLQuery {
        let queries = try [CredentialFormat.sdJWT, .mdoc, .linkedData].map { try Scene.credentialQuery($0) }
        return try DCQLQuery(credentials: queries, credentialSets: sets)
    }

    @Test func takesOneOptionOfASet() async throws {
        let scene = try await Scene()
        let request = try scene.request(sets([CredentialSetQuery(options: [["mdl", "ldp"], ["pid"]])]))
        let pid = try await scene.presentedSDJWT(request)
        #expect(try await scene.verify(["pid": pid], request).refusal == nil)
        let mdl = try await scene.presentedMdoc(Scene.transcript(request))
        try await scene.verify(["mdl": mdl], request).expectRefusal(.query, .queryNotAnswered)
        // An answer that belongs to no option in full was not asked for.
        try await scene.verify(["pid": pid, "mdl": mdl], request).expectRefusal(.query, .unrequestedCredential)
    }

    @Test func leavesOutARefusedOptionalAnswer() async throws {
        let scene = try await Scene()
        let query = try sets([
            CredentialSetQuery(options: [["pid"]]), CredentialSetQuery(options: [["mdl"]], isRequired: false),
        ])
        let request = try scene.request(query)
        let pid = try await scene.presentedSDJWT(request)
        let wrong = try await scene.presentedMdoc(Scene.transcript(request, walletNonce: "W"))
        let verification = try await scene.verify(["pid": pid, "mdl": wrong], request)
        #expect(verification.verified?.answers.map(\.query) == ["pid"])
        #expect(verification.parts.map(\.verification.refusal?.reason) == [nil, .invalidHolderBinding])
        var strict = PresentationPolicy()
        strict.requiresEveryPresentation = true
        try await scene.verify(["pid": pid, "mdl": wrong], request, policy: strict)
            .expectRefusal(.holderBinding, .invalidHolderBinding)
        // The same where it is required.
        let required = try scene.request(Scene.query([.sdJWT, .mdoc]))
        let good = try await scene.presentedSDJWT(required)
        let bad = try await scene.presentedMdoc(Scene.transcript(required, walletNonce: "W"))
        try await scene.verify(["pid": good, "mdl": bad], required)
            .expectRefusal(.holderBinding, .invalidHolderBinding)
    }

    @Test func leavesOutARefusedOneOfSeveral() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]) { $0.allowsMultiple = true })
        let good = try await scene.presentedSDJWT(request)
        let bad = try await scene.presentedSDJWT(request) { $0.audience = "other" }
        let verification = try await scene.verify(["pid": [good, bad]], request)
        #expect(verification.verified?["pid"].count == 1)
        var strict = PresentationPolicy()
        strict.requiresEveryPresentation = true
        try await scene.verify(["pid": [good, bad]], request, policy: strict)
            .expectRefusal(.keyBindingAudience, .claimMismatch)
        try await scene.verify(["pid": [bad, bad]], request).expectRefusal(.keyBindingAudience, .claimMismatch)
    }

    /// Another nonce in one presentation refuses the response, even where others answer the query (section 14.1.2).
    @Test func refusesAnotherNonceInOneOfSeveral() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]) { $0.allowsMultiple = true })
        let good = try await scene.presentedSDJWT(request)
        let bad = try await scene.presentedSDJWT(request) { $0.audience = "other" }
        let replayed = try await scene.presentedSDJWT(request) { $0.nonce = "other" }
        for presentations in [[good, replayed], [replayed, good], [bad, good, replayed]] as [[JSONValue]] {
            try await scene.verify(["pid": .array(presentations)], request).expectRefusal(.nonce, .claimMismatch)
        }
    }

    @Test func refusesAnotherNonceInAnOptionalAnswer() async throws {
        let scene = try await Scene()
        let query = try sets([
            CredentialSetQuery(options: [["mdl"]]), CredentialSetQuery(options: [["pid"]], isRequired: false),
            CredentialSetQuery(options: [["ldp"]], isRequired: false),
        ])
        let request = try scene.request(query)
        let mdl = try await scene.presentedMdoc(Scene.transcript(request))
        let replayed = try await scene.presentedSDJWT(request) { $0.nonce = "other" }
        try await scene.verify(["pid": replayed, "mdl": mdl], request).expectRefusal(.nonce, .claimMismatch)
        let other = try scene.request(query)
        let presentation = try await scene.presentedW3C(.linkedData, other)
        try await scene.verify(["ldp": presentation, "mdl": mdl], request).expectRefusal(.nonce, .claimMismatch)
    }

    /// Another check that refuses the presentation before hides nothing: the same one with the right nonce is left out.
    @Test func refusesAnotherNonceBehindAnotherFault() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]) { $0.allowsMultiple = true })
        let good = try await scene.presentedSDJWT(request)
        let forged = try await scene.sdJWT(signedBy: SoftwareSigner(PrivateKey.generate(.p256)))
        let expired = try await scene.sdJWT { $0["exp"] = 1 }
        for credential in [forged, expired] {
            let fresh = try await scene.presentedSDJWT(request, of: credential)
            let left = try await scene.verify(["pid": [good, fresh]], request)
            #expect(left.verified?["pid"].count == 1)
            for nonce in ["other", ""] {
                let replayed = try await scene.presentedSDJWT(request, of: credential) { $0.nonce = nonce }
                for presentations in [[good, replayed], [replayed, good], [fresh, good, replayed]] as [[JSONValue]] {
                    let verification = try await scene.verify(["pid": .array(presentations)], request)
                    #expect(verification.verified == nil)
                }
            }
        }
        let replayed = try await scene.presentedSDJWT(request, of: forged) { $0.nonce = "other" }
        let answer = try await scene.verify(["pid": [good, replayed]], request).parts.first?.verification
        let finding = answer?.checks.first { $0.check == .nonce }
        #expect(finding?.hasFailed == true && finding?.path == ["presentations[1]"])
    }

    @Test func refusesAnotherNonceOfAW3CPresentationBehindAnotherFault() async throws {
        let scene = try await Scene()
        let query = try sets([
            CredentialSetQuery(options: [["mdl"]]), CredentialSetQuery(options: [["ldp"]], isRequired: false),
        ])
        let request = try scene.request(query)
        let mdl = try await scene.presentedMdoc(Scene.transcript(request))
        func ldp(_ nonce: String?) async throws -> JSONValue {
            var members = try await scene.presentedW3C(.linkedData, request, nonce: nonce).objectValue ?? [:]
            members["holder"] = 1
            return .object(members)
        }
        #expect(try await scene.verify(["ldp": ldp(nil), "mdl": mdl], request).verified?["mdl"].count == 1)
        #expect(try await scene.verify(["ldp": ldp("other"), "mdl": mdl], request).verified == nil)
    }

    @Test func diagnosesOneTranscriptOfAResponse() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.mdoc]) { $0.allowsMultiple = true })
        let wrong = try await scene.presentedMdoc(Scene.transcript(request, walletNonce: "W"))
        let parameters: JSONObject = ["vp_token": ["mdl": [wrong, wrong]]]
        let verification = try await scene.verify(parameters, request, partyUInfo: "W")
        let presentations = try #require(verification.parts.first).verification.parts
        let named = presentations.map { $0.verification.refusal?.message.contains("transcript of") }
        #expect(named == [true, false])
    }

    @Test func makesTheUsersOwnChecks() async throws {
        let scene = try await Scene()
        var policy = PresentationPolicy()
        policy.additionalChecks = [
            AdditionalCheck("family") { response, _ throws(CheckFault) in
                guard response["pid"].first?.claims["family_name"] == "Doe" else {
                    throw .failed("notOfTheFamily", "the name is another one")
                }
            }
        ]
        let request = try scene.request(Scene.query([.sdJWT]))
        let presentation = try await scene.presentedSDJWT(request)
        try await scene.verify(["pid": presentation], request, policy: policy).expectRefusal("family", "notOfTheFamily")
    }

    // MARK: Profiles

    @Test func demandsWhatHAIPDemands() async throws {
        let scene = try await Scene()
        var policy = PresentationPolicy()
        policy.profile = .haip
        let request = try scene.request(Scene.query([.sdJWT]))
        // The issuer's key comes by metadata, where the profile demands certificates.
        let presentation = try await scene.presentedSDJWT(request)
        try await scene.verify(["pid": presentation], request, policy: policy)
            .expectRefusal(.structure, "profileViolation")
        let mdl = try scene.request(Scene.query([.mdoc]))
        let document = try await scene.presentedMdoc(Scene.transcript(mdl))
        #expect(try await scene.verify(["mdl": document], mdl, policy: policy).refusal == nil)
        let two = try await scene.presentedMdoc(
            Scene.transcript(mdl),
            of: [try await scene.mdoc(), try await scene.mdoc()]
        )
        try await scene.verify(["mdl": two], mdl, policy: policy).expectRefusal(.structure, "profileViolation")
        // One that cannot be read is one: {"version": "1.0", "documents": [{}], "status": 0}.
        let malformed: JSONValue = "o2d2ZXJzaW9uYzEuMGlkb2N1bWVudHOBoGZzdGF0dXMA"
        let refused = try await scene.verify(["mdl": malformed], mdl, policy: policy)
        #expect(refused.refusal?.reason == .malformed, "\(String(describing: refused.refusal))")
    }
}

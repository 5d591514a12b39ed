import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import Testing

/// Presentations in each form, and each check of them with a presentation that breaks only it.
struct PresentationTests {
    typealias Form = CredentialScene.Form

    private func refusal(
        _ scene: CredentialScene,
        _ presentation: VerifiablePresentation,
        _ expectation: W3CPresentationExpectation = CredentialScene.expectation,
        _ change: (inout W3CCredentialPolicy) throws -> Void = { _ in }
    ) async throws -> Refusal? {
        let verification = try await scene.verifier(change).verify(presentation, expecting: expectation)
        if let refusal = verification.refusal {
            let failed = verification.checks.filter { $0.hasFailed && $0.check != .holderBinding }.map { $0.check }
            #expect(Set(failed).subtracting([refusal.check]).isEmpty, "\(failed)")
        }
        return verification.refusal
    }

    @Test(arguments: Form.allCases)
    func verifiesPresentations(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let presentation = try await scene.presentation(of: [scene.credential(), scene.credential()])
        let verification = try await scene.verifier().verify(presentation, expecting: CredentialScene.expectation)
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.credentials.count == 2)
        #expect(verified.holder == (try scene.holderDID))
        #expect(try verified.expandedTypes() == ["https://www.w3.org/2018/credentials#VerifiablePresentation"])
        let parts = verification.parts.map { $0.name }.filter { $0 != "document" }
        #expect(parts == ["verifiableCredential[0]", "verifiableCredential[1]"])
        #expect(verification.checks.map { $0.check } == W3CCredentialVerifier.presentationChecks)
    }

    @Test(arguments: Form.allCases)
    func readsPresentationsFromText(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let presentation = try await scene.presentation(of: [scene.credential()])
        let text: [UInt8] =
            switch presentation.form {
            case .linkedData(let document): Array(document.encodedBytes)
            case .token(let token): Array(try token.compactSerialization().utf8)
            }
        #expect(try await refusal(scene, VerifiablePresentation(decoding: text)) == nil)
    }

    @Test(arguments: [Form.dataIntegrity, .token2])
    func verifiesEnvelopedCredentialsBesideOthers(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let others = [try CredentialScene(.dataIntegrity), try CredentialScene(.token2), try CredentialScene(.token1)]
        var credentials: [VerifiableCredential] = []
        for other in others.prefix(2) { credentials.append(try await other.credential()) }
        let presentation = try await scene.presentation(of: credentials)
        #expect(try await refusal(scene, presentation) == nil)
    }

    @Test func verifiesTokensInPresentationsOfVersion1() async throws {
        let scene = try CredentialScene(.token1)
        let other = try CredentialScene(.signature2020)
        let presentation = try await scene.presentation(of: [scene.credential(), other.credential()])
        #expect(try await refusal(scene, presentation) == nil)
    }

    @Test(arguments: Form.allCases)
    func refusesAnotherNonceAudienceAndAge(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let presentation = try await scene.presentation(of: [scene.credential()])
        let nonce = CredentialScene.nonce
        let audience = CredentialScene.audience
        let cases: [(W3CPresentationExpectation, Check, Reason)] = [
            (W3CPresentationExpectation(nonce: "other", audience: audience), .nonce, .claimMismatch),
            (W3CPresentationExpectation(nonce: nil, audience: audience), .nonce, .claimMismatch),
            (
                W3CPresentationExpectation(nonce: nonce, audience: "https://verifier.example/"), .audience,
                .claimMismatch
            ),
            (W3CPresentationExpectation(nonce: nonce, audience: nil), .audience, .claimMismatch),
        ]
        for (expectation, check, reason) in cases {
            let refusal = try await refusal(scene, presentation, expectation)
            #expect(refusal?.check == check)
            #expect(refusal?.reason == reason)
        }
        let old = try await scene.presentation(
            of: [scene.credential()],
            options: { $0.created = CredentialScene.now.addingTimeInterval(-400) },
            claims: { $0.setIssuedAt(CredentialScene.now.addingTimeInterval(-400)) }
        )
        let refusal = try await refusal(scene, old)
        #expect(refusal?.check == .issuedAt)
        #expect(refusal?.reason == .tooOld)
    }

    @Test(arguments: Form.allCases)
    func refusesPresentationsWithoutNonceOrAudience(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let nameless = try await scene.presentation(
            of: [],
            options: { $0.challenge = nil },
            claims: { $0["nonce"] = nil }
        )
        #expect(try await refusal(scene, nameless)?.check == .nonce)
        let open = try await scene.presentation(of: [], options: { $0.domains = [] }, claims: { $0["aud"] = nil })
        #expect(try await refusal(scene, open)?.check == .audience)
        let neither = W3CPresentationExpectation(nonce: nil, audience: nil)
        let plain = try await scene.presentation(
            of: [],
            options: { proof in
                proof.challenge = nil
                proof.domains = []
            },
            claims: { claims in
                claims["nonce"] = nil
                claims["aud"] = nil
            }
        )
        #expect(try await refusal(scene, plain, neither) == nil)
    }

    @Test(arguments: Form.allCases)
    func refusesExpiredPresentations(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let expired = try await scene.presentation(
            of: [],
            options: { $0.expires = CredentialScene.now.addingTimeInterval(-61) },
            claims: { $0.setExpirationTime(CredentialScene.now.addingTimeInterval(-61)) }
        )
        let refusal = try await refusal(scene, expired)
        #expect(refusal?.check == .validity)
        #expect(refusal?.reason == .expired)
    }

    @Test(arguments: Form.allCases)
    func refusesAPresentationThatTheHolderDidNotSign(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let presentation = try await scene.presentation(of: [scene.credential()], with: scene.issuer)
        let refusal = try await refusal(scene, presentation)
        #expect(refusal?.check == .controller)
        #expect(refusal?.reason == .controllerMismatch)
    }

    @Test(arguments: [Form.token1, .token2])
    func refusesAnIssuerThatIsNotTheHolder(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let presentation = try await scene.presentation(of: [], claims: { $0.setIssuer("did:example:other") })
        #expect(try await refusal(scene, presentation)?.check == .claims)
        let unnamed = try await scene.presentation(
            of: [],
            members: { $0["holder"] = nil },
            claims: { $0.setIssuer("did:example:other") }
        )
        #expect(try await refusal(scene, unnamed)?.check == .controller)
    }

    @Test(arguments: [Form.dataIntegrity, .signature2020])
    func refusesAnotherPurpose(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let presentation = try await scene.presentation(of: [], options: { $0.purpose = .assertionMethod })
        let refusal = try await refusal(scene, presentation)
        #expect(refusal?.check == .holderBinding)
        #expect(refusal?.reason == .unexpectedPurpose)
    }

    @Test(arguments: Form.allCases)
    func namesTheCredentialThatFails(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let foreign = try await scene.credential(with: scene.holder)
        let presentation = try await scene.presentation(of: [scene.credential(), foreign])
        let refusal = try await refusal(scene, presentation)
        #expect(refusal?.check == .credentials)
        #expect(refusal?.reason == .controllerMismatch)
        #expect(refusal?.path == ["verifiableCredential[1]", "issuer"])
    }

    @Test(arguments: Form.allCases)
    func refusesCredentialsAboutOthers(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let other = try await scene.credential { $0["credentialSubject"] = ["id": "did:example:other", "degree": "x"] }
        let presentation = try await scene.presentation(of: [scene.credential(), other])
        let refused = try await refusal(scene, presentation)
        #expect(refused?.check == .subject)
        #expect(refused?.reason == .invalidHolderBinding)
        #expect(refused?.path.first == "verifiableCredential[1]")
        #expect(try await refusal(scene, presentation) { $0.holder = .anyone } == nil)

        let anonymous = try await scene.credential { $0["credentialSubject"] = ["degree": "x"] }
        let bearer = try await scene.presentation(of: [anonymous])
        #expect(try await refusal(scene, bearer) == nil)
        #expect(try await refusal(scene, bearer) { $0.holder = .subject }?.check == .subject)
    }

    @Test(arguments: Form.allCases)
    func doesNotTakeAnEmbeddedCredentialForThePresentation(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential {
            $0["type"] = ["VerifiableCredential", "https://example.org/Alumni"]
        }
        let presentation = try await scene.presentation(of: [credential])
        let verification = try await scene.verifier().verify(presentation, expecting: CredentialScene.expectation)
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(try verified.expandedTypes() == ["https://www.w3.org/2018/credentials#VerifiablePresentation"])
        #expect(try verified.credentials[0].expandedTypes().contains("https://example.org/Alumni"))
        // A presentation is no credential, whatever it holds.
        if case .linkedData(let document) = presentation.form {
            let refusal = try await scene.verifier().verify(VerifiableCredential(.linkedData(document))).refusal
            #expect(refusal?.check == .structure)
        }
    }

    @Test func refusesCredentialsThatOnlyTheGraphHas() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let presentation = try await scene.presentation(
            of: [scene.credential()],
            members: { members in
                members["https://www.w3.org/2018/credentials#verifiableCredential"] = ["@id": "urn:uuid:1"]
            }
        )
        #expect(try await refusal(scene, presentation)?.check == .claims)
    }

    @Test func doesNotFindClaimsOfEmbeddedCredentialsThroughGraphs() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let credential = try await scene.credential { members in
            members["@context"] = .array(
                (members["@context"]?.arrayValue ?? []) + [
                    ["inner": ["@id": "https://example.org/inner", "@container": "@graph"]]
                ]
            )
            members["inner"] = ["degree": "Doctor"]
        }
        let verified = try #require(try await scene.verifier().verify(credential).verified)
        let path: [ExactText] = ["https://example.org/inner", "https://example.org/vocabulary#degree"]
        #expect(try verified.values(ofProperties: path).isEmpty)
    }

    @Test(arguments: Form.allCases)
    func refusesPresentationsThatBreakTheDataModel(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let content = try W3CPresentationContent(version: form.version, holder: "did:example:a", credentials: [])
        let changes: [(String, JSONValue)] = [
            ("type", "VerifiableCredential"), ("holder", "alice"), ("holder", ["name": "Alice"]),
            ("verifiableCredential", 7), ("verifiableCredential", [true]), ("proof", [:]), ("id", "7"),
        ]
        for (name, value) in changes {
            var members = content.members
            members[name] = value
            #expect(throws: LinkedDataError.self, "\(name)") { try W3CPresentationContent(json: members) }
        }
        let presentation = try await scene.presentation(
            of: [],
            members: { $0["holder"] = ["type": "https://example.org/Person"] }
        )
        #expect(try await refusal(scene, presentation)?.check == .structure)
    }

    /// Verifiable Credentials Data Model 2.0, section 4.13: values are objects, and tokens stand in envelopes.
    @Test func refusesTokensAsTextsInVersion2() async throws {
        for (form, check) in [(Form.token1, Check?.none), (.token2, .structure)] {
            let scene = try CredentialScene(form)
            guard case .token(let token) = try await scene.credential().form else { throw CancellationError() }
            let text = JSONValue.string(try token.compactSerialization())
            let presentation = try await scene.presentation(of: [], members: { $0["verifiableCredential"] = [text] })
            #expect(try await refusal(scene, presentation)?.check == check, "\(form)")
        }
    }

    /// A token of the data model 1.1 has not the media type of envelopes, `application/vc+jwt`.
    @Test func refusesTokensOfVersion1InEnvelopes() async throws {
        let scene = try CredentialScene(.token1)
        let credential = try await scene.credential()
        #expect { try W3CPresentationContent(version: .v2, holder: nil, credentials: [credential]) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidCredential
        }
        #expect(throws: Never.self) { try W3CPresentationContent(version: .v1, holder: nil, credentials: [credential]) }
        func envelope(_ kind: String, _ mediaType: String, _ token: JWT) throws -> JSONObject {
            [
                "@context": .string(DataModelVersion.v2.contextURL), "type": .string("EnvelopedVerifiable" + kind),
                "id": .string("data:\(mediaType),\(try token.compactSerialization())"),
            ]
        }
        guard case .token(let token) = credential.form else { throw CancellationError() }
        let enveloped = try envelope("Credential", "application/vc+jwt", token)
        #expect { try VerifiableCredential(json: enveloped) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidCredential
        }
        guard case .token(let presentation) = try await scene.presentation(of: [credential]).form else {
            throw CancellationError()
        }
        let outer = try envelope("Presentation", "application/vp+jwt", presentation)
        #expect { try VerifiablePresentation(json: outer) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidCredential
        }
    }

    @Test(arguments: Form.allCases)
    func demandsATypeOfTermsOfUse(_ form: Form) throws {
        var members = try W3CPresentationContent(version: form.version, holder: nil, credentials: []).members
        members["termsOfUse"] = [["type": "https://example.org/Policy"], ["id": "urn:a"]]
        #expect { try W3CPresentationContent(json: members) } throws: {
            ($0 as? LinkedDataError)?.path == ["termsOfUse", "type"]
        }
        members["termsOfUse"] = ["type": "https://example.org/Policy"]
        #expect(throws: Never.self) { try W3CPresentationContent(json: members) }
    }

    @Test func boundsTheNumberOfCredentials() async throws {
        let scene = try CredentialScene(.token2)
        let credential = try await scene.credential()
        let content = try W3CPresentationContent(holder: nil, credentials: [credential, credential])
        #expect(try W3CPresentationContent(json: content.members, limits: DocumentLimits(credentials: 2)).id == nil)
        #expect { try W3CPresentationContent(json: content.members, limits: DocumentLimits(credentials: 1)) } throws: {
            ($0 as? LinkedDataError)?.code == .limitExceeded
        }
    }

    /// Verifiable Credentials Data Model 2.0, section 4.13, asks for a context, an identifier and a type, and forbids no others.
    @Test(arguments: [
        "data:application/vc+jwt,", "data:application/vc+jwt;charset=utf-8,", "DATA:Application/VC+JWT;a=b;c,",
    ])
    func readsTheTokenOfAnEnvelopeAlone(_ prefix: String) async throws {
        let scene = try CredentialScene(.token2)
        let credential = try await scene.credential()
        guard case .token(let token) = credential.form else {
            Issue.record("\(credential.form)")
            return
        }
        let text = try token.compactSerialization()
        let presentation = try await scene.presentation(of: [credential]) { members in
            members["verifiableCredential"] = [
                "@context": "https://www.w3.org/ns/credentials/v2", "type": "EnvelopedVerifiableCredential",
                "id": .string(prefix + text), "name": "A name", "issuer": "did:example:other",
            ]
        }
        let verification = try await scene.verifier().verify(presentation, expecting: CredentialScene.expectation)
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.credentials.first?.content.issuer.id.text == (try scene.issuerDID.text))
        #expect(verified.credentials.first?.content.members["name"] == nil)
    }

    @Test(arguments: [
        "data:application/vp+jwt,eyJ", "data:application/vc+jwt;base64,eyJ", "https://example.org/vc", "data:,eyJ",
        "data:application/vc+jwt;a=b;BASE64,eyJ", "data:application/vc+jwt", "data:application/vc+jwtx,eyJ", "",
    ])
    func refusesOtherEnvelopes(_ id: String) throws {
        let envelope: JSONObject = [
            "@context": "https://www.w3.org/ns/credentials/v2", "id": .string(id),
            "type": "EnvelopedVerifiableCredential",
        ]
        #expect { try VerifiableCredential(json: envelope) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidCredential
        }
        var extended = envelope
        extended["id"] = "data:application/vc+jwt,eyJ"
        extended["credentialSubject"] = ["id": "did:example:a"]
        #expect { try VerifiableCredential(json: extended) } throws: {
            ($0 as? LinkedDataError)?.path == ["credentialSubject"]
        }
        extended = [
            "@context": "https://www.w3.org/ns/credentials/v2", "id": "data:application/vp+jwt,eyJ",
            "type": "EnvelopedVerifiablePresentation", "verifiableCredential": [],
        ]
        #expect { try VerifiablePresentation(json: extended) } throws: {
            ($0 as? LinkedDataError)?.path == ["verifiableCredential"]
        }
    }

    @Test func readsClaimsPathPointers() throws {
        let path = try W3CCredentialPath(json: ["a", .null, 1, "b"])
        #expect(path.steps == [.member("a"), .everyElement, .element(1), .member("b")])
        for value: JSONValue in [[], [true], [-1], "a", ["a", [:]]] {
            #expect(throws: LinkedDataError.self) { try W3CCredentialPath(json: value) }
        }
        #expect { try W3CCredentialPath(Array(repeating: .everyElement, count: 65)) } throws: {
            ($0 as? LinkedDataError)?.code == .limitExceeded
        }
    }
}

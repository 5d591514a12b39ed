import CBORKit
import CryptoCore
import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import Testing

/// Derived proofs in the verifier of credentials and presentations.
struct DisclosureVerificationTests {
    private let scene: DisclosureScene

    init() throws {
        scene = try DisclosureScene()
    }

    @Test func verifiesCredentials() async throws {
        let derived = try await scene.derived("/credentialSubject/degree/name")
        let read = try VerifiableCredential(decoding: derived.encodedBytes)
        let verification = await (try scene.verifier()).verify(read)
        let credential = try #require(verification.verified, "\(String(describing: verification.refusal))")
        let path = try W3CCredentialPath([.member("credentialSubject"), .member("degree"), .member("name")])
        #expect(credential.values(at: path) == ["Bachelor"])
        #expect(credential.content.validFrom == nil)
    }

    @Test func verifiesPresentations() async throws {
        let credential = VerifiableCredential(.linkedData(try await scene.derived("/credentialSubject/name")))
        let content = try W3CPresentationContent(
            version: .v2,
            holder: scene.holderDID.text,
            credentials: [credential]
        )
        var options = try ProofScene.options(for: scene.holder.publicKey)
        options.purpose = .authentication
        options.challenge = CredentialScene.nonce
        options.domains = [CredentialScene.audience]
        let signed = try await LinkedDataProver().sign(
            content.members,
            suite: .ecdsaRDFC2019,
            options: options,
            with: scene.holder
        )
        let presentation = try VerifiablePresentation(decoding: signed.encodedBytes)
        let verification = await (try scene.verifier()).verify(presentation, expecting: CredentialScene.expectation)
        #expect(verification.verified?.credentials.count == 1, "\(String(describing: verification.refusal))")
    }

    @Test func verifiesWhatASignerAddsBehindADerivedProof() async throws {
        var options = try scene.options()
        options.id = "urn:uuid:1"
        let base = try await LinkedDataProver().sign(
            scene.members(),
            suite: .ecdsaSD2023,
            options: options,
            with: scene.issuer
        )
        let derived = try await scene.derived("/credentialSubject/name", from: base)
        let chain = try await ProofScene.signed(derived.unverifiedMembers) { $0.previousProofs = ["urn:uuid:1"] }
        let verification = await ProofScene.verifier().verify(chain, expecting: LinkedDataExpectation())
        #expect(verification.verified?.proofs.count == 2, "\(String(describing: verification.refusal))")
        let broken = try chain.changed { $0["validUntil"] = nil }
        #expect(await ProofScene.verifier().verify(broken, expecting: LinkedDataExpectation()).verified == nil)
    }

    @Test func checksTimesPurposesAndChallenges() async throws {
        func derived(_ change: (inout LinkedDataProofOptions) -> Void) async throws -> SecuredDocument {
            var options = try scene.options()
            change(&options)
            let base = try await LinkedDataProver().sign(
                scene.members(),
                suite: .ecdsaSD2023,
                options: options,
                with: scene.issuer
            )
            return try await scene.derived("/credentialSubject/name", from: base)
        }
        let cases: [(Check, (inout LinkedDataProofOptions) -> Void)] = [
            (.validity, { $0.expires = ProofScene.now.addingTimeInterval(-3600) }),
            (.issuedAt, { $0.created = ProofScene.now.addingTimeInterval(3600) }),
            (.proofPurpose, { $0.purpose = .authentication }), (.nonce, { $0.challenge = "n" }),
            (.audience, { $0.domains = ["https://other.example"] }),
        ]
        for (check, change) in cases {
            let verification = await ProofScene.verifier().verify(
                try await derived(change),
                expecting: LinkedDataExpectation()
            )
            #expect(verification.refusal(ofPart: "proof")?.check == check)
        }
        let options: [String] = ["created", "verificationMethod", "proofPurpose"]
        let signed = try await derived { _ in }
        for name in options {
            let changed = try signed.changedProof { $0[name] = nil }
            let verification = await ProofScene.verifier().verify(changed, expecting: LinkedDataExpectation())
            #expect(verification.verified == nil, "\(name)")
        }
    }

    @Test func refusesAnIssuerThatDidNotSign() async throws {
        let other = try DisclosureScene()
        var members = try other.members()
        members["issuer"] = "did:example:university"
        let base = try await other.base(members)
        let derived = try await other.derived("/credentialSubject/name", from: base)
        let verifier = W3CCredentialVerifier(trust: .issuers(["did:example:university"]), clock: { ProofScene.now })
        let verification = await verifier.verify(VerifiableCredential(.linkedData(derived)))
        #expect(verification.verified == nil)
    }

    /// The same rules hold for the form of the JSON as with other suites over the graph.
    @Test(arguments: ChangeOfForm.all)
    func refusesOtherFormsOfTheJSON(_ form: ChangeOfForm) async throws {
        var members = try scene.members()
        members["id"] = "urn:uuid:7"
        var subject = members["credentialSubject"]?.objectValue ?? [:]
        subject["address"] = ["id": "urn:home", "city": "Bern"]
        members["credentialSubject"] = .object(subject)
        members["https://example.org/place"] = subject["address"]
        let base = try await scene.base(members)
        let derived = try await scene.derived(
            "/credentialSubject/degree",
            "/credentialSubject/address",
            "/https:~1~1example.org~1place",
            from: base
        )
        let verifier = try scene.verifier()
        let unchanged = await verifier.verify(VerifiableCredential(.linkedData(derived)))
        #expect(unchanged.verified != nil, "\(String(describing: unchanged.refusal))")
        let changed = try derived.changed(form.change)
        #expect(await ProofScene.verifier().verify(changed, expecting: LinkedDataExpectation()).verified != nil)
        let verification = await verifier.verify(VerifiableCredential(.linkedData(changed)))
        #expect(verification.refusal?.check == .claims)
        #expect(verification.refusal?.reason == .claimMismatch)
    }

    @Test func toleratesOtherFormsByName() async throws {
        let derived = try await scene.derived("/credentialSubject/degree")
        let changed = try derived.changed { try ChangeOfForm.valueObject.change(&$0) }
        var policy = W3CCredentialPolicy()
        policy.tolerances = [.otherForms]
        let tolerant = await (try scene.verifier(policy)).verify(VerifiableCredential(.linkedData(changed)))
        #expect(tolerant.verified != nil, "\(String(describing: tolerant.refusal))")
        #expect(tolerant.deviations.contains { $0.tolerance == "otherForms" })
    }

    /// A holder may leave out what the issuer did not make mandatory, and nothing of it is read.
    @Test func readsNothingThatWasNotDisclosed() async throws {
        let base = try await scene.base(mandatory: ["/issuer"])
        let derived = try await scene.derived("/credentialSubject/course/1", from: base)
        let verification = await (try scene.verifier()).verify(VerifiableCredential(.linkedData(derived)))
        let credential = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(credential.content.validUntil == nil)
        for (member, count) in [("name", 0), ("degree", 0), ("course", 1)] {
            let path = try W3CCredentialPath([.member("credentialSubject"), .member(ExactText(member))])
            #expect(credential.values(at: path).count == count, "\(member)")
        }
    }

    /// Without a word from the issuer, a credential's restrictions are mandatory.
    @Test func makesRestrictionsMandatoryByDefault() async throws {
        let base = try await LinkedDataProver().sign(
            scene.members(),
            suite: .ecdsaSD2023,
            options: ProofScene.options(for: scene.issuer.publicKey),
            with: scene.issuer
        )
        #expect(try ProofValueParts(base).array(4) == ["/issuer", "/validFrom", "/validUntil"])
        let derived = try await scene.derived("/credentialSubject/name", from: base)
        let verifier = W3CCredentialVerifier(
            trust: .issuers([ExactText(try scene.issuerDID.text)]),
            clock: { DisclosureScene.now.addingTimeInterval(7 * 86_400) }
        )
        let verification = await verifier.verify(VerifiableCredential(.linkedData(derived)))
        #expect(verification.refusal?.reason == .expired)
    }

    @Test func showsWhatADerivedProofSigns() async throws {
        let derived = try await scene.derived("/credentialSubject/degree")
        let input = try ProofScene.verifier().input(ofProofAt: 0, in: derived)
        #expect(input.statements.count == (try ProofValueParts(derived)).array(2).count)
        #expect(input.hashData == input.optionsDigest + input.statementKey + input.documentDigest)
        let base = try await scene.base()
        #expect { try ProofScene.verifier().input(ofProofAt: 0, in: base) } throws: {
            ($0 as? LinkedDataError)?.code == .invalidProofValue
        }
    }
}

/// A change of a disclosed document that leaves its statements as they are.
struct ChangeOfForm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout JSONObject) throws -> Void

    private init(_ testDescription: String, _ change: @escaping @Sendable (inout JSONObject) throws -> Void) {
        self.testDescription = testDescription
        self.change = change
    }

    private static func changeSubject(_ members: inout JSONObject, _ change: (inout JSONObject) -> Void) {
        var subject = members["credentialSubject"]?.objectValue ?? [:]
        change(&subject)
        members["credentialSubject"] = .object(subject)
    }

    static let valueObject = ChangeOfForm("needless value object") { members in
        changeSubject(&members) { $0["degree"] = ["name": ["@value": "Bachelor"], "grade": "first"] }
    }

    static let all = [
        valueObject,
        ChangeOfForm("end of validity under its IRI") { members in
            let end = members["validUntil"] ?? .null
            members["validUntil"] = nil
            members["https://www.w3.org/2018/credentials#validUntil"] = [
                "@value": end, "@type": "http://www.w3.org/2001/XMLSchema#dateTime",
            ]
        },
        ChangeOfForm("end of validity below @included") { members in
            let moved: JSONObject = [
                "id": members["id"] ?? .null, "type": "VerifiableCredential",
                "validUntil": members["validUntil"] ?? .null,
            ]
            members["validUntil"] = nil
            members["@included"] = [.object(moved)]
        },
        ChangeOfForm("statement of a node in a second place") { members in
            changeSubject(&members) { $0["address"] = ["id": "urn:home"] }
        },
        ChangeOfForm("label of a blank node") { members in
            changeSubject(&members) { $0["degree"] = ["id": "_:b", "name": "Bachelor", "grade": "first"] }
        },
        ChangeOfForm("needless @set") { members in
            changeSubject(&members) { $0["degree"] = ["name": ["@set": ["Bachelor"]], "grade": "first"] }
        },
    ]
}

import CryptoCore
import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import OID4VPKit
import OID4VPMessages
import Testing

/// Credentials with a base proof of `ecdsa-sd-2023`, of which a presentation discloses what is asked for.
struct DerivedProofPresentationTests {
    private static let example = "https://club.example/"

    private let scene: PresentationScene
    private let issuer: SoftwareSigner

    init() async throws {
        scene = try await PresentationScene.make()
        issuer = try SoftwareSigner(PrivateKey.generate(.p256))
    }

    private var issuerDID: DID { get throws { try DID.key(issuer.publicKey) } }

    /// A credential about the holder with the base proof, and perhaps with another proof.
    private func credential(
        _ name: CredentialName = "diploma",
        mandatory: [String] = ["/issuer", "/validUntil"],
        hasOtherProof: Bool = false
    ) async throws -> W3CCredential {
        let terms = ["Diploma", "level", "degree", "grade", "topic", "secret", "hobby"]
        var context = JSONObject(terms.map { ($0, .string(Self.example + $0)) })
        context["path"] = ["@id": .string(Self.example + "path"), "@container": "@list"]
        var members = try W3CCredentialContent(
            types: ["Diploma"],
            contexts: [.object(context)],
            issuer: issuerDID.text,
            subjects: [
                [
                    "id": .string(scene.holderDID.text), "level": "gold", "secret": "Hush",
                    "degree": [
                        ["type": "Diploma", "topic": "Algebra", "grade": "6"],
                        ["type": "Diploma", "topic": "Biology", "grade": "5"],
                        ["type": "Diploma", "topic": "Chemistry", "grade": "4"],
                    ],
                    "hobby": ["chess", "golf", "judo"], "path": ["north", "south"],
                ]
            ],
            validFrom: PresentationScene.now - 86_400,
            validUntil: PresentationScene.now + 86_400
        ).members
        let url = try DIDURL("\(issuerDID.text)#\(issuerDID.identifier)")
        var options = LinkedDataProofOptions(verificationMethod: url, created: PresentationScene.now - 60)
        let prover = LinkedDataProver()
        if hasOtherProof {
            members = try await prover.sign(members, suite: .ecdsaRDFC2019, options: options, with: issuer)
                .unverifiedMembers
        }
        options.mandatoryPointers = try mandatory.map { try JSONPointer($0) }
        let signed = try await prover.sign(members, suite: .ecdsaSD2023, options: options, with: issuer)
        return try W3CCredential(name: name, VerifiableCredential(.linkedData(signed)))
    }

    private static func query(_ claims: JSONValue?, isBound: Bool = true) -> JSONObject {
        var query: JSONObject = [
            "id": "q", "format": "ldp_vc", "meta": ["type_values": [[.string(example + "Diploma")]]],
            "require_cryptographic_holder_binding": .bool(isBound),
        ]
        query["claims"] = claims
        return PresentationScene.dcql(.object(query))
    }

    private static func descriptor(_ id: String, _ paths: String...) -> JSONValue {
        let fields = paths.map { path -> JSONValue in ["path": [.string(path)]] }
        return [
            "id": .string(id), "format": ["ldp_vc": [:]],
            "constraints": ["limit_disclosure": "required", "fields": .array(fields)],
        ]
    }

    /// The presentation as sent, and the credentials that a verifier finds in it.
    private func answer(
        _ credential: W3CCredential,
        to query: JSONObject,
        others: JSONObject = [:]
    ) async throws -> (sent: String, claims: JSONObject, disclosed: [JSONObject]) {
        let request = try await PresentationScene.request(query, others: others)
        let plan = try request.1.evaluate(over: [credential], at: PresentationScene.now).preferredPlan()
        let disclosed = try plan.entries.map { try PresentableCredential.w3c(credential).disclosedClaims(of: $0.match) }
        let token = try await scene.answer([.w3c(credential)], for: request)
        let presentations: [JSONValue] =
            switch token {
            case .queries(let answers): answers.flatMap(\.presentations)
            case .definition(let presentations, _): presentations
            }
        let sent = try #require(presentations.first)
        let verifier = W3CCredentialVerifier(
            trust: .issuers([ExactText(try issuerDID.text)]),
            clock: { PresentationScene.now }
        )
        let members = try #require(sent.objectValue)
        guard members["type"] == "VerifiablePresentation" || members["type"]?[0] == "VerifiablePresentation" else {
            let verified = try await verifier.verify(VerifiableCredential(json: members)).get()
            return (sent.text(), verified.content.members, disclosed)
        }
        let expectation = W3CPresentationExpectation(
            nonce: ExactText(PresentationScene.nonce),
            audience: ExactText(PresentationScene.clientID)
        )
        let verified = try await verifier.verify(VerifiablePresentation(json: members), expecting: expectation).get()
        #expect(verified.credentials.count == 1)
        return (sent.text(), try #require(verified.credentials.first).content.members, disclosed)
    }

    private func expectNoBaseProof(_ sent: String, of credential: W3CCredential) throws {
        guard case .linkedData(let document) = credential.credential.form else { return }
        for proof in document.proofs {
            let value = try #require(proof.members["proofValue"]?.stringValue)
            #expect(!sent.contains(value) && !sent.contains(value.prefix(32)))
        }
    }

    @Test(arguments: [false, true])
    func disclosesTheClaimsThatAreAskedFor(_ hasOtherProof: Bool) async throws {
        let credential = try await credential(hasOtherProof: hasOtherProof)
        #expect(credential.disclosesSelectively)
        #expect(credential.issuerAlgorithms == ["DataIntegrityProof", "ecdsa-sd-2023"])
        let query = Self.query([["path": ["credentialSubject", "level"]]])
        let (sent, claims, disclosed) = try await answer(credential, to: query)
        try expectNoBaseProof(sent, of: credential)
        #expect(claims["credentialSubject"] == ["id": .string(scene.holderDID.text), "level": "gold"])
        #expect(claims.contains("issuer") && claims.contains("validUntil") && !claims.contains("validFrom"))
        for word in ["Hush", "Algebra", "chess"] { #expect(!sent.contains(word)) }
        #expect(disclosed == [claims])
    }

    /// Nothing but what is mandatory and what the data model demands (OpenID4VP 1.0, section 6.4.1).
    @Test(arguments: [["/issuer", "/validUntil"], ["/validUntil"], []])
    func disclosesNoClaimWithoutClaims(_ mandatory: [String]) async throws {
        let credential = try await credential(mandatory: mandatory)
        let (sent, claims, disclosed) = try await answer(credential, to: Self.query(nil))
        try expectNoBaseProof(sent, of: credential)
        #expect(claims["credentialSubject"] == ["id": .string(scene.holderDID.text)])
        #expect(claims["issuer"] == .string(try issuerDID.text))
        #expect(disclosed == [claims])
    }

    @Test func presentsADerivedCredentialAlone() async throws {
        let credential = try await credential()
        let query = Self.query([["path": ["credentialSubject", "level"]]], isBound: false)
        let others: JSONObject = ["state": "aaaaaaaaaaaaaaaaaaaaaaaa"]
        let (sent, claims, _) = try await answer(credential, to: query, others: others)
        try expectNoBaseProof(sent, of: credential)
        #expect(claims["credentialSubject"]?["level"] == "gold" && !sent.contains("Hush"))
    }

    /// A verifier finds an element by its place; those before it say no more than their type.
    @Test func keepsThePlacesOfElements() async throws {
        let credential = try await credential()
        let query = Self.query([["path": ["credentialSubject", "degree", 1, "topic"]]])
        let (_, claims, disclosed) = try await answer(credential, to: query)
        #expect(
            claims["credentialSubject"]?["degree"] == [["type": "Diploma"], ["type": "Diploma", "topic": "Biology"]]
        )
        #expect(disclosed == [claims])
        let texts = Self.query([["path": ["credentialSubject", "hobby", 1]]])
        #expect(try await answer(credential, to: texts).claims["credentialSubject"]?["hobby"] == ["chess", "golf"])
    }

    /// Of elements that are asked for by their values, no others are disclosed.
    @Test func disclosesTheElementsOfTheValues() async throws {
        let credential = try await credential()
        let query = Self.query([
            ["path": ["credentialSubject", "degree", .null, "topic"], "values": ["Chemistry"]],
            ["path": ["credentialSubject", "hobby", .null], "values": ["judo"]],
        ])
        let subject = try await answer(credential, to: query).claims["credentialSubject"]
        #expect(subject?["degree"] == [["type": "Diploma", "topic": "Chemistry"]])
        #expect(subject?["hobby"] == ["judo"])
    }

    @Test func disclosesAllElements() async throws {
        let credential = try await credential()
        let query = Self.query([
            ["path": ["credentialSubject", "degree", .null, "grade"]], ["path": ["credentialSubject", "path", .null]],
        ])
        let subject = try await answer(credential, to: query).claims["credentialSubject"]
        #expect(subject?["degree"]?.arrayValue?.map { $0["grade"] } == ["6", "5", "4"])
        #expect(subject?["degree"]?.arrayValue?.allSatisfy { $0["topic"] == nil } == true)
        #expect(subject?["path"] == ["north", "south"])
    }

    @Test func answersDescriptorsThatLimitDisclosure() async throws {
        let credential = try await credential()
        let definition = PresentationScene.definition(
            Self.descriptor("a", "$.credentialSubject.level"),
            Self.descriptor("b", "$.credentialSubject.degree[1].topic", "$.credentialSubject.hobby[*]")
        )
        let (sent, claims, disclosed) = try await answer(credential, to: definition)
        try expectNoBaseProof(sent, of: credential)
        let subject = claims["credentialSubject"]
        #expect(subject?["level"] == "gold" && subject?["hobby"] == ["chess", "golf", "judo"])
        #expect(subject?["degree"] == [["type": "Diploma"], ["type": "Diploma", "topic": "Biology"]])
        #expect(!sent.contains("Hush"))
        #expect(disclosed.count == 2 && disclosed[0]["credentialSubject"]?["hobby"] == nil)
    }

    /// A filter or a step with no counterpart in DCQL does not count elements.
    @Test func disclosesTheElementsThatAFilterAccepts() async throws {
        let credential = try await credential()
        var field: JSONObject = ["path": ["$.credentialSubject.hobby[*]"]]
        field["filter"] = ["const": "golf"]
        let last: JSONValue = ["path": ["$.credentialSubject.degree[-1].topic"]]
        let descriptor: JSONValue = [
            "id": "a", "format": ["ldp_vc": [:]], "constraints": ["fields": [.object(field), last]],
        ]
        let (_, claims, _) = try await answer(credential, to: PresentationScene.definition(descriptor))
        #expect(claims["credentialSubject"]?["hobby"] == ["golf"])
        #expect(claims["credentialSubject"]?["degree"] == [["type": "Diploma", "topic": "Chemistry"]])
    }

    /// Other proofs sign the credential as a whole.
    @Test func limitsDisclosureOfNoOtherCredential() async throws {
        let request = try await PresentationScene.request(
            PresentationScene.definition(Self.descriptor("a", "$.credentialSubject.level"))
        )
        let result = try await request.1.evaluate(over: [scene.linkedData().queryable], at: PresentationScene.now)
        #expect(result.queries[0].mismatches.map(\.reason) == [.limitedDisclosure])
    }

    /// A derived proof is presented as it is.
    @Test func presentsADerivedProofOfTheWallet() async throws {
        let base = try await credential()
        guard case .linkedData(let document) = base.credential.form else { return }
        let level = try JSONPointer("/credentialSubject/level")
        let subject = try JSONPointer("/credentialSubject/id")
        let derived = try LinkedDataProver().derive(from: document, revealing: [level, subject])
        #expect(!derived.proofs[0].isBaseProof && document.proofs[0].isBaseProof)
        let credential = try W3CCredential(name: "derived", VerifiableCredential(.linkedData(derived)))
        #expect(!credential.disclosesSelectively)
        let (_, claims, _) = try await answer(credential, to: Self.query(nil))
        #expect(claims == derived.unverifiedDocument)
    }

    /// A part of a list says something else than the list.
    @Test func refusesWhatCannotBeDerived() async throws {
        let credential = try await credential()
        let request = try await PresentationScene.request(
            Self.query([["path": ["credentialSubject", "path", 0]]])
        )
        await expect(.presentationFailed) {
            _ = try await scene.prepare([.w3c(credential)], for: request)
        }
        let plan = try request.1.evaluate(over: [credential], at: PresentationScene.now).preferredPlan()
        let match = plan.entries[0].match
        await expect(.presentationFailed) {
            _ = try PresentableCredential.w3c(credential).disclosedClaims(of: match)
        }
    }

    /// A value that cannot be read may be a base proof.
    @Test func neverPresentsAProofOfTheSuiteThatCannotBeRead() async throws {
        var members = try #require(try await credential().credential.unverifiedObject)
        members["proof"] = members["proof"]?.objectValue.map { proof in
            var proof = proof
            proof["proofValue"] = "u2V0B"
            return .object(proof)
        }
        let credential = try W3CCredential(name: "broken", VerifiableCredential(json: members))
        let request = try await PresentationScene.request(Self.query(nil))
        await expect(.presentationFailed) {
            _ = try await scene.prepare([.w3c(credential)], for: request)
        }
    }

    /// The signatures that the verifier takes are compared with the proof that is presented.
    @Test func matchesTheSuiteOfTheBaseProof() async throws {
        let credential = try await credential(hasOtherProof: true)
        for (suite, isMatch) in [("ecdsa-rdfc-2019", false), ("ecdsa-sd-2023", true)] {
            let request = try await PresentationScene.request(
                Self.query(nil),
                others: [
                    "client_metadata": [
                        "vp_formats_supported": [
                            "ldp_vc": [
                                "proof_type_values": ["DataIntegrityProof"], "cryptosuite_values": [.string(suite)],
                            ]
                        ]
                    ]
                ]
            )
            #expect(try request.1.evaluate(over: [credential], at: PresentationScene.now).isSatisfied == isMatch)
        }
    }
}

extension VerifiableCredential {
    fileprivate var unverifiedObject: JSONObject? {
        if case .linkedData(let document) = form { document.unverifiedMembers } else { nil }
    }
}

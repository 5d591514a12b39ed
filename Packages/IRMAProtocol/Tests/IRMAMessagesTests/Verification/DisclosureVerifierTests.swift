import Foundation
import IRMAMessages
import IdemixCore
import Testing

/// Disclosures against requests: what is verified, and every reason that refuses.
@Suite struct DisclosureVerifierTests {
    private let scene: Scene

    init() throws {
        scene = try Scene.shared.get()
    }

    private let name = AttributeRequest("demo.bank.card.name")
    private let level = AttributeRequest("demo.bank.card.level")
    private let address = AttributeRequest("demo.bank.mail.address")
    private let domain = AttributeRequest("demo.bank.mail.domain")

    private func expect(
        _ outcome: DisclosureOutcome,
        _ status: ProofStatus,
        _ check: Check? = nil,
        at component: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let refusal = outcome.verification.refusal
        #expect(outcome.proofStatus == status, "\(outcome.verification.checks)", sourceLocation: sourceLocation)
        if let check {
            #expect(refusal?.check == check, "\(String(describing: refusal))", sourceLocation: sourceLocation)
        }
        if let component {
            #expect(
                refusal?.path.contains(component) == true,
                "\(String(describing: refusal))",
                sourceLocation: sourceLocation
            )
        }
    }

    @Test func attributesOfSeveralCredentialsAreListedByDisjunction() throws {
        let request = scene.request([[[name]], [[address, domain]]])
        let response = try scene.response(
            [(scene.card(), [2]), (scene.mail(), [2, 3])],
            indices: [[(0, 2)], [(1, 2), (1, 3)]],
            to: request
        )
        let outcome = scene.outcome(of: response, to: request)
        expect(outcome, .valid)
        let verified = try outcome.verification.get()
        #expect(verified.disclosed.map { $0.map(\.rawValue) } == [["Alice"], ["a@example.com", "example.com"]])
        #expect(verified.disclosed.joined().allSatisfy { $0.status == .present && !$0.isNotRevoked })
    }

    @Test func unansweredDisjunctionIsNamed() throws {
        let request = scene.request([[[name]], [[address]]])
        let response = try scene.response([(scene.card(), [2])], indices: [[(0, 2)], []], to: request)
        let outcome = scene.outcome(of: response, to: request)
        expect(outcome, .missingAttributes, .requestedAttributes, at: "disclose[1]")
        #expect(outcome.disclosed.map { $0?.count } == [1, nil])
    }

    @Test func requiredValueHasToBeTheSame() throws {
        let request = scene.request([[[AttributeRequest("demo.bank.card.name", value: "Bob")]]])
        let response = try scene.response([(scene.card(), [2])], indices: [[(0, 2)]], to: request)
        let outcome = scene.outcome(of: response, to: request)
        expect(outcome, .missingAttributes, .requestedAttributes, at: "disclose[0]")
        #expect(outcome.disclosed.last??.map(\.status) == [.extra])
        let other = try scene.response([(scene.card("Bob"), [2])], indices: [[(0, 2)]], to: request)
        expect(scene.outcome(of: other, to: request), .valid)
    }

    @Test func requiredValueIsComparedByItsBytes() throws {
        let request = scene.request([[[AttributeRequest("demo.bank.card.name", value: "\u{e9}")]]])
        let response = try scene.response([(scene.card("e\u{301}"), [2])], indices: [[(0, 2)]], to: request)
        expect(scene.outcome(of: response, to: request), .missingAttributes)
    }

    @Test func attributesThatWereNotAskedForAreExtra() throws {
        let request = scene.request([[[name]]])
        let response = try scene.response([(scene.card(), [2, 4])], indices: [[(0, 2)]], to: request)
        let disclosed = try scene.outcome(of: response, to: request).verification.get().disclosed
        #expect(disclosed.map { $0.map(\.status) } == [[.present], [.extra]])
        #expect(disclosed.last?.map(\.id) == ["demo.bank.card.number"])
    }

    @Test func optionalDisjunctionMayBeSkipped() throws {
        let request = scene.request([[[name], []]])
        let response = try scene.response([], indices: [[]], to: request)
        let outcome = scene.outcome(of: response, to: request)
        expect(outcome, .valid)
        #expect(try outcome.verification.get().disclosed == [[]])
        let demanding = scene.request([[[name]]])
        expect(scene.outcome(of: response, to: demanding), .missingAttributes)
    }

    @Test func absentOptionalAttributeIsNull() throws {
        let credential = try scene.card(level: nil)
        let request = scene.request([[[level]]])
        let response = try scene.response([(credential, [3])], indices: [[(0, 3)]], to: request)
        let disclosed = try scene.outcome(of: response, to: request).verification.get().disclosed
        #expect(disclosed.first?.first?.status == .null)
        #expect(disclosed.first?.first?.rawValue == nil)
        let strict = scene.request([[[AttributeRequest("demo.bank.card.level", isPresenceRequired: true)]]])
        expect(scene.outcome(of: response, to: strict), .missingAttributes)
    }

    @Test func attributesThatTheTypeGainedLaterAreAbsent() throws {
        let credential = try scene.credential(Scene.card, ["Alice", "7", "1"])
        let request = scene.request([[[name, AttributeRequest("demo.bank.card.note")]]])
        let response = try scene.response([(credential, [2])], indices: [[(0, 2), (0, 5)]], to: request)
        let disclosed = try scene.outcome(of: response, to: request).verification.get().disclosed
        #expect(disclosed.first?.map(\.status) == [.present, .null])
    }

    @Test func possessionIsShownByTheMetadata() throws {
        let request = scene.request([[[AttributeRequest("demo.bank.card")]]])
        let response = try scene.response([(scene.card(), [])], indices: [[(0, 1)]], to: request)
        let disclosed = try scene.outcome(of: response, to: request).verification.get().disclosed
        #expect(disclosed.first?.first?.rawValue == "present")
        let wrongPlace = try scene.response([(scene.card(), [2])], indices: [[(0, 2)]], to: request)
        expect(scene.outcome(of: wrongPlace, to: request), .missingAttributes)
    }

    @Test func oneConjunctionTakesOneInstance() throws {
        let request = scene.request([[[address, domain]], [[], [domain]]])
        let shown: [(IdemixCredential, Set<Int>)] = [
            (try scene.mail(), [2, 3]), (try scene.mail("b@example.org", domain: "example.org"), [2, 3]),
        ]
        let mixed = try scene.response(shown, indices: [[(0, 2), (1, 3)], []], to: request)
        expect(scene.outcome(of: mixed, to: request), .missingAttributes, .requestedAttributes, at: "disclose[0]")
        let apart = try scene.response(shown, indices: [[(0, 2), (0, 3)], [(1, 3)]], to: request)
        expect(scene.outcome(of: apart, to: request), .valid)
    }

    @Test func secondSingletonIsRefused() throws {
        let request = scene.request([[[name]], [[level]]])
        let response = try scene.response(
            [(scene.card(), [2]), (scene.card("Bob"), [3])],
            indices: [[(0, 2)], [(1, 3)]],
            to: request
        )
        expect(scene.outcome(of: response, to: request), .invalid, .singletons, at: "proofs[1]")
    }

    @Test(arguments: [(1, 2), (0, 0), (9, 9)])
    func placesOutsideTheListAreRefused(credential: Int, attribute: Int) throws {
        let request = scene.request([[[name]]])
        let response = try scene.response([(scene.card(), [2])], indices: [[(credential, attribute)]], to: request)
        expect(scene.outcome(of: response, to: request), .invalid, .structure, at: "indices[0]")
    }

    @Test func moreProofsThanTheRequestCanUseAreRefused() throws {
        let request = scene.request([[[name]]])
        let response = try scene.response(
            [(scene.card(), [2]), (scene.mail(), [2])],
            indices: [[(0, 2)]],
            to: request
        )
        expect(scene.outcome(of: response, to: request), .invalid, .structure)
    }

    @Test func moreListsOfPlacesThanDisjunctionsAreRefused() throws {
        let request = scene.request([[[name]]])
        let response = try scene.response([(scene.card(), [2])], indices: [[(0, 2)], []], to: request)
        expect(scene.outcome(of: response, to: request), .invalid, .structure, at: "indices")
    }

    @Test func answerToAnotherNonceIsInvalid() throws {
        let request = scene.request([[[name]]])
        let response = try scene.response([(scene.card(), [2])], indices: [[(0, 2)]], to: request)
        var other = request
        other.parameters.nonce = 78
        let outcome = scene.outcome(of: response, to: other)
        expect(outcome, .invalid, .proof, at: "proofList")
        #expect(outcome.disclosed.isEmpty)
        #expect(outcome.verification.parts.map(\.name) == ["proofList"])
    }

    @Test func expiredCredentialIsToldFromAnUnansweredRequest() throws {
        let credential = try scene.credential(
            Scene.card,
            ["Alice", nil, "1", nil],
            signedAt: Scene.now - 1e7,
            expiresAt: Scene.now - 1e6
        )
        var request = scene.request([[[name]]])
        let response = try scene.response([(credential, [2])], indices: [[(0, 2)]], to: request)
        let outcome = scene.outcome(of: response, to: request)
        expect(outcome, .expired, .validity, at: "proofs[0]")
        #expect(outcome.disclosed.first??.first?.rawValue == "Alice")
        request.skipExpiryCheck = [Scene.card]
        expect(scene.outcome(of: response, to: request), .valid)
        request.skipExpiryCheck = []
        request.disclose = [[[AttributeRequest("demo.bank.card.name", value: "Bob")]]]
        expect(scene.outcome(of: response, to: request), .missingAttributes)
    }

    @Test func credentialSignedAfterItsKeyExpiredIsExpired() throws {
        let credential = try scene.credential(
            Scene.card,
            ["Alice", nil, "1", nil],
            signedAt: Scene.now + 1.1e8,
            expiresAt: Scene.now + 2e8
        )
        var request = scene.request([[[name]]])
        let response = try scene.response([(credential, [2])], indices: [[(0, 2)]], to: request)
        let outcome = scene.outcome(of: response, to: request, at: Scene.now + 1.2e8)
        expect(outcome, .expired, .validity)
        #expect(outcome.disclosed.first??.first?.rawValue == "Alice")
        request.skipExpiryCheck = [Scene.card]
        expect(scene.outcome(of: response, to: request, at: Scene.now + 1.2e8), .expired, .validity)
        request.disclose = [[[AttributeRequest("demo.bank.card.name", value: "Bob")]]]
        expect(scene.outcome(of: response, to: request, at: Scene.now + 1.2e8), .missingAttributes)
    }

    @Test func unknownTypesAndKeysAreRefused() throws {
        let request = scene.request([[[name]]])
        let response = try scene.response([(scene.card(), [2])], indices: [[(0, 2)]], to: request)
        for schemes in [try SchemeSnapshot(), try SchemeSnapshot([Scene.scheme(publicKeys: [])])] {
            let outcome = DisclosureVerifier(schemes: schemes).verify(response, answering: request, at: Scene.now)
            expect(outcome, .invalid, .issuerKey, at: "proofs[0]")
        }
    }

    @Test func placesForTooFewDisjunctionsAnswerNone() throws {
        let request = scene.request([[[name]], [[address]]])
        let response = try scene.response([(scene.card(), [2])], indices: [[(0, 2)]], to: request)
        let outcome = scene.outcome(of: response, to: request)
        expect(outcome, .missingAttributes, .requestedAttributes, at: "disclose[1]")
        #expect(outcome.disclosed.map { $0?.map(\.status) } == [[.extra]])
        let empty = try scene.response([], indices: [], to: request)
        expect(scene.outcome(of: empty, to: request), .missingAttributes, .requestedAttributes, at: "disclose[0]")
        #expect(scene.outcome(of: empty, to: request).disclosed.isEmpty)
    }

    @Test func commitmentInADisclosureIsRefused() throws {
        let builder = IdemixProofListBuilder()
        _ = try builder.addIssuance(publicKey: scene.keys.publicKey, secretKey: .random())
        let request = scene.request([[[name]]])
        let proofs = try builder.prove(challenge: request.parameters.challenge())
        let response = DisclosureResponse(proofs: proofs, indices: [[]])
        expect(scene.outcome(of: response, to: request), .invalid, .issuerKey, at: "proofs[0]")
    }

    @Test func issuanceNeedsOneCommitmentForEachCredential() throws {
        let request = scene.request([])
        let outcome = DisclosureVerifier(schemes: scene.schemes).verify(
            IdemixProofList([]),
            indices: [],
            answering: request,
            issuing: [IdemixIssuanceExpectation(publicKey: scene.keys.publicKey)],
            at: Scene.now
        )
        expect(outcome, .invalid, .structure)
    }
}

import CBORKit
import CredentialTesting
import CryptoCore
import MdocKit
import Testing

/// Elements that a reader intends to retain, and a wallet that declines some or all of them.
@Suite struct RetentionPolicyTests {
    private let utopia: Utopia

    init() async throws {
        utopia = try await Utopia()
    }

    private func element(_ identifier: DataElementIdentifier) -> DataElementReference {
        DataElementReference(.mDL, identifier)
    }

    private func match(
        _ elements: KeyValuePairs<DataElementIdentifier, Bool>,
        _ retention: RetentionPolicy,
        alternatives: [AlternativeDataElements] = [],
        useCases: [UseCase] = []
    ) async throws -> RequestMatch {
        var builder = try utopia.builder()
        try builder.add(.bytes([0xff, 0xd8, 0xff]), as: "portrait", in: .mDL)
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: ["org.example"])
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        var info: DocRequestInfo?
        if !alternatives.isEmpty {
            info = DocRequestInfo()
            info?.alternativeDataElements = alternatives
        }
        var nameSpaces = DataElements<Bool>()
        for (identifier, intentToRetain) in elements {
            nameSpaces[identifier == "hash" ? "org.example" : .mDL, identifier] = intentToRetain
        }
        let items = try ItemsRequest(docType: .mDL, nameSpaces: nameSpaces, requestInfo: info)
        let request = try DeviceRequest(
            docRequests: [DocRequest(items)],
            deviceRequestInfo: useCases.isEmpty ? nil : DeviceRequestInfo(useCases: useCases)
        )
        return RequestMatch(
            try DeviceRequest(decoding: request.encodedBytes),
            in: [stored],
            at: Utopia.now,
            retention: retention
        )
    }

    private func summary(_ match: RequestMatch, _ decision: ConsentDecision) throws -> ConsentSummary {
        let readers = ReaderAuthenticationVerifier(trustAnchors: [], clock: { Utopia.now })
            .verify(match.request, sessionTranscript: utopia.transcript)
        return try match.summary(of: decision, readers: readers)
    }

    /// The identifiers of the elements that a reader receives.
    private func sent(_ match: RequestMatch) async throws -> [DataElementIdentifier] {
        let signer = try SoftwareSigner(utopia.deviceKey)
        let response = try await match.response(
            to: match.fullConsent(),
            sessionTranscript: utopia.transcript,
            at: Utopia.now
        ) { _ in .signer(signer) }
        return try await utopia.verify(response).verifiedDocuments.flatMap { $0.elements.references.map(\.identifier) }
    }

    @Test func acceptsRetentionUnlessTheWalletSaysOtherwise() async throws {
        let match = try await match(["family_name": true, "given_name": false], .acceptingAll)
        #expect(try await sent(match) == ["family_name", "given_name"])
        #expect(match.docRequests[0].candidates[0].declinedForRetention.isEmpty)
    }

    @Test func declinesAllRetainedElements() async throws {
        let match = try await match(["family_name": true, "given_name": false, "height": true], .decliningAll)
        #expect(try await sent(match) == ["given_name"])
        let candidate = match.docRequests[0].candidates[0]
        #expect(candidate.elements.map(\.answer) == [.retentionDeclined, .element, .missing])
        #expect(candidate.declinedForRetention == [element("family_name")])
        #expect(candidate.missing == [element("family_name"), element("height")])
        let shown = try summary(match, match.fullConsent())
        #expect(shown.documents[0].declinedForRetention == [element("family_name")])
        #expect(shown.documents[0].missing == [element("family_name"), element("height")])
        #expect(
            shown.lines.dropFirst() == [
                #"  "org.iso.18013.5.1"/"given_name""#,
                #"  asked for, and not sent, lest it be kept: "org.iso.18013.5.1"/"family_name""#,
                #"  asked for, and not sent: "org.iso.18013.5.1"/"height""#,
            ]
        )
    }

    @Test func declinesElementsOneByOne() async throws {
        let policy = RetentionPolicy.declining([element("family_name"), element("birth_date")])
        #expect(policy.declines(element("family_name")) && !policy.declines(element("given_name")))
        let other = RetentionPolicy { $0.nameSpace != .mDL }
        #expect(!other.declines(element("family_name")) && other.declines(DataElementReference("org.example", "hash")))
        let match = try await match(["family_name": true, "given_name": true, "birth_date": false], policy)
        #expect(try await sent(match) == ["given_name", "birth_date"])
        let shown = try summary(match, match.fullConsent())
        #expect(shown.lines.contains(#"  "org.iso.18013.5.1"/"given_name", to be kept"#))
    }

    @Test func noDecisionReturnsADeclinedElement() async throws {
        let match = try await match(["family_name": true, "given_name": false, "hash": true], .decliningAll)
        #expect(match.docRequests[0].candidates[0].elements.map(\.answer).last == .retentionDeclined)
        let decisions = [
            ConsentDecision.Entry(docRequest: 0, credential: "a", elements: [element("family_name")]),
            ConsentDecision.Entry(
                docRequest: 0,
                credential: "a",
                elements: [element("given_name")],
                deviceElements: ["org.example": ["hash": .bytes([1])]]
            ),
        ]
        for entry in decisions {
            let error = #expect(throws: MdocError.self) { try summary(match, ConsentDecision([entry])) }
            #expect(error?.code == .requestUnsatisfied)
        }
    }

    /// A licence may not be returned without a portrait that was asked for.
    @Test func aDeclinedPortraitTakesTheLicenceWithIt() async throws {
        let match = try await match(["family_name": false, "portrait": true], .declining([element("portrait")]))
        #expect(match.docRequests[0].obstacle == .retentionDeclined)
        #expect(match.answerable.isEmpty && match.fullConsent().entries.isEmpty)
        let shown = try summary(match, .declined)
        #expect(shown.unanswered.map(\.obstacle) == [.retentionDeclined])
        let expected =
            "An unknown reader (it did not sign the request) asks to keep parts of "
            + #""org.iso.18013.5.1.mDL": nothing is sent"#
        #expect(shown.lines == [expected])
        #expect(try await sent(match).isEmpty)
    }

    @Test func nothingIsOfferedWhereAllOfItWouldBeRetained() async throws {
        let match = try await match(["family_name": true], .decliningAll)
        #expect(match.docRequests[0].obstacle == .retentionDeclined)
        let missing = try await self.match(["height": true], .decliningAll)
        #expect(missing.docRequests[0].obstacle == .noCredential)
    }

    @Test func alternativesAndStatementsOfAgeInheritTheIntention() async throws {
        let name = [AlternativeDataElements(element("name"), alternativeElementSets: [[element("family_name")]])]
        let policy = RetentionPolicy.declining([element("family_name"), element("age_over_18")])
        let match = try await match(
            ["name": true, "age_over_16": true, "age_over_18": false, "given_name": false],
            policy,
            alternatives: name
        )
        let answers = match.docRequests[0].candidates[0].elements.map(\.answer)
        #expect(answers == [.retentionDeclined, .retentionDeclined, .retentionDeclined, .element])
        #expect(try await sent(match) == ["given_name"])
    }

    @Test func aMandatoryUseCaseIsNotServedInPart() async throws {
        let useCase = UseCase(mandatory: true, documentSets: [[0]])
        let match = try await match(["family_name": true, "given_name": false], .decliningAll, useCases: [useCase])
        #expect(match.answerable.isEmpty)
    }

    @Test func selectsWithoutDeclinedElements() async throws {
        let items = try ItemsRequest(nameSpaces: [.mDL: ["family_name": true, "given_name": false]])
        let docRequest = try DocRequest(docType: .mDL, itemsRequest: items)
        let selected = try await utopia.licence().limitDisclosures(docRequest: docRequest, retention: .decliningAll)
        #expect(selected.getIssuerSignedItems(ns: .mDL).map(\.elementIdentifier) == ["given_name"])
    }
}

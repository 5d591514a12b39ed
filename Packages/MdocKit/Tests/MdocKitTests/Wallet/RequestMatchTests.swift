import CBORKit
import CryptoCore
import MdocElements
import MdocKit
import Testing

@Suite struct RequestMatchTests {
    private func match(
        _ requests: [ItemsRequest],
        _ useCases: [UseCase] = [],
        in credentials: [StoredMdoc]
    ) throws -> RequestMatch {
        let info = useCases.isEmpty ? nil : try DeviceRequestInfo(useCases: useCases)
        // A wallet receives bytes only.
        let request = try DeviceRequest.received(requests, deviceRequestInfo: info)
        return RequestMatch(request, in: credentials, at: Utopia.now)
    }

    private func request(
        _ elements: KeyValuePairs<DataElementIdentifier, Bool>,
        of docType: DocType = .mDL,
        _ info: DocRequestInfo? = nil
    ) throws -> ItemsRequest {
        try ItemsRequest(docType: docType, nameSpaces: [.mDL: elements], requestInfo: info)
    }

    private func element(_ identifier: DataElementIdentifier) -> DataElementReference {
        DataElementReference(.mDL, identifier)
    }

    @Test func tellsWhatIsThereAndWhatIsMissing() async throws {
        let utopia = try await Utopia()
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
        let match = try match(
            [request(["family_name": true, "portrait": false, "age_over_16": false])],
            in: [stored]
        )
        let candidate = try #require(match.docRequests[0].candidates.first)
        #expect(candidate.credential.id == "a")
        #expect(candidate.elements.map(\.element.identifier) == ["family_name", "portrait", "age_over_16"])
        #expect(candidate.elements.map(\.intentToRetain) == [true, false, false])
        let over18 = AgeAttestation(age: 18, isOver: true)
        #expect(candidate.elements.map(\.answer) == [.element, .missing, .age(over18)])
        #expect(candidate.missing == [element("portrait")])
        #expect(candidate.disclosed == [element("family_name"), element("age_over_18")])
        #expect(!candidate.isComplete && !match.docRequests[0].canBeSatisfied)
        #expect(match.docRequests[0].obstacle == nil)
        #expect(match.answerable == [0])
    }

    /// Two statements at most are returned; one that answers two requests is one.
    @Test func countsAStatementThatAnswersTwiceOnce() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        for age: DataElementIdentifier in ["age_over_65", "age_over_75"] { try builder.add(true, as: age, in: .mDL) }
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        let asked = try ItemsRequest.received([
            "age_over_19": false, "age_over_20": false, "age_over_65": false, "age_over_75": false,
        ])
        let candidate = try #require(try match([asked], in: [stored]).docRequests[0].candidates.first)
        let over21 = AgeAttestation(age: 21, isOver: true)
        #expect(candidate.elements.map(\.answer) == [.age(over21), .age(over21), .element, .missing])
        #expect(candidate.disclosed == [element("age_over_21"), element("age_over_65")])
    }

    @Test func prefersTheMoreCompleteCredential() async throws {
        let utopia = try await Utopia()
        var poor = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try poor.add("Doe", as: "family_name", in: .mDL)
        let licence = try await utopia.licence()
        let credentials = [
            StoredMdoc(id: "poor", issuerSigned: try await utopia.issue(poor)),
            StoredMdoc(id: "first", issuerSigned: licence),
            StoredMdoc(id: "second", issuerSigned: licence),
        ]
        let both = try match([request(["family_name": false, "given_name": false])], in: credentials)
        #expect(both.docRequests[0].candidates.map(\.credential.id) == ["first", "second", "poor"])
        let name = try match([request(["family_name": false])], in: credentials)
        #expect(name.docRequests[0].candidates.map(\.credential.id) == ["poor", "first", "second"])
    }

    @Test func tellsWhyNothingFits() async throws {
        let utopia = try await Utopia()
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
        let other = try match([request(["family_name": false], of: "org.example")], in: [stored])
        #expect(other.docRequests[0].obstacle == .noCredential)
        let nothing = try match([request(["portrait": false])], in: [stored])
        #expect(nothing.docRequests[0].obstacle == .noCredential)
        let empty = try match([request(["family_name": false])], in: [])
        #expect(empty.docRequests[0].obstacle == .noCredential)
        #expect(empty.answerable.isEmpty && empty.fullConsent().entries.isEmpty)
        var info = DocRequestInfo()
        info.zkRequest = ZkRequest(
            systemSpecs: [.init(zkSystemID: "1", system: "longfellow", params: [:])],
            zkRequired: true
        )
        let proof = try match([request(["family_name": false], info)], in: [stored])
        #expect(proof.docRequests[0].obstacle == .zeroKnowledgeRequired)
        #expect(proof.docRequests[0].candidates.isEmpty)
        info.zkRequest = ZkRequest(
            systemSpecs: [.init(zkSystemID: "1", system: "longfellow", params: [:])],
            zkRequired: false
        )
        #expect(try match([request(["family_name": false], info)], in: [stored]).docRequests[0].candidates.count == 1)
    }

    @Test func takesCredentialsOfTheIssuersThatTheReaderNames() async throws {
        let utopia = try await Utopia()
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
        let identifier = try #require(utopia.documentSigner.authorityKeyIdentifier?.keyIdentifier)
        var info = DocRequestInfo()
        info.issuerIdentifiers = [[1, 2, 3], Array(identifier)]
        #expect(try match([request(["family_name": false], info)], in: [stored]).docRequests[0].candidates.count == 1)
        info.issuerIdentifiers = [Array(identifier.dropLast())]
        let other = try match([request(["family_name": false], info)], in: [stored])
        #expect(other.docRequests[0].obstacle == .otherIssuers)
        #expect(other.docRequests[0].candidates.isEmpty)
    }

    @Test func takesTheFirstWholeAlternative() async throws {
        let utopia = try await Utopia()
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
        func answer(_ sets: [[DataElementReference]]) throws -> ElementMatch? {
            var info = DocRequestInfo()
            info.alternativeDataElements = [
                AlternativeDataElements(element("sex"), alternativeElementSets: [[element("height")]]),
                AlternativeDataElements(element("portrait"), alternativeElementSets: sets),
            ]
            let match = try match([request(["portrait": true, "sex": false], info)], in: [stored])
            return match.docRequests[0].candidates.first?.elements.first
        }
        let names = [element("family_name"), element("given_name")]
        let partial = [element("family_name"), element("height")]
        let found = try answer([partial, names, [element("birth_date")]])
        #expect(found?.answer == .alternative(names))
        #expect(found?.intentToRetain == true)
        #expect(try answer([partial]) == nil)
        let domestic = DataElementReference("org.iso.18013.5.1.UT", "organ_donor")
        let ages = try answer([[element("age_over_16"), domestic]])
        #expect(ages?.answer == .alternative([element("age_over_18"), domestic]))
    }

    @Test func prefersTheElementToItsAlternatives() async throws {
        let utopia = try await Utopia()
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
        var info = DocRequestInfo()
        info.alternativeDataElements = [
            AlternativeDataElements(element("birth_date"), alternativeElementSets: [[element("age_over_18")]])
        ]
        let match = try match([request(["birth_date": false], info)], in: [stored])
        #expect(match.docRequests[0].candidates.first?.disclosed == [element("birth_date")])
        let limited = try stored.issuerSigned.limitDisclosures(docRequest: match.docRequests[0].docRequest)
        #expect(limited[.mDL].map(\.elementIdentifier) == ["birth_date"])
    }

    /// ISO/IEC 18013-5, Annex D.2.2, Table D.1: of age_over_21 and age_over_60, what answers which request.
    @Test(
        arguments: [
            (false, false, [18: nil, 20: nil, 21: 21, 25: 21, 50: 21, 60: 60, 65: 60]),
            (true, false, [18: 21, 20: 21, 21: 21, 25: nil, 50: nil, 60: 60, 65: 60]),
            (true, true, [18: 21, 20: 21, 21: 21, 25: 60, 50: 60, 60: 60, 63: nil, 65: nil]),
        ] as [(Bool, Bool, [Int: Int?])]
    )
    func answersAgesAsAnnexDHasIt(_ over21: Bool, _ over60: Bool, _ answers: [Int: Int?]) async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add(.bool(over21), as: "age_over_21", in: .mDL)
        try builder.add(.bool(over60), as: "age_over_60", in: .mDL)
        try builder.add("Doe", as: "family_name", in: .mDL)
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        for (age, answer) in answers {
            let asked = AgeAttestation(age: age, isOver: true).identifier
            let match = try match([request(["family_name": false, asked: false])], in: [stored])
            let disclosed = try #require(match.docRequests[0].candidates.first?.disclosed)
            let expected = answer.map { [element(AgeAttestation(age: $0, isOver: true).identifier)] } ?? []
            #expect(disclosed.dropFirst() == expected[...])
        }
    }

    @Test func answersTwoAgesAtMost() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        try builder.add(true, as: "age_over_16", in: .mDL)
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        let ages = try ItemsRequest.received(["age_over_16": false, "age_over_18": false, "age_over_21": false])
        let match = try match([ages, ages], in: [stored])
        let candidate = try #require(match.docRequests[0].candidates.first)
        #expect(candidate.disclosed == [element("age_over_16"), element("age_over_18")])
        #expect(candidate.missing == [element("age_over_21")])
        let third = try request(["age_over_21": false, "family_name": false])
        let wide = try self.match([ages, third], in: [stored])
        let entries = wide.fullConsent().entries
        #expect(
            entries.map(\.elements) == [[element("age_over_16"), element("age_over_18")], [element("family_name")]]
        )
    }

    /// The limit of two statements is one of licences (13.4.6).
    @Test func answersMoreAgesOfOtherDocuments() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder(docType: .photoID)
        try builder.add(true, as: "age_over_16", in: .mDL)
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        let ages = try request(["age_over_16": false, "age_over_18": false, "age_over_21": false], of: .photoID)
        let useCase = UseCase(mandatory: true, documentSets: [[0, 1]])
        let match = try match([ages, ages], [useCase], in: [stored])
        let elements: Set = [element("age_over_16"), element("age_over_18"), element("age_over_21")]
        let consent = match.fullConsent()
        #expect(consent.entries.map(\.elements) == [elements, elements])
        #expect(try match.documents(for: consent, sessionTranscript: utopia.transcript, at: Utopia.now).count == 2)
    }

    @Test func tellsWhatTheDeviceMaySign() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.keyAuthorizations = try KeyAuthorizations(dataElements: [element("height")])
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))
        let match = try match([request(["height": false, "weight": false])], in: [stored])
        let candidate = try #require(match.docRequests[0].candidates.first)
        #expect(candidate.elements.map(\.answer) == [.deviceMaySign, .missing])
        #expect(candidate.disclosed.isEmpty)
        #expect(candidate.missing.count == 2)
    }

    @Test func mandatoryElementsNeedNoReaderAuthentication() async throws {
        let utopia = try await Utopia()
        let licence = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
        let elements: KeyValuePairs<DataElementIdentifier, Bool> = [
            "family_name": false, "birth_date": false, "age_over_18": false,
        ]
        let match = try match([request(elements)], in: [licence])
        #expect(
            match.docRequests[0].candidates.first?.withholdableWithoutReaderAuthentication == [element("age_over_18")]
        )
        var other = IssuerSignedBuilder(
            docType: "org.example",
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try other.add("Doe", as: "family_name", in: .mDL)
        let stored = StoredMdoc(id: "b", issuerSigned: try await utopia.issue(other))
        let free = try self.match([request(elements, of: "org.example")], in: [stored])
        #expect(
            free.docRequests[0].candidates.first?.withholdableWithoutReaderAuthentication == [element("family_name")]
        )
    }

    @Test func picksTheFirstDocumentSetThatCanBeServed() async throws {
        let utopia = try await Utopia()
        let stored = StoredMdoc(id: "a", issuerSigned: try await utopia.licence())
        let requests = [
            try request(["portrait": false, "family_name": false]), try request(["family_name": false]),
            try request(["given_name": false]), try request(["birth_date": false]),
        ]
        func answerable(_ useCases: [UseCase]) throws -> [Int] {
            try match(requests, useCases, in: [stored]).answerable
        }
        #expect(try answerable([]) == [0, 1, 2, 3])
        #expect(try answerable([UseCase(mandatory: true, documentSets: [[0], [1, 2], [3]])]) == [1, 2])
        #expect(
            try answerable([
                UseCase(mandatory: true, documentSets: [[0], [1]]), UseCase(mandatory: false, documentSets: [[2, 0]]),
            ]) == [1, 3]
        )
        #expect(
            try answerable([
                UseCase(mandatory: true, documentSets: [[1]]), UseCase(mandatory: true, documentSets: [[0]]),
            ]) == []
        )
        // One use case at least is served (10.2.5).
        #expect(try answerable([UseCase(mandatory: false, documentSets: [[0], [1, 0]])]) == [])
        #expect(
            try answerable([
                UseCase(mandatory: false, documentSets: [[0]]), UseCase(mandatory: false, documentSets: [[1]]),
            ]) == [1, 2, 3]
        )
    }

    @Test func namesThatOthersUse() async throws {
        let licence = try await Utopia().licence()
        #expect(licence.MSO.docType == .mDL)
        #expect(licence.deviceKeyInfo.keyAuthorizations == nil)
        #expect(licence.getNameSpaces() == [.mDL, "org.iso.18013.5.1.UT"])
        #expect(licence.getIssuerSignedItems(ns: "org.iso.18013.5.1.UT").map(\.elementIdentifier) == ["organ_donor"])
        #expect(licence.getIssuerSignedItems(ns: "org.example").isEmpty)
    }
}

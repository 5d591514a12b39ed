import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import MdocKit
import Testing

/// The summary shown to a holder, compared with the response that then leaves.
@Suite struct ConsentSummaryTests {
    private let utopia: Utopia
    private let transaction: NameSpace = "org.example.transaction"

    init() async throws {
        utopia = try await Utopia()
    }

    /// A licence without an address, and with statements of age.
    private func credentials() async throws -> [StoredMdoc] {
        var builder = try utopia.builder()
        try builder.add("Metropolis", as: "resident_city", in: .mDL)
        try builder.add("12345", as: "resident_postal_code", in: .mDL)
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: [transaction])
        return [StoredMdoc(id: "a", issuerSigned: try await utopia.issue(builder))]
    }

    private func items(
        _ elements: DataElements<Bool>,
        of docType: DocType = .mDL,
        _ info: DocRequestInfo? = nil
    ) throws -> ItemsRequest {
        try ItemsRequest(docType: docType, nameSpaces: elements, requestInfo: info)
    }

    private func match(_ docRequests: [DocRequest], _ all: [COSESign1] = []) async throws -> RequestMatch {
        let request = try DeviceRequest(docRequests: docRequests, readerAuthAll: all)
        return RequestMatch(
            try DeviceRequest(decoding: Array(request.encodedBytes)),
            in: try await credentials(),
            at: Utopia.now
        )
    }

    private func readers(
        _ match: RequestMatch,
        trusting authorities: [ReaderAuthority]? = nil
    ) -> ReaderAuthenticationVerification {
        ReaderAuthenticationVerifier(
            authorities: authorities ?? [ReaderAuthority(utopia.readerAuthority.certificate)],
            clock: { Utopia.now }
        )
        .verify(match.request, sessionTranscript: utopia.transcript)
    }

    private func signed(_ items: ItemsRequest) async throws -> DocRequest {
        try await DocRequest.signed(
            items,
            sessionTranscript: utopia.transcript,
            with: SoftwareSigner(utopia.readerKey),
            x5chain: [utopia.reader]
        )
    }

    /// Carries a decision out and compares the response with its summary.
    private func expectSent(
        _ decision: ConsentDecision,
        of match: RequestMatch,
        _ summary: ConsentSummary,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let signer = try SoftwareSigner(utopia.deviceKey)
        let sent = try await match.response(
            to: decision,
            sessionTranscript: utopia.transcript,
            at: Utopia.now,
            reportsErrors: summary.reportsErrors
        ) { _ in .signer(signer) }
        // The reader receives bytes only.
        let response = try DeviceResponse(decoding: Array(sent.encodedBytes))
        #expect(response.documents.map(\.docType) == summary.documents.map(\.docType), sourceLocation: sourceLocation)
        for (document, shown) in zip(response.documents, summary.documents) {
            let issuer = document.issuerSigned.nameSpaces.flatMap { group in
                group.items.map { DataElementReference(group.nameSpace, $0.elementIdentifier) }
            }
            #expect(
                issuer == shown.elements.filter { $0.source == .issuer }.map(\.reference),
                sourceLocation: sourceLocation
            )
            #expect(
                document.deviceSigned.nameSpaces.references
                    == shown.elements.filter { $0.source == .device }.map(\.reference),
                sourceLocation: sourceLocation
            )
            #expect(
                document.errors.references == (summary.reportsErrors ? shown.missing : []),
                sourceLocation: sourceLocation
            )
        }
        #expect(
            response.documentErrors.map(\.docType) == (summary.reportsErrors ? summary.unanswered.map(\.docType) : []),
            sourceLocation: sourceLocation
        )
    }

    private func reference(_ identifier: DataElementIdentifier) -> DataElementReference {
        DataElementReference(.mDL, identifier)
    }

    @Test(arguments: [false, true]) func alternativesAndStatementsOfAgeAreNamed(_ reportsErrors: Bool) async throws {
        var info = DocRequestInfo()
        info.alternativeDataElements = [
            AlternativeDataElements(
                reference("resident_address"),
                alternativeElementSets: [
                    [reference("resident_state")], [reference("resident_city"), reference("resident_postal_code")],
                ]
            )
        ]
        let asked: DataElements<Bool> = [
            .mDL: ["family_name": true, "age_over_16": false, "resident_address": true, "height": false]
        ]
        let match = try await match([DocRequest(try items(asked, info))])
        let decision = match.fullConsent()
        let summary = try match.summary(of: decision, readers: readers(match), reportsErrors: reportsErrors)
        let document = try #require(summary.documents.first)
        #expect(document.docType == .mDL)
        #expect(document.credential == "a")
        #expect(document.missing == [reference("height")])
        let shown = Dictionary(uniqueKeysWithValues: document.elements.map { ($0.reference.identifier, $0) })
        #expect(shown.count == 4)
        #expect(shown["family_name"]?.answers.map(\.form) == [.itself])
        #expect(shown["family_name"]?.isRetained == true)
        #expect(shown["age_over_18"]?.answers.map(\.form) == [.age])
        #expect(shown["age_over_18"]?.answers.map(\.requested) == [reference("age_over_16")])
        #expect(shown["age_over_18"]?.isRetained == false)
        for identifier: DataElementIdentifier in ["resident_city", "resident_postal_code"] {
            let set = [reference("resident_city"), reference("resident_postal_code")]
            #expect(shown[identifier]?.answers.map(\.form) == [.alternative(set)])
            #expect(shown[identifier]?.answers.map(\.requested) == [reference("resident_address")])
            #expect(shown[identifier]?.isRetained == true)
        }
        try await expectSent(decision, of: match, summary)
        let address = #""org.iso.18013.5.1"/"resident_address""#
        let city = #""org.iso.18013.5.1"/"resident_city""#
        let code = #""org.iso.18013.5.1"/"resident_postal_code""#
        let expected: [String] = [
            #"  "org.iso.18013.5.1"/"family_name", to be kept"#,
            #"  "org.iso.18013.5.1"/"age_over_18", in answer to "org.iso.18013.5.1"/"age_over_16""#,
            "  \(city), to be kept, in place of \(address) with \(code)",
            "  \(code), to be kept, in place of \(address) with \(city)",
            #"  asked for, and not sent: "org.iso.18013.5.1"/"height""#,
        ]
        #expect(Set(summary.lines.dropFirst()) == Set(expected))
    }

    @Test func aChoiceOfTheHolderIsShownAsItIs() async throws {
        let asked: DataElements<Bool> = [
            .mDL: ["family_name": false, "given_name": true], transaction: ["hash": false],
        ]
        let match = try await match([
            DocRequest(try items(asked)), DocRequest(try items(["org.example": ["a": false]], of: "org.example")),
        ])
        let decision = ConsentDecision([
            ConsentDecision.Entry(
                docRequest: 0,
                credential: "a",
                elements: [reference("given_name")],
                deviceElements: [transaction: ["hash": .bytes([1]), "amount": 7]]
            )
        ])
        let summary = try match.summary(of: decision, readers: readers(match), reportsErrors: true)
        let document = try #require(summary.documents.first)
        #expect(document.elements.map(\.source) == [.issuer, .device, .device])
        #expect(document.elements.map(\.answers.count) == [1, 1, 0])
        #expect(document.missing == [reference("family_name")])
        #expect(summary.unanswered.map(\.docType) == ["org.example"])
        #expect(summary.lines.contains(#"  "org.example.transaction"/"amount", stated by this device"#))
        try await expectSent(decision, of: match, summary)
        let declined = try match.summary(of: .declined, readers: readers(match), reportsErrors: true)
        #expect(declined.documents.isEmpty)
        #expect(declined.unanswered.map(\.docRequest) == [0, 1])
        try await expectSent(.declined, of: match, declined)
    }

    /// An impossible decision has no summary.
    @Test func aDecisionThatCannotBeCarriedOutHasNoSummary() async throws {
        let match = try await match([DocRequest(try items([.mDL: ["family_name": false]]))])
        let decision = ConsentDecision([
            ConsentDecision.Entry(docRequest: 0, credential: "a", elements: [reference("given_name")])
        ])
        let error = #expect(throws: MdocError.self) { try match.summary(of: decision, readers: readers(match)) }
        #expect(error?.code == .invalidValue)
    }

    @Test func namesAReaderOnlyWhereATrustedAuthorityVouchesForIt() async throws {
        let asked = try items([.mDL: ["family_name": false]])
        let one = try await match([try await signed(asked), DocRequest(asked)])
        let known = try one.summary(of: one.fullConsent(), readers: readers(one))
        guard case .verified(let parties) = known.documents[0].proof, case .unsigned = known.documents[1].proof else {
            Issue.record("\(known.documents.map(\.proof))")
            return
        }
        #expect(parties.map(\.certificate) == [utopia.reader])
        #expect(known.lines[0].contains("Utopia reader"))
        #expect(known.lines[0].contains("it signed, and"))
        #expect(known.lines[2].hasPrefix("An unknown reader (it did not sign the request) gets"))

        let stranger = try one.summary(of: one.fullConsent(), readers: readers(one, trusting: []))
        guard case .refused(let failure) = stranger.documents[0].proof else {
            Issue.record("\(stranger.documents[0].proof)")
            return
        }
        #expect(failure.reason == .readerNotTrusted)
        #expect(!stranger.lines.joined().contains("Utopia reader"))
        #expect(stranger.lines[0].hasPrefix("An unknown reader (its signature is refused: "))
    }

    @Test func aSignatureOverTheWholeStandsBehindEveryPart() async throws {
        let requests = [try items([.mDL: ["family_name": false]]), try items([.mDL: ["given_name": false]])]
        let whole = ReaderAuthentication(
            sessionTranscript: utopia.transcript,
            allOf: requests,
            deviceRequestInfo: nil
        )
        let signature = try await UnsignedReaderAuth(whole, x5chain: [utopia.reader])
            .signed(with: SoftwareSigner(utopia.readerKey))
        let match = try await match(requests.map { DocRequest($0) }, [signature])
        let summary = try match.summary(of: match.fullConsent(), readers: readers(match))
        #expect(summary.documents.count == 2)
        for document in summary.documents { #expect("\(document.proof)".contains("Utopia reader")) }
        let refused = try match.summary(of: match.fullConsent(), readers: readers(match, trusting: []))
        for document in refused.documents { #expect("\(document.proof)".contains("refused")) }
    }

    private static let tricks = [
        "x\n\u{1b}[2JThe reader \"Bank\" gets nothing", "\u{202e}eman_ylimaf", "a\u{2028}b", "\u{85}", "\u{7f}\u{0}",
        "\", to be kept by \"Bank", "\u{200b}\u{2066}\u{feff}", "\\u{41}",
    ]

    /// A reader's name cannot pass for a line or a word of the question.
    @Test(arguments: tricks) func namesOfTheReaderAreEscaped(_ trick: String) async throws {
        let name = DataElementIdentifier(trick)
        let nameSpace = NameSpace(trick)
        let match = try await match([
            DocRequest(try items([.mDL: [name: false, "family_name": false], nameSpace: ["a": true]])),
            DocRequest(try items([nameSpace: [name: false]], of: DocType(trick))),
        ])
        let summary = try match.summary(of: match.fullConsent(), readers: readers(match))
        #expect(summary.lines.count == 5)
        for line in summary.lines {
            for scalar in line.unicodeScalars {
                let category = scalar.properties.generalCategory
                let isShown = ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
                #expect(isShown, "U+\(String(scalar.value, radix: 16)) in \(line.debugDescription)")
            }
            // Every quotation mark is the summary's own, or escaped.
            let marks = line.replacing(#"\\"#, with: "").replacing(#"\""#, with: "").count { $0 == "\"" }
            #expect(marks % 2 == 0, "\(line)")
            #expect(!line.replacing(#"\""#, with: "").contains(#"", to be kept by "Bank"#), "\(line)")
        }
    }

    /// Neither long names nor many of them push the disclosed elements off the screen.
    @Test func whatOnlyTheReaderKnowsIsCutShort() async throws {
        var asked: DataElements<Bool> = [.mDL: ["family_name": false]]
        for number in 0..<20 {
            asked[.mDL, DataElementIdentifier("\(number)" + String(repeating: "x", count: 9999))] = false
        }
        let match = try await match(
            [DocRequest(try items(asked))]
                + (0..<20).map { DocRequest(try items(["n": ["e": false]], of: DocType("org.example.\($0)"))) }
        )
        let lines = try match.summary(of: match.fullConsent(), readers: readers(match)).lines
        #expect(lines.count == 20)
        #expect(lines.allSatisfy { $0.count < 200 })
        #expect(lines.filter { $0.hasPrefix("  12 more ") }.count == 2)
    }
}

import CBORKit
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

/// Whole responses against requests.
@Suite struct RequestOutcomeTests {
    private func documents(_ outcome: RequestOutcome) -> [[Int]] {
        outcome.docRequests.map { $0.answers.map(\.documentIndex) }
    }

    @Test func oneDocumentForEachRequest() async throws {
        let utopia = try await Utopia()
        let first = try ItemsRequest.asking(for: ["sex": true])
        let second = try ItemsRequest.asking("org.example", for: ["sex": false, "height": true])
        let response = try await utopia.respond(
            utopia.credential("org.example", ["sex": 2, "height": 170, "weight": 60]),
            utopia.credential(.mDL, ["sex": 1])
        )
        let outcome = try await utopia.outcome(of: [first, second], response)
        #expect(documents(outcome) == [[1], [0]])
        #expect(outcome.docRequests.map(\.docType) == [.mDL, "org.example"])
        #expect(outcome.docRequests.map(\.index) == [0, 1])
        #expect(outcome.isSatisfied && outcome.unrequestedDocuments.isEmpty && outcome.useCases.isEmpty)
        #expect(outcome.retainableElements(ofDocument: 0) == [.mDL("height")])
        #expect(outcome.retainableElements(ofDocument: 1) == [.mDL("sex")])
        #expect(outcome.extraElements(ofDocument: 0) == [.mDL("weight")])
        #expect(outcome.extraElements(ofDocument: 7).isEmpty)
    }

    @Test func nothingReturned() async throws {
        let utopia = try await Utopia()
        let outcome = try await utopia.outcome(of: [.asking(for: ["sex": true])], DeviceResponse(documents: []))
        #expect(documents(outcome) == [[]])
        #expect(!outcome.isSatisfied)
    }

    @Test func severalRequestsForOneType() async throws {
        let utopia = try await Utopia()
        let small = try ItemsRequest.asking(for: ["sex": false])
        let large = try ItemsRequest.asking(for: ["sex": false, "height": false])
        let full = try await utopia.credential(.mDL, ["sex": 1, "height": 170])
        let part = try await utopia.credential(.mDL, ["sex": 2])
        #expect(try await documents(utopia.outcome(of: [small, large], utopia.respond(full, part))) == [[1], [0]])
        #expect(try await documents(utopia.outcome(of: [large, small], utopia.respond(full, part))) == [[0], [1]])
        let twice = try await utopia.outcome(of: [small, small], utopia.respond(part, part))
        #expect(documents(twice) == [[0], [1]])
        let third = try await utopia.outcome(of: [large, small], utopia.respond(part, full, part))
        #expect(documents(third) == [[1], [0, 2]])
        #expect(third.isSatisfied)
    }

    @Test func theIssuerDecidesWhichRequestIsAnswered() async throws {
        let utopia = try await Utopia()
        let authority = try #require(utopia.documentSigner.authorityKeyIdentifier?.keyIdentifier)
        let other = try ItemsRequest.asking(for: ["sex": false]) { $0.issuerIdentifiers = [[1]] }
        let own = try ItemsRequest.asking(for: ["sex": false, "height": false]) {
            $0.issuerIdentifiers = [[UInt8](authority)]
        }
        let credential = try await utopia.credential(.mDL, ["sex": 1])
        let outcome = try await utopia.outcome(of: [other, own], utopia.respond(credential))
        #expect(documents(outcome) == [[], [0]])
    }

    @Test func oneDocumentForSeveralRequests() async throws {
        let utopia = try await Utopia()
        let requests = try [
            ItemsRequest.asking(for: ["sex": true]), ItemsRequest.asking(for: ["height": true, "portrait": false]),
            ItemsRequest.asking(for: ["weight": true]),
        ]
        let credential = try await utopia.credential(.mDL, ["sex": 1, "height": 170, "eye_colour": "red"])
        let outcome = try await utopia.outcome(of: requests, utopia.respond(credential))
        #expect(documents(outcome) == [[0], [0], []])
        #expect(outcome.retainableElements(ofDocument: 0) == [.mDL("sex"), .mDL("height")])
        #expect(outcome.extraElements(ofDocument: 0) == [.mDL("eye_colour")])
        #expect(outcome.docRequests[1].answers.first?.items?.missing == [.mDL("portrait")])
    }

    @Test func exactlyOneAnswer() async throws {
        let utopia = try await Utopia()
        let request = try ItemsRequest.asking(for: ["sex": false]) { $0.uniqueDocSetRequired = true }
        let credential = try await utopia.credential(.mDL, ["sex": 1])
        let one = try await utopia.outcome(of: [request], utopia.respond(credential))
        #expect(one.isSatisfied && one.docRequests[0].uniqueDocSetRequired && !one.docRequests[0].breaksUniqueness)
        let two = try await utopia.outcome(of: [request], utopia.respond(credential, credential))
        #expect(two.docRequests[0].breaksUniqueness && !two.isSatisfied)
        let free = try await utopia.outcome(
            of: [.asking(for: ["sex": false]) { $0.uniqueDocSetRequired = false }],
            utopia.respond(credential, credential)
        )
        #expect(documents(free) == [[0, 1]])
        #expect(free.isSatisfied)
    }

    @Test func refusedDocuments() async throws {
        let utopia = try await Utopia()
        let request = try ItemsRequest.asking(for: ["sex": true])
        let credential = try await utopia.credential(.mDL, ["sex": 1])
        let late = utopia.verifier(at: Utopia.now + 91 * Utopia.day)
        let outcome = try await utopia.outcome(of: [request, request], utopia.respond(credential), with: late)
        #expect(documents(outcome) == [[0], []])
        #expect(outcome.docRequests[0].answers[0].items == nil)
        guard case .refused(let refusal) = outcome.docRequests[0].answers[0].content else {
            Issue.record("the document is not refused")
            return
        }
        #expect(refusal.reason == .expired)
        #expect(!outcome.isSatisfied)
        #expect(outcome.retainableElements(ofDocument: 0).isEmpty)
        let both = try await utopia.outcome(of: [request], utopia.respond(credential, credential), with: late)
        #expect(documents(both) == [[0, 1]])
    }

    @Test func refusesDocumentsThatWereNotRequested() async throws {
        let utopia = try await Utopia()
        let outcome = try await utopia.outcome(
            of: [.asking(for: ["sex": false])],
            utopia.respond(utopia.credential("org.example", ["sex": 1]), utopia.credential(.mDL, ["sex": 1]))
        )
        #expect(outcome.unrequestedDocuments == [0])
        #expect(documents(outcome) == [[1]])
    }

    // MARK: Purposes

    /// The types of the documents that a request for three types gets, and what must come of its purposes.
    private func useCases(
        _ useCases: [UseCase],
        returning returned: [String]
    ) async throws -> (outcome: RequestOutcome, served: [Int?], superfluous: [[Int]]) {
        let utopia = try await Utopia()
        let requests = try ["a", "b", "c"].map { try ItemsRequest.asking(DocType($0), for: ["sex": false]) }
        var documents: [MdocDocument] = []
        for docType in returned {
            let prepared = try PreparedMdocDocument(
                await utopia.credential(DocType(docType), ["sex": 1]),
                sessionTranscript: utopia.transcript
            )
            documents.append(try await prepared.signed(with: SoftwareSigner(utopia.deviceKey)))
        }
        let outcome = try await utopia.outcome(
            of: requests,
            useCases: useCases,
            DeviceResponse(documents: documents)
        )
        return (outcome, outcome.useCases.map(\.servingSet), outcome.useCases.map(\.superfluousDocRequests))
    }

    @Test func oneSetServesAPurpose() async throws {
        let purpose = UseCase(mandatory: true, documentSets: [[0, 1], [2]])
        let first = try await useCases([purpose], returning: ["a", "b"])
        #expect(first.served == [0] && first.superfluous == [[]] && first.outcome.isSatisfied)
        #expect(first.outcome.useCases.map(\.useCase) == [purpose])
        let second = try await useCases([purpose], returning: ["c"])
        #expect(second.served == [1] && second.outcome.isSatisfied)
        let part = try await useCases([purpose], returning: ["b"])
        #expect(part.served == [nil] && !part.outcome.isSatisfied && !part.outcome.useCases[0].isAcceptable)
    }

    @Test func moreThanOneSet() async throws {
        let purpose = UseCase(mandatory: true, documentSets: [[0], [1, 2]])
        let all = try await useCases([purpose], returning: ["a", "b", "c"])
        #expect(all.served == [1] && all.superfluous == [[0]] && !all.outcome.isSatisfied)
        let equal = try await useCases(
            [UseCase(mandatory: true, documentSets: [[0], [1]])],
            returning: ["a", "b"]
        )
        #expect(equal.served == [0] && equal.superfluous == [[1]])
    }

    @Test func optionalPurposes() async throws {
        let mandatory = UseCase(mandatory: true, documentSets: [[0]])
        let optional = UseCase(mandatory: false, documentSets: [[1], [0, 2]])
        let without = try await useCases([mandatory, optional], returning: ["a"])
        #expect(without.served == [0, nil] && without.outcome.isSatisfied)
        let with = try await useCases([mandatory, optional], returning: ["a", "b"])
        #expect(with.served == [0, 0] && with.superfluous == [[], []] && with.outcome.isSatisfied)
        let none = try await useCases([mandatory, optional], returning: ["b"])
        #expect(none.served == [nil, 0] && !none.outcome.isSatisfied)
    }
}

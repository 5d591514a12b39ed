import CBORKit
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

/// One document against one items request.
@Suite struct ItemsOutcomeTests {
    @Test func returnedMissingAndExtra() async throws {
        let utopia = try await Utopia()
        let request = try ItemsRequest.asking(for: ["family_name": true, "portrait": true, "given_name": false])
        let credential = try await utopia.credential(.mDL, ["given_name": "J", "sex": 1, "family_name": "D"])
        let outcome = try await utopia.items(of: request, credential)
        #expect(outcome.elements.map(\.element) == [.mDL("family_name"), .mDL("portrait"), .mDL("given_name")])
        #expect(outcome.elements.map(\.answer) == [.returned, .missing, .returned])
        #expect(outcome.elements.map(\.intentToRetain) == [true, true, false])
        #expect(outcome.missing == [.mDL("portrait")])
        #expect(outcome.extra == [.mDL("sex")])
        #expect(outcome.retainableElements == [.mDL("family_name")])
        #expect(!outcome.isSatisfied)
    }

    @Test func namespacesAreKeptApart() async throws {
        let utopia = try await Utopia()
        let credential = try await utopia.credential(.mDL, ["family_name": "D", "age_over_18": true], in: "other")
        let request = try ItemsRequest.asking(for: ["family_name": false, "age_over_16": false])
        let outcome = try await utopia.items(of: request, credential)
        #expect(outcome.missing == [.mDL("family_name"), .mDL("age_over_16")])
        #expect(outcome.extra.count == 2)
    }

    @Test func printsAnswersForPeople() async throws {
        let utopia = try await Utopia()
        let credential = try await utopia.credential(.mDL, ["family_name": "D", "age_over_21": true])
        let request = try ItemsRequest.asking(for: ["family_name": false, "age_over_18": false, "sex": false])
        let outcome = try await utopia.items(of: request, credential)
        let lines = Set(outcome.elements.map { "\($0)".replacingOccurrences(of: "org.iso.18013.5.1/", with: "") })
        #expect(lines == ["family_name: returned", "age_over_18: answered by 21 or over", "sex: missing"])
        #expect("\(AgeAttestation(age: 18, isOver: false))" == "under 18")
        let alternative = ElementOutcome.Answer.alternative([.mDL("given_name"), .mDL("sex")])
        #expect("\(alternative)" == "answered by org.iso.18013.5.1/given_name, org.iso.18013.5.1/sex")
    }

    /// The asked age, the returned statements, and the number of the one that answers; nil for none.
    @Test(
        arguments: [
            (16, [(18, true), (21, true)], 18),
            (18, [(18, true), (21, true)], 18),
            (21, [(18, true)], nil),
            (21, [(18, false)], 18),
            (25, [(18, false), (21, false)], 21),
            (16, [(18, false)], nil),
            (18, [(21, true), (16, false)], 21),
        ] as [(Int, [(Int, Bool)], Int?)]
    )
    func statementsOfAge(_ age: Int, _ statements: [(age: Int, isOver: Bool)], _ expected: Int?) async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        for statement in statements {
            let attestation = AgeAttestation(age: statement.age, isOver: statement.isOver)
            try builder.add(.bool(statement.isOver), as: attestation.identifier, in: .mDL)
        }
        let element = AgeAttestation(age: age, isOver: true).identifier
        let outcome = try await utopia.items(of: .asking(for: [element: true]), utopia.issue(builder))
        #expect(outcome.extra.isEmpty)
        #expect(outcome.missing == (expected == nil ? [.mDL(element)] : []))
        let answer = try #require(outcome.elements.first)
        let identifier = expected.map { AgeAttestation(age: $0, isOver: true).identifier }
        #expect(answer.answeredBy == identifier.map { [.mDL($0)] } ?? [])
        #expect(outcome.retainableElements == answer.answeredBy)
        if let expected, expected != age {
            let isOver = try #require(statements.first { $0.age == expected }).isOver
            #expect(answer.answer == .ageAttestation(AgeAttestation(age: expected, isOver: isOver)))
        }
    }

    @Test func reportsUnrequestedStatementsOfAgeAsExtra() async throws {
        let utopia = try await Utopia()
        let credential = try await utopia.credential(.mDL, ["family_name": "D", "age_over_18": true])
        let outcome = try await utopia.items(of: .asking(for: ["family_name": false]), credential)
        #expect(outcome.extra == [.mDL("age_over_18")])
    }

    private func alternatives(
        _ element: DataElementIdentifier,
        _ sets: [DataElementIdentifier]...
    ) -> AlternativeDataElements {
        AlternativeDataElements(
            .mDL(element),
            alternativeElementSets: sets.map { $0.map { DataElementReference.mDL($0) } }
        )
    }

    @Test func alternativesAnswerAsAWhole() async throws {
        let utopia = try await Utopia()
        let request = try ItemsRequest.asking(for: ["resident_address": true, "sex": false]) {
            $0.alternativeDataElements = [
                alternatives("resident_address", ["resident_city", "resident_country"], ["resident_postal_code"]),
                alternatives("resident_address", ["nationality"]),
            ]
        }
        func outcome(_ elements: KeyValuePairs<DataElementIdentifier, CBOR>) async throws -> ItemsOutcome {
            try await utopia.items(of: request, utopia.credential(.mDL, elements))
        }
        let whole = try await outcome(["resident_country": "UT", "resident_city": "A", "sex": 1])
        #expect(whole.isSatisfied && whole.extra.isEmpty)
        #expect(whole.elements.first?.answer == .alternative([.mDL("resident_city"), .mDL("resident_country")]))
        #expect(whole.retainableElements == [.mDL("resident_city"), .mDL("resident_country")])
        let part = try await outcome(["resident_city": "A", "sex": 1])
        #expect(part.missing == [.mDL("resident_address")])
        #expect(part.extra == [.mDL("resident_city")])
        let second = try await outcome(["resident_city": "A", "resident_postal_code": "1", "sex": 1])
        #expect(second.elements.first?.answer == .alternative([.mDL("resident_postal_code")]))
        #expect(second.extra == [.mDL("resident_city")])
        let further = try await outcome(["nationality": "UT", "sex": 1])
        #expect(further.elements.first?.answer == .alternative([.mDL("nationality")]))
        let itself = try await outcome(["resident_address": "A", "nationality": "UT", "sex": 1])
        #expect(itself.elements.first?.answer == .returned)
        #expect(itself.extra == [.mDL("nationality")])
    }

    @Test func statementsOfAgeAsAlternatives() async throws {
        let utopia = try await Utopia()
        let request = try ItemsRequest.asking(for: ["birth_date": true]) {
            $0.alternativeDataElements = [alternatives("birth_date", ["age_over_18"])]
        }
        let credential = try await utopia.credential(.mDL, ["age_over_21": true, "age_over_65": false])
        let outcome = try await utopia.items(of: request, credential)
        #expect(outcome.elements.first?.answer == .alternative([.mDL("age_over_21")]))
        #expect(outcome.extra.isEmpty)
    }

    @Test func issuersThatTheRequestTakes() async throws {
        let utopia = try await Utopia()
        let credential = try await utopia.credential(.mDL, ["sex": 1])
        let authority = try #require(utopia.documentSigner.authorityKeyIdentifier?.keyIdentifier)
        func outcome(_ identifiers: [UInt8]...) async throws -> ItemsOutcome {
            try await utopia.items(of: .asking(for: ["sex": false]) { $0.issuerIdentifiers = identifiers }, credential)
        }
        #expect(try await utopia.items(of: .asking(for: ["sex": false]), credential).isIssuerAccepted)
        #expect(try await outcome([1], [UInt8](authority)).isSatisfied)
        let other = try await outcome([1], [2])
        #expect(!other.isIssuerAccepted && !other.isSatisfied && other.missing.isEmpty)
    }
}

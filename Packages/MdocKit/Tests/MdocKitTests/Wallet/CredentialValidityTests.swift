import CryptoCore
import Foundation
import MdocKit
import Testing

/// A wallet offers and presents only credentials within their validity.
@Suite struct CredentialValidityTests {
    private static let validity = ValidityInfo(
        signed: Utopia.now - Utopia.day,
        validFrom: Utopia.now,
        validUntil: Utopia.now + Utopia.day
    )

    private func stored(
        _ utopia: Utopia,
        id: String = "a",
        _ validity: ValidityInfo = validity
    ) async throws -> StoredMdoc {
        StoredMdoc(id: id, issuerSigned: try await utopia.issue(utopia.builder(validity: validity)))
    }

    private func request(useCases: [UseCase] = []) throws -> DeviceRequest {
        try DeviceRequest(
            docRequests: [DocRequest(ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]]))],
            deviceRequestInfo: useCases.isEmpty ? nil : DeviceRequestInfo(useCases: useCases)
        )
    }

    @Test(arguments: [(-1.0, false), (0, true), (Utopia.day, true), (Utopia.day + 1, false)])
    func offersWhatIsValidAtTheTime(_ seconds: Double, isOffered: Bool) async throws {
        let credential = try await stored(try await Utopia())
        let time = Utopia.now + seconds
        #expect(credential.isValid(at: time) == isOffered)
        let match = try RequestMatch(request(), in: [credential], at: time)
        #expect(match.docRequests[0].candidates.isEmpty == !isOffered)
        #expect(match.docRequests[0].obstacle == (isOffered ? nil : .outsideValidity))
        #expect(match.docRequests[0].canBeSatisfied == isOffered)
        #expect(match.answerable == (isOffered ? [0] : []))
        #expect(match.fullConsent().entries.count == (isOffered ? 1 : 0))
    }

    @Test func passesOverCopiesThatAreNotValid() async throws {
        let utopia = try await Utopia()
        let (start, day) = (Utopia.now, Utopia.day)
        let copies = [
            try await stored(
                utopia,
                id: "expired",
                ValidityInfo(signed: start - day, validFrom: start - day, validUntil: start - 1)
            ),
            try await stored(
                utopia,
                id: "later",
                ValidityInfo(signed: start - day, validFrom: start + 1, validUntil: start + day)
            ),
            try await stored(utopia, id: "valid"),
        ]
        let match = try RequestMatch(request(), in: copies, at: start)
        #expect(match.docRequests[0].candidates.map(\.credential.id) == ["valid"])
        #expect(match.fullConsent().entries.map(\.credential) == ["valid"])
        // A decision cannot name a credential that was not offered.
        let decision = ConsentDecision([
            .init(docRequest: 0, credential: "expired", elements: [DataElementReference(.mDL, "family_name")])
        ])
        let error = #expect(throws: MdocError.self) {
            try match.documents(for: decision, sessionTranscript: utopia.transcript, at: start)
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func aMandatoryPurposeThatOnlyAnExpiredCredentialServes() async throws {
        let credential = try await stored(try await Utopia())
        let useCases = [UseCase(mandatory: true, documentSets: [[0]])]
        let valid = try RequestMatch(request(useCases: useCases), in: [credential], at: Utopia.now)
        #expect(valid.answerable == [0])
        let late = try RequestMatch(request(useCases: useCases), in: [credential], at: Utopia.now + 2 * Utopia.day)
        #expect(late.answerable.isEmpty)
        #expect(late.useCases[0].documentSet == nil)
    }

    /// The holder may take a while to decide.
    @Test func presentsNothingThatExpiredSinceItWasOffered() async throws {
        let utopia = try await Utopia()
        let match = try RequestMatch(request(), in: [try await stored(utopia)], at: Utopia.now)
        let signer = try SoftwareSigner(utopia.deviceKey)
        for (time, isPresented) in [
            (Utopia.now, true), (Utopia.now + Utopia.day, true), (Utopia.now + Utopia.day + 1, false),
            (Utopia.now - 1, false),
        ] {
            let code: MdocError.Code?
            do {
                let response = try await match.response(
                    to: match.fullConsent(),
                    sessionTranscript: utopia.transcript,
                    at: time
                ) { _ in .signer(signer) }
                #expect(response.documents.count == 1)
                code = nil
            } catch {
                code = error.code
            }
            #expect(code == (isPresented ? nil : .outsideValidity), "\(time)")
        }
    }
}

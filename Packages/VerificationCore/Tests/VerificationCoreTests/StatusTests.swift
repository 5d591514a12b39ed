import Foundation
import Testing
import VerificationCore

/// Of several statuses the worst counts, and only a valid one passes.
@Suite struct StatusTests {
    private static let date = Date(timeIntervalSince1970: 1)
    /// From the best to the worst.
    private static let statuses: [CredentialStatus] = [
        .valid(asOf: date), .application(5), .unknown("offline"), .suspended, .revoked,
    ]

    @Test func theWorseCounts() {
        for (place, status) in Self.statuses.enumerated() {
            for (otherPlace, other) in Self.statuses.enumerated() {
                #expect(status.combined(with: other) == Self.statuses[max(place, otherPlace)])
            }
        }
    }

    @Test func theOlderStatementCounts() {
        let later = CredentialStatus.valid(asOf: Self.date + 1)
        #expect(later.combined(with: Self.statuses[0]) == Self.statuses[0])
        #expect(Self.statuses[0].combined(with: later) == Self.statuses[0])
    }

    @Test func onlyAValidStatusPasses() {
        let reasons: [Reason?] = Self.statuses.map { status in
            do throws(CheckFault) {
                try status.requireValid()
                return nil
            } catch {
                return switch error.outcome {
                case .failed(let reason, _), .unavailable(let reason, _): reason
                default: nil
                }
            }
        }
        #expect(reasons == [nil, .statusUnknown, .statusUnknown, .suspended, .revoked])
    }
}

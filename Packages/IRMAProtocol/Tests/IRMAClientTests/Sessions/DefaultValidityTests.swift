import Foundation
import IRMAMessages
import IdemixCore
import Testing

@testable import IRMAClient

/// The validity of a credential whose request names none, which issuer and wallet each compute.
struct DefaultValidityTests {
    /// Six calendar months from the beginning of the week, and of February, which has no 31st day, into March.
    @Test(arguments: [("2026-12-01T12:00:00Z", 25), ("2026-11-26T00:00:00Z", 25), ("2028-09-01T12:00:00Z", 26)])
    func countsFromTheWeekOfTheSignature(_ time: String, weeks: UInt16) throws {
        let time = try Date(time, strategy: .iso8601)
        let metadata = try CredentialRequest("demo.bank.card", attributes: [:]).metadata(at: time)
        #expect(metadata.validityWeeks == weeks)
    }

    @Test func takesTheValidityOfTheRequest() throws {
        let time = try Date("2026-11-26T00:00:00Z", strategy: .iso8601)
        var request = CredentialRequest("demo.bank.card", attributes: [:])
        request.validity = Int64(time.timeIntervalSince1970) + 3 * 7 * 86_400
        #expect(try request.metadata(at: time).validityWeeks == 3)
    }
}

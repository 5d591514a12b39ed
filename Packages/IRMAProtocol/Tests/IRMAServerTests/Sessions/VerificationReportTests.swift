import Foundation
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// Reports in the store.
@Suite struct VerificationReportTests {
    private func report(at seconds: Double, refused: Bool) -> VerificationReport {
        var inner = Checklist([.structure, .validity, .status, .proof], at: Date(timeIntervalSince1970: seconds))
        inner.record(.structure, .passed, at: ["proofs[0]"])
        inner.record(.validity, .waived("skipExpiryCheck"))
        inner.record(.status, .notApplicable("no proof of non-revocation"))
        inner.record(.proof, refused ? .failed(.invalidProof, "wrong") : .passed, at: ["proofs[0]", "c"])
        inner.add(Deviation("allowsPlainHTTP", at: ["url"], "a URL with http"))
        let part: Verification<Int> = inner.verification(of: refused ? nil : 1)
        var outer = Checklist([.issuerKey], at: Date(timeIntervalSince1970: seconds))
        outer.record(.issuerKey, .passed)
        outer.add(part, named: "proofList")
        let whole: Verification<Int> = outer.verification(of: refused ? nil : 1)
        return whole.report
    }

    @Test(arguments: [true, false]) func haveTheFormOfCodable(_ refused: Bool) throws {
        for seconds in [0, 1_800_000_000.25, -1] {
            let report = report(at: seconds, refused: refused)
            var text = RecordText(capacity: 0)
            #expect(report.write(to: &text))
            let json = try JSONValue(parsing: text.bytes)
            #expect(try StrictJSONEncoder().encodeValue(report) == json)
            #expect(try StrictJSONDecoder().decode(VerificationReport.self, from: json) == report)
        }
    }

    @Test func needATimeThatHasAForm() {
        var text = RecordText(capacity: 0)
        #expect(!report(at: .infinity, refused: true).write(to: &text))
    }
}

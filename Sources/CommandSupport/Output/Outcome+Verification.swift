import Foundation
import JSONKit
package import VerificationCore

extension Outcome {
    /// The outcome of a verification of any format: the verdict with its reason, what the command has to say about the
    /// object, and every check.
    ///
    /// - Parameters:
    ///   - verification: The verification.
    ///   - members: The members to show between verdict and checks; those without a value are left out.
    package init<Value>(_ verification: Verification<Value>, _ members: KeyValuePairs<String, Outline?>) {
        let members = members.compactMap { name, value in value.map { (name: name, value: $0) } }
        self.init(
            report: .labeled(verification.verdictMembers + members + verification.checkMembers),
            isRefusal: verification.refusal != nil
        )
    }
}

extension Verification {
    /// The verdict, its reason, and the time.
    fileprivate var verdictMembers: [(name: String, value: Outline)] {
        let time = (name: "time", value: Outline.text(time.utcText))
        guard let refusal else { return [("verdict", "verified"), time] }
        return [
            ("verdict", "refused"), ("reason", .text("\(refusal.reason)")), ("check", .text("\(refusal.check)")),
            ("message", .text(refusal.message)), time,
        ]
    }

    /// The deviations, and every check; for machines the documented form of a verification.
    fileprivate var checkMembers: [(name: String, value: Outline)] {
        guard let report = try? StrictJSONEncoder().encodeValue(report) else { return deviationMembers }
        return deviationMembers + [("verification", .forms(people: checkOutline(showing: []), machines: report))]
    }

    private var deviationMembers: [(name: String, value: Outline)] {
        deviations.isEmpty ? [] : [("deviations", .list(deviations.map { .text("\($0)") }))]
    }

    /// The checks, and those of the parts with their deviations.
    ///
    /// - Parameter members: The members to show behind the checks.
    private func checkOutline(showing members: [(name: String, value: Outline)]) -> Outline {
        let checks = Outline.list(checks.map { .text("\($0)") })
        guard !parts.isEmpty || !members.isEmpty else { return checks }
        let parts = parts.map { part in
            (name: part.name, value: part.verification.checkOutline(showing: part.verification.deviationMembers))
        }
        return .fields([(name: "checks", value: checks)] + members + parts)
    }
}

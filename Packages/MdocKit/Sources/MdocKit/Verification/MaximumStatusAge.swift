import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The largest age of a statement that credentials are neither revoked nor suspended, by document type.
///
/// ```swift
/// policy.maximumStatusAge = MaximumStatusAge(86_400, [.mDL: 3_600])
/// ```
/// The age counts from the issuer's statement, such as the `iat` of a status list. A list must not be used past its `exp`,
/// whatever its age. A stale list can still revoke.
public struct MaximumStatusAge: Hashable, Sendable {
    /// The age for document types without one of their own, in seconds; nil for any age.
    public var general: TimeInterval?
    /// The ages for single document types, in seconds.
    public var byDocType: [DocType: TimeInterval]

    /// Sets the ages, by default none.
    public init(_ general: TimeInterval? = nil, _ byDocType: [DocType: TimeInterval] = [:]) {
        self.general = general
        self.byDocType = byDocType
    }

    /// The age for a document type, in seconds; nil for any age.
    public subscript(docType: DocType) -> TimeInterval? { byDocType[docType] ?? general }

    /// The finding, or `unknown` in place of valid where the statement is too old.
    func limit(_ finding: StatusFinding, for docType: DocType, at time: Date) -> StatusFinding {
        guard let maximum = self[docType], case .valid(let date) = finding.status else { return finding }
        let age = time.timeIntervalSince(date)
        guard age > maximum else { return finding }
        return StatusFinding(
            .unknown(
                "the statement of the status is \(age.inWholeSeconds) s old, and may be \(maximum.inWholeSeconds) s old"
            ),
            deviations: finding.deviations
        )
    }
}

extension TimeInterval {
    /// The seconds without their fraction, as text.
    fileprivate var inWholeSeconds: String { Int64(exactly: rounded(.down)).map { "\($0)" } ?? "\(self)" }
}

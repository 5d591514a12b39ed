/// The statuses that a request accepts in its answer.
///
/// ```swift
/// let accepted: AcceptedStatuses = [200, 404]
/// let all = AcceptedStatuses(200...499)
/// ```
public struct AcceptedStatuses: Hashable, Sendable, ExpressibleByArrayLiteral {
    private let codes: Set<Int>

    /// Every status from 200 to 299 (RFC 9110, section 15.3).
    public static let successful = AcceptedStatuses(200...299)

    /// These statuses.
    public init(_ codes: Set<Int>) {
        self.codes = codes
    }

    /// The statuses of a range; those beyond three digits are left out.
    public init(_ range: ClosedRange<Int>) {
        codes = range.overlaps(100...999) ? Set(range.clamped(to: 100...999)) : []
    }

    /// These statuses.
    public init(arrayLiteral codes: Int...) {
        self.codes = Set(codes)
    }

    /// Returns `true` for an accepted status.
    public func contains(_ status: Int) -> Bool {
        codes.contains(status)
    }
}

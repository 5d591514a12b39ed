/// The limits of selective disclosure; each bound is the largest accepted.
///
/// They bound what a proof can cost a verifier: each statement takes one verification of a signature, and those only
/// once the issuer's signature over their key has verified.
public struct SelectiveDisclosureLimits: Hashable, Sendable {
    /// The number of statements that are signed one by one: 1,024 by default.
    public var statements: Int
    /// The number of blank nodes with labels: 1,024 by default.
    public var labels: Int
    /// The number of mandatory pointers, and of those that a holder selects: 256 each by default.
    public var pointers: Int
    /// The length of a proof value in characters: 256 KiB by default.
    public var size: Int

    /// Makes limits, of which those that are not given have their default.
    public init(statements: Int = 1024, labels: Int = 1024, pointers: Int = 256, size: Int = 256 << 10) {
        self.statements = statements
        self.labels = labels
        self.pointers = pointers
        self.size = size
    }

    /// The default of each limit.
    public static let `default` = SelectiveDisclosureLimits()

    func check(statements count: Int) throws(LinkedDataError) {
        try Self.check(count, statements, "statements that are signed one by one")
    }

    func check(labels count: Int) throws(LinkedDataError) { try Self.check(count, labels, "blank nodes") }

    func check(pointers count: Int) throws(LinkedDataError) { try Self.check(count, pointers, "pointers") }

    private static func check(_ count: Int, _ bound: Int, _ name: String) throws(LinkedDataError) {
        guard count <= bound else { throw LinkedDataError(.limitExceeded, "there are more than \(bound) \(name)") }
    }
}

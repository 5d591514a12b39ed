import Synchronization

/// Counts the powers in the groups of keys that are computed while it is the current one: what tests assert about the
/// cost of a verification, since a time depends on the machine.
package final class PowerCount: Sendable {
    @TaskLocal static var current: PowerCount?

    private let counts = Mutex((powers: 0, work: VerificationWork()))

    /// A count of zero.
    package init() {}

    /// How many powers were computed.
    package var powers: Int { counts.withLock { $0.powers } }

    /// The bits of their exponents.
    package var work: VerificationWork { counts.withLock { $0.work } }

    /// Runs a body in which this is the current count.
    package func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }

    /// Adds a power with an exponent of so many bits.
    func add(bits: Int, hasTable: Bool) {
        counts.withLock { counts in
            counts.powers += 1
            if hasTable { counts.work.tableBits += bits } else { counts.work.otherBits += bits }
        }
    }
}

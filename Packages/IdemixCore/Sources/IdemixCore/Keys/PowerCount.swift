import Synchronization

/// A count of the powers that are computed in the groups of keys while it is the current one.
///
/// Tests assert the cost of a verification with it, since times depend on the machine.
package final class PowerCount: Sendable {
    @TaskLocal static var current: PowerCount?

    private let counts = Mutex((powers: 0, work: VerificationWork()))

    /// A count of zero.
    package init() {}

    /// The number of powers computed.
    package var powers: Int { counts.withLock { $0.powers } }

    /// The bits of their exponents.
    package var work: VerificationWork { counts.withLock { $0.work } }

    /// Runs a body in which this is the current count.
    package func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }

    /// Adds a power with an exponent of the given bit length.
    func add(bits: Int, hasTable: Bool) {
        counts.withLock { counts in
            counts.powers += 1
            if hasTable { counts.work.tableBits += bits } else { counts.work.otherBits += bits }
        }
    }
}

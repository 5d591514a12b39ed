import Synchronization

/// A base that belongs to one credential, such as its A.
///
/// Its table is freed with it and never shared.
///
/// The table is built with the third use, in constant time, because the base identifies its holder.
package final class OwnedBase: Sendable {
    /// The base.
    let value: BigInteger
    private let state = Mutex(State())

    private struct State {
        var uses = 0
        var isInConstruction = false
        var table: FixedBase?
    }

    init(_ value: BigInteger) {
        self.value = value
    }

    /// Indicates that the table has been built.
    package var hasTable: Bool { state.withLock { $0.table != nil } }

    /// The table for exponents of up to `bits` bits, or nil if it has not been built.
    ///
    /// One base always has the same `bits`.
    func table(modulus: MontgomeryModulus, bits: Int, maximumByteCount: Int) -> FixedBase? {
        let shape = CombShape.secret
        guard FixedBase.byteCount(width: modulus.width, shape: shape, bits: bits) <= maximumByteCount else {
            return nil
        }
        let (found, builds) = state.withLock { state in
            state.uses += 1
            guard state.table == nil, !state.isInConstruction, state.uses >= FixedBaseTables.usesUntilBuilt else {
                return (state.table, false)
            }
            state.isInConstruction = true
            return (nil, true)
        }
        guard builds else { return found }
        let residue = modulus.residue(of: value)
        let built = FixedBase(residue: residue, modulus: modulus, shape: shape, bits: bits, timing: .constant)
        state.withLock { $0.table = built }
        return built
    }
}

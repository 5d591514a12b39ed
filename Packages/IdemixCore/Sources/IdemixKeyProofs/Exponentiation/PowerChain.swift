import IdemixCore

/// All steps of the exponentiation base^exponent = ±1 modulo a secret odd m, from the least significant bit up.
///
/// The time depends on the lengths of m and of the exponent only.
struct PowerChain {
    /// base^(2^i).
    private(set) var squares: [LimbBuffer] = []
    /// The quotients by m of the squarings that lead to them; the first is zero, for base = 1·base.
    private(set) var squareQuotients: [LimbBuffer] = []
    /// The bits of the exponent.
    private(set) var bits: [LimbBuffer] = []
    /// The results after each bit that is not the topmost one, below m.
    private(set) var results: [LimbBuffer] = []
    /// The quotients by m of the multiplications with base^(2^i), whether or not the bit is 1.
    private(set) var quotients: [LimbBuffer] = []
    /// 1 if the power is 1, else 0.
    private(set) var isOne = LimbBuffer(.zero, count: 1)
    /// 1 if the power is −1, else 0; for a composite m it may be neither.
    private(set) var isMinusOne = LimbBuffer(.zero, count: 1)

    /// Computes a power.
    ///
    /// - Parameters:
    ///   - base: A number below m.
    ///   - exponentBits: The length of the exponent, whose topmost bit is 1.
    ///   - count: The number of powers base^(2^i), at least as many as the exponent has bits.
    init(_ base: LimbBuffer, _ exponent: LimbBuffer, exponentBits: Int, count: Int, modulo m: LimbBuffer) {
        var square = LimbBuffer(base, count: m.count)
        var result = LimbBuffer(.one, count: m.count)
        for position in 0..<count {
            if position == 0 {
                squareQuotients.append(LimbBuffer(.zero, count: m.count))
            } else {
                let (quotient, remainder) = (square * square).divided(by: m)
                squareQuotients.append(quotient)
                square = remainder
            }
            squares.append(square)
            guard position < exponentBits else { continue }
            let bit = exponent.bit(position)
            bits.append(bit)
            let (quotient, remainder) = (result * square).divided(by: m)
            if position < exponentBits - 1 {
                quotients.append(quotient)
                result = .choose(bit, remainder, result)
                results.append(result)
            } else {
                // The result is 1, or −1 where the remainder is m − 1.
                let one = LimbBuffer(.one, count: m.count)
                isOne = remainder.equality(with: one)
                isMinusOne = (remainder + one).equality(with: LimbBuffer(m, count: m.count + 1))
                quotients.append(quotient + isMinusOne)
            }
        }
    }
}

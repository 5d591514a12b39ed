import CryptoCore

/// A source of randomness that always gives the same byte.
struct ConstantSource: RandomSource {
    let byte: UInt8

    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: max(0, count)) }
}

/// Makes damaged variants of inputs for tests of parsers, the same ones for the same seed.
public struct Mutator: Sendable {
    private var generator: RepeatableRandomNumberGenerator

    /// Starts the sequence of mutations that belongs to the seed.
    public init(seed: UInt64) {
        generator = RepeatableRandomNumberGenerator(seed: seed)
    }

    /// One damaged variant: one to four edits, each a bit flip, an interesting byte, a cut, a doubled or moved stretch.
    public mutating func mutate(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...4, using: &generator) { edit(&bytes) }
        return bytes
    }

    private mutating func edit(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else {
            bytes.append(UInt8.random(in: 0...255, using: &generator))
            return
        }
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let end = Swift.min(bytes.count, index + Int.random(in: 1...16, using: &generator))
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 1: bytes[index] = [0x00, 0x1b, 0x3b, 0x5f, 0x7f, 0x9b, 0x9f, 0xbb, 0xbf, 0xdb, 0xfb, 0xff][index % 12]
        case 2: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 3: bytes.removeSubrange(index...)
        case 4: bytes.removeSubrange(index..<end)
        case 5: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        }
    }
}

public import CryptoCore
import Synchronization

/// A `RandomSource` over any random number generator; with a seeded one, everything that draws from it repeats.
public final class GeneratorRandomSource<Generator: RandomNumberGenerator & Sendable>: RandomSource {
    private let generator: Mutex<Generator>

    /// Takes over a generator.
    public init(_ generator: Generator) {
        self.generator = Mutex(generator)
    }

    /// The generator's next bytes, each word with its least significant byte first; a negative count gives none.
    public func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { $0.bytes(count) }
    }
}

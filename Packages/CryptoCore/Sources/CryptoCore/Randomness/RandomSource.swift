/// A source of random bytes: the system by default, a repeatable one in tests.
///
/// A source that is used outside tests must be cryptographically secure.
public protocol RandomSource: Sendable {
    /// Fresh random bytes.
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomSource where Self == SystemRandomSource {
    /// The operating system's generator.
    public static var system: SystemRandomSource { SystemRandomSource() }
}

/// The operating system's cryptographically secure generator.
public struct SystemRandomSource: RandomSource {
    /// Makes the source; it has no state.
    public init() {}

    /// Fresh random bytes; a negative count gives none.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return generator.bytes(count)
    }
}

extension RandomNumberGenerator {
    /// The next bytes, each word with its least significant byte first.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, count))
        while bytes.count < count {
            var word = next()
            for _ in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return bytes
    }
}

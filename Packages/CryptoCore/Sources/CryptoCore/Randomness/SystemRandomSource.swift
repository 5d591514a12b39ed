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

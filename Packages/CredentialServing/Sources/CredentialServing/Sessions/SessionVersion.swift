/// The version of a session's value.
///
/// ``generation`` is random and belongs to one insertion, ``number`` starts at 1 and grows by one with every swap. A
/// version that was read before a session was deleted therefore never matches a later session under the same key.
public struct SessionVersion: Hashable, Sendable {
    /// The random number of the insertion.
    public let generation: UInt64
    /// The number of values that the session has had.
    public let number: UInt64

    /// A version as stored.
    public init(generation: UInt64, number: UInt64) {
        self.generation = generation
        self.number = number
    }

    /// The version of a value that is to be inserted.
    ///
    /// - Parameter random: The generator of the generation.
    public static func first(using random: inout some RandomNumberGenerator) -> SessionVersion {
        SessionVersion(generation: random.next(), number: 1)
    }

    /// The version of a value that is to be inserted, with a generation of the operating system's generator.
    public static func first() -> SessionVersion {
        var random = SystemRandomNumberGenerator()
        return first(using: &random)
    }

    /// The version after this one.
    ///
    /// - Throws: ``SessionStoreError/Code-swift.struct/invalidVersion`` after the largest number.
    public func next() throws(SessionStoreError) -> SessionVersion {
        let (next, isTooLarge) = number.addingReportingOverflow(1)
        guard !isTooLarge else { throw SessionStoreError(.invalidVersion, "no version after \(number)") }
        return SessionVersion(generation: generation, number: next)
    }

    /// Returns `true` if this version is of the same insertion as another, and later.
    public func isLater(than other: SessionVersion) -> Bool {
        generation == other.generation && number > other.number
    }
}

extension SessionVersion: CustomStringConvertible {
    /// The number of the version.
    public var description: String { "version \(number)" }
}

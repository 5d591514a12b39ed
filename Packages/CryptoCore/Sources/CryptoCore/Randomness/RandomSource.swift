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

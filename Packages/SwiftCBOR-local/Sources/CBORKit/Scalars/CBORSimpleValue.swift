/// A value that has a number and no content (RFC 8949 section 3.3).
public struct CBORSimpleValue: RawRepresentable, Hashable, Sendable {
    /// The number: 0 to 23 or 32 to 255.
    public let rawValue: UInt8

    /// The simple value with a number; nil for 24 to 31, which do not exist.
    public init?(rawValue: UInt8) {
        guard !(24...31).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The Boolean value false.
    public static let `false` = CBORSimpleValue(known: 20)
    /// The Boolean value true.
    public static let `true` = CBORSimpleValue(known: 21)
    /// The value for "nothing here".
    public static let null = CBORSimpleValue(known: 22)
    /// The value for "not known".
    public static let undefined = CBORSimpleValue(known: 23)
}

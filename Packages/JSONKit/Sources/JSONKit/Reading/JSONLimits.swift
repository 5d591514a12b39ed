/// How much a JSON text may demand of its reader; each bound is the largest that is accepted.
public struct JSONLimits: Hashable, Sendable {
    /// The length of the text in bytes: 16 MiB unless told.
    ///
    /// Never more than ``maximumSize``.
    public var size: Int
    /// How deep arrays and objects may be nested: 128 unless told.
    ///
    /// A text without any has depth 0.
    public var depth: Int
    /// The number of values, those inside others included and names not: 1,000,000 unless told.
    ///
    /// Never more than ``maximumValues``. A value or a name takes 24 bytes beside the text.
    public var values: Int
    /// The length of a string or name between its quotes, in bytes as written: 8 MiB unless told.
    public var stringLength: Int
    /// The length of a number in bytes: 4096 unless told.
    public var numberLength: Int

    /// Makes limits, of which those that are not given have their default.
    public init(
        size: Int = 16 << 20,
        depth: Int = 128,
        values: Int = 1_000_000,
        stringLength: Int = 8 << 20,
        numberLength: Int = 4096
    ) {
        self.size = size
        self.depth = depth
        self.values = values
        self.stringLength = stringLength
        self.numberLength = numberLength
    }

    /// The default of each limit.
    public static let `default` = JSONLimits()

    /// The length that no text may exceed, whatever ``size`` says: 4 GiB − 1.
    public static let maximumSize = Int(UInt32.max)
    /// The number of values that no text may exceed, whatever ``values`` says: 2²⁷.
    public static let maximumValues = 1 << 27
}

/// Limits for reading a JSON text; each bound is the largest accepted.
public struct JSONLimits: Hashable, Sendable {
    /// The largest length of the text in bytes: 16 MiB by default.
    ///
    /// Never more than ``maximumSize``.
    public var size: Int
    /// The largest nesting depth of arrays and objects: 128 by default.
    ///
    /// A text without any has depth 0.
    public var depth: Int
    /// The largest number of values, with nested ones and without names: 1,000,000 by default.
    ///
    /// Never more than ``maximumValues``. A value or a name takes 24 bytes beside the text.
    public var values: Int
    /// The largest length of a string or name between its quotes, in bytes as written: 8 MiB by default.
    public var stringLength: Int
    /// The largest length of a number in bytes: 4096 by default.
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

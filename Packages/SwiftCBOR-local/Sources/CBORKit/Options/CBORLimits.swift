/// Limits for reading untrusted input.
///
/// A reader refuses an input beyond a limit with ``CBORError/Code/limitExceeded``. It never reserves memory for a
/// claimed length: an index costs at most eight bytes a byte of input.
public struct CBORLimits: Hashable, Sendable {
    /// The largest input in bytes.
    ///
    /// No input over ``maximumSize`` is read, independent of this value.
    public var size: Int
    /// The deepest nesting of arrays, maps and tags, where a single array counts as one.
    ///
    /// No input over ``maximumDepth`` is read, whatever stands here: values made from it are released level by level, on
    /// the stack.
    public var depth: Int
    /// The largest number of items in a document, where keys, chunks of strings and breaks count too.
    public var items: Int
    /// The longest byte or text string in bytes; one in chunks counts as a whole.
    public var stringLength: Int

    /// The largest size that ``size`` can allow: 2^31 − 1 bytes.
    public static let maximumSize = Int(Int32.max)
    /// The deepest nesting that ``depth`` can allow.
    public static let maximumDepth = 192

    /// Limits for general use: 64 MiB, 128 levels, 16,777,216 items, strings as long as the input.
    public static let `default` = CBORLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(
        size: Int = 64 << 20,
        depth: Int = 128,
        items: Int = 1 << 24,
        stringLength: Int = Self.maximumSize
    ) {
        self.size = size
        self.depth = depth
        self.items = items
        self.stringLength = stringLength
    }

    /// The limits that hold whatever is asked for, for what has been held to others already.
    static let largest = CBORLimits(size: maximumSize, depth: maximumDepth, items: maximumSize)
}

/// A reader's demands beyond well-formedness, which it always demands.
public struct CBORReadingOptions: Hashable, Sendable {
    /// The treatment of two equal keys in a map.
    public enum DuplicateKeys: Hashable, Sendable {
        /// Refuses the input. Keys are equal when their values are: 1 in a longer form is 1, but 1.0 is not.
        case refuse
        /// Takes every pair; a look-up finds the first.
        case allow
    }

    /// The treatment of bytes after the item.
    public enum TrailingBytes: Hashable, Sendable {
        /// Refuses the input.
        case refuse
        /// Leaves them; ``CBORDocument/trailingBytes`` has them.
        case allow
    }

    /// The limits for the input.
    public var limits = CBORLimits.default
    /// The treatment of two equal keys in a map.
    public var duplicateKeys = DuplicateKeys.refuse
    /// The treatment of bytes after the item.
    public var trailingBytes = TrailingBytes.refuse
    /// Indicates that the shortest forms are required of integers, lengths and tag numbers.
    ///
    /// Bignums must then be needed and without leading zeros (RFC 8949 sections 4.1 and 3.4.3).
    public var requiresShortestArguments = false
    /// Indicates that floating-point numbers must have the shortest form that keeps the value, and NaN must be
    /// `f97e00`.
    public var requiresShortestFloats = false
    /// Indicates that indefinite lengths are refused.
    public var requiresDefiniteLengths = false
    /// Indicates that violations of ``requiresShortestArguments`` and ``requiresDefiniteLengths`` are noted instead of
    /// refused: ``CBORDocument/firstLongForm`` and ``CBORDocument/firstIndefiniteLength`` are the first ones.
    ///
    /// One pass then replaces a strict pass and a tolerant one. Embedded items with deviations are not indexed along
    /// (``indexesEmbeddedItems``): each is a separate document with its own notes.
    public var notesDeviations = false
    /// The order that map keys must have, or nil for any.
    public var keyOrder: CBORKeyOrder?
    /// Indicates that the numeric reduction and the restrictions of dCBOR are required.
    ///
    /// Integral numbers from −2^63 to 2^64 − 1 are integers. There are no integers below that, no negative zero, and no
    /// simple values except false, true and null. Text is in Unicode normalization form C.
    public var requiresDCBOR = false
    /// Indicates that the content of the tags this module knows is checked: 0 to 5, 18, 21 to 24, 32, 100, 1004 and
    /// 55799.
    public var checksTagContent = false
    /// Indicates that the items in byte strings under tag 24 are checked and indexed in the same pass.
    ///
    /// It is for readers that need all of them: ``CBORView/embedded(options:)`` with the same options then takes
    /// neither time nor memory. It has no other effect. Content other than one item that these options allow is left
    /// alone until it is read, and so are items embedded in embedded items. The indexed items count towards
    /// ``CBORLimits/items``.
    public var indexesEmbeddedItems = false
    /// The tags that may occur, or nil for all.
    public var allowedTags: Set<UInt64>?
    /// The simple values that may occur, false, true, null and undefined among them, or nil for all.
    public var allowedSimpleValues: Set<CBORSimpleValue>?

    /// Options that take all valid CBOR within the default limits.
    public init() {}

    /// Takes all valid CBOR within the default limits: well-formed, text in UTF-8, no duplicate keys, nothing after it.
    public static let `default` = CBORReadingOptions()

    /// Takes core deterministic encoding only (RFC 8949 section 4.2.1).
    public static let deterministic = CBORReadingOptions.deterministic(order: .bytewise)

    /// Takes length-first deterministic encoding only (RFC 8949 section 4.2.3).
    public static let lengthFirst = CBORReadingOptions.deterministic(order: .lengthFirst)

    /// Takes dCBOR only (draft-mcnally-deterministic-cbor).
    public static let dCBOR: CBORReadingOptions = {
        var options = CBORReadingOptions.deterministic(order: .bytewise)
        options.requiresDCBOR = true
        return options
    }()

    private static func deterministic(order: CBORKeyOrder) -> CBORReadingOptions {
        var options = CBORReadingOptions()
        options.requiresShortestArguments = true
        options.requiresShortestFloats = true
        options.requiresDefiniteLengths = true
        options.keyOrder = order
        return options
    }
}

/// What a reader accepts beyond well-formedness, which it always demands.
public struct CBORReadingOptions: Hashable, Sendable {
    /// What to do with two equal keys in a map.
    public enum DuplicateKeys: Hashable, Sendable {
        /// Refuses the input. Keys are equal when their values are: 1 in a longer form is 1, but 1.0 is not.
        case refuse
        /// Takes every pair; a look-up finds the first.
        case allow
    }

    /// What to do with bytes after the item.
    public enum TrailingBytes: Hashable, Sendable {
        /// Refuses the input.
        case refuse
        /// Leaves them; ``CBORDocument/trailingBytes`` has them.
        case allow
    }

    /// How much input is taken.
    public var limits = CBORLimits.default
    /// What to do with two equal keys in a map.
    public var duplicateKeys = DuplicateKeys.refuse
    /// What to do with bytes after the item.
    public var trailingBytes = TrailingBytes.refuse
    /// Whether integers, lengths and tag numbers must have their shortest form, and bignums must be needed and without
    /// leading zeros (RFC 8949 sections 4.1 and 3.4.3).
    public var requiresShortestArguments = false
    /// Whether floating-point numbers must have the shortest form that keeps the value, and NaN must be `f97e00`.
    public var requiresShortestFloats = false
    /// Whether indefinite lengths are refused.
    public var requiresDefiniteLengths = false
    /// Whether what ``requiresShortestArguments`` and ``requiresDefiniteLengths`` refuse is read all the same, and noted:
    /// ``CBORDocument/firstLongForm`` and ``CBORDocument/firstIndefiniteLength`` then tell where it was met first.
    ///
    /// One pass tells so what a strict pass and a tolerant one would. Embedded items are not read along
    /// (``indexesEmbeddedItems``) where they deviate: each is a document of its own, with its own notes.
    public var notesDeviations = false
    /// The order that map keys must have, or nil for any.
    public var keyOrder: CBORKeyOrder?
    /// Whether the numeric reduction and the restrictions of dCBOR are demanded: integral numbers from −2^63 to 2^64 − 1
    /// as integers, no integers below that, no negative zero, no simple values but false, true and null, and text in
    /// Unicode normalization form C.
    public var requiresDCBOR = false
    /// Whether the content of the tags this module knows is checked: 0 to 5, 18, 21 to 24, 32, 100, 1004 and 55799.
    public var checksTagContent = false
    /// Whether the items in byte strings under tag 24 are checked and indexed in the same pass, for readers that look at
    /// all of them: ``CBORView/embedded(options:)`` with the same options then takes neither time nor memory.
    ///
    /// Nothing else comes of it. Content that is not one item that these options allow is left alone until someone asks
    /// for it, and so is what is embedded in embedded items. What is indexed counts towards ``CBORLimits/items``.
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

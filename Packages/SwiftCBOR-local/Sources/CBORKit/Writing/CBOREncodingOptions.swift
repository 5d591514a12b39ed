/// The options for writing values (RFC 8949 section 4).
public struct CBOREncodingOptions: Hashable, Sendable {
    /// The order in which the keys of maps are written, or nil for that of the value.
    let keyOrder: CBORKeyOrder?
    /// Indicates whether the forms and precisions that values carry are written.
    let keepsForm: Bool

    /// Preferred serialization (section 4.1): shortest heads and numbers, definite lengths, keys as they come.
    public static let preferred = CBOREncodingOptions(keyOrder: nil, keepsForm: false)

    /// Core deterministic encoding (section 4.2.1): preferred, and keys sorted by their bytes.
    public static let deterministic = CBOREncodingOptions(keyOrder: .bytewise, keepsForm: false)

    /// Length-first deterministic encoding (section 4.2.3): preferred, and keys sorted by length and bytes.
    public static let lengthFirst = CBOREncodingOptions(keyOrder: .lengthFirst, keepsForm: false)

    /// Keeps the precision of every number, and every ``CBOR/formed(_:_:)`` form.
    ///
    /// Only ``FormedCBOR`` uses it, which guarantees that the forms fit.
    static let formed = CBOREncodingOptions(keyOrder: nil, keepsForm: true)
}

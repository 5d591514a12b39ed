/// One data item as a value, for building and for pattern matching (RFC 8949 section 2).
///
/// ```swift
/// let request: CBOR = ["version": "1.0", "docRequests": [.tagged(24, .bytes(items))]]
/// let bytes = request.encoded()
/// ```
///
/// Two values are equal if they are the same in the generic data model: how they were written (``formed(_:_:)``, the
/// precision of a number) does not count, nor does the order of a map's pairs; 1 and 1.0 are different, and so are 0.0
/// and −0.0, and texts that differ in any byte. Equal values have equal hashes.
public enum CBOR: Sendable {
    /// An integer from 0 to 2^64 − 1 (major type 0).
    case unsigned(UInt64)
    /// The integer −1 − n, down to −2^64 (major type 1).
    case negative(UInt64)
    /// A byte string (major type 2).
    case bytes([UInt8])
    /// A text string (major type 3).
    case text(String)
    /// An array (major type 4).
    case array([CBOR])
    /// A map (major type 5).
    case map(CBORMap)
    /// A tag with its content (major type 6).
    indirect case tagged(UInt64, CBOR)
    /// A simple value: false, true, null, undefined, or one by number (major type 7).
    case simple(CBORSimpleValue)
    /// A floating-point number with its precision (major type 7).
    case float(CBORFloat)
    /// A value with the form in which it was or is to be written, where that is not the preferred one.
    ///
    /// It occurs only within a ``FormedCBOR``, which alone writes the form; all else sees the value within.
    indirect case formed(CBORForm, CBOR)
}

extension CBOR {
    /// The simple value false.
    public static let `false` = CBOR.simple(.false)
    /// The simple value true.
    public static let `true` = CBOR.simple(.true)
    /// The simple value null.
    public static let null = CBOR.simple(.null)
    /// The simple value undefined.
    public static let undefined = CBOR.simple(.undefined)

    /// The simple value of a Boolean.
    public static func bool(_ value: Bool) -> CBOR { value ? .true : .false }

    /// A floating-point number in the shortest precision that holds it.
    public static func double(_ value: Double) -> CBOR { .float(CBORFloat(value)) }

    /// An integer: of major type 0 or 1 from −2^64 to 2^64 − 1, a bignum (tag 2 or 3) beyond.
    public static func integer(_ value: some BinaryInteger) -> CBOR {
        if let argument = UInt64(exactly: value) { return .unsigned(argument) }
        if value < 0, let argument = UInt64(exactly: -1 - Int128(clamping: value)), Int128(exactly: value) != nil {
            return .negative(argument)
        }
        return CBORBigInteger(value).cbor
    }

    /// The value without the forms around it.
    public var unformed: CBOR {
        var value = self
        while case .formed(_, let inner) = value { value = inner }
        return value
    }
}

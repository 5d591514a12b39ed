// Builders for tagged items.
extension CBOR {
    /// A date and time as text under tag 0.
    public static func dateTime(_ value: CBORDateTime) -> CBOR {
        .tagged(CBORTag.dateTime, .text(value.description))
    }

    /// A time in seconds under tag 1.
    public static func epochTime(_ value: CBOREpochTime) -> CBOR { value.cbor }

    /// A day as text under tag 1004; nil for years that four digits cannot write.
    public static func fullDate(_ date: CBORDate) -> CBOR? {
        (0...9999).contains(date.components.year) ? .tagged(CBORTag.fullDate, .text(date.description)) : nil
    }

    /// A day as a number under tag 100.
    public static func epochDate(_ date: CBORDate) -> CBOR {
        .tagged(CBORTag.epochDate, .integer(date.daysSinceEpoch))
    }

    /// A URI under tag 32; nil if the text does not have the form of one.
    public static func uri(_ text: String) -> CBOR? {
        URISyntax.isURI(text.utf8) ? .tagged(CBORTag.uri, .text(text)) : nil
    }

    /// An item in a byte string under tag 24.
    public static func embedded(_ value: CBOR, _ options: CBOREncodingOptions = .preferred) -> CBOR {
        .tagged(CBORTag.encodedItem, .bytes(value.encoded(options)))
    }

    /// An item whose byte strings are to become such text in JSON.
    public static func expected(_ encoding: CBORExpectedEncoding, _ value: CBOR) -> CBOR {
        .tagged(encoding.rawValue, value)
    }

    /// An item under tag 55799, whose bytes `d9d9f7` tell CBOR from other formats.
    public static func selfDescribed(_ value: CBOR) -> CBOR {
        .tagged(CBORTag.selfDescribed, value)
    }
}

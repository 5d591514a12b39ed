/// One of the six COSE messages, with its CBOR tag (RFC 9052 section 2).
public struct COSEMessageType: Hashable, Sendable, CustomStringConvertible {
    /// The name of the structure, such as `COSE_Sign1`.
    public let description: String
    /// The CBOR tag of the tagged form.
    public let tag: UInt64
    /// The number of elements of the array.
    let elementCount: Int

    private init(_ name: String, tag: UInt64, elementCount: Int) {
        description = name
        self.tag = tag
        self.elementCount = elementCount
    }

    /// One signature over a payload, tag 18.
    public static let sign1 = COSEMessageType("COSE_Sign1", tag: 18, elementCount: 4)
    /// Several signatures over a payload, tag 98.
    public static let sign = COSEMessageType("COSE_Sign", tag: 98, elementCount: 4)
    /// A payload with an authentication tag, the key known implicitly, tag 17.
    public static let mac0 = COSEMessageType("COSE_Mac0", tag: 17, elementCount: 4)
    /// A payload with an authentication tag for recipients, tag 97.
    public static let mac = COSEMessageType("COSE_Mac", tag: 97, elementCount: 5)
    /// Encrypted content, the key known implicitly, tag 16.
    public static let encrypt0 = COSEMessageType("COSE_Encrypt0", tag: 16, elementCount: 3)
    /// Encrypted content for recipients, tag 96.
    public static let encrypt = COSEMessageType("COSE_Encrypt", tag: 96, elementCount: 4)

    /// All six.
    static let all: [COSEMessageType] = [.sign1, .sign, .mac0, .mac, .encrypt0, .encrypt]

    /// The message with a CBOR tag, or nil for any other tag.
    public init?(tag: UInt64) {
        guard let type = Self.all.first(where: { $0.tag == tag }) else { return nil }
        self = type
    }
}

/// The permitted uses of the subject's key (RFC 5280, 4.2.1.3).
public struct KeyUsage: OptionSet, Hashable, Sendable {
    /// The bits, bit 0 of the extension as the least significant one.
    public let rawValue: UInt16

    /// Takes the bits, bit 0 of the extension as the least significant one.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Signatures other than those on certificates and revocation lists.
    public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    /// nonRepudiation, also called contentCommitment.
    public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    /// Encrypting keys.
    public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    /// Encrypting data without a key in between.
    public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    /// Key agreement.
    public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    /// Signing certificates.
    public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
    /// Signing revocation lists.
    public static let crlSign = KeyUsage(rawValue: 1 << 6)
    /// Only encrypting, together with ``keyAgreement``.
    public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    /// Only decrypting, together with ``keyAgreement``.
    public static let decipherOnly = KeyUsage(rawValue: 1 << 8)
}

extension KeyUsage: CustomStringConvertible {
    private static let names = [
        "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign",
        "cRLSign", "encipherOnly", "decipherOnly",
    ]

    /// The names of the bits as in RFC 5280, with commas between them.
    public var description: String {
        Self.names.indices.filter { rawValue & 1 << $0 != 0 }.map { Self.names[$0] }.joined(separator: ", ")
    }
}

extension KeyUsage: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        let element = try reader.next(DERReader.Tag.bitString, "KeyUsage")
        var bits: UInt16 = 0
        for (position, octet) in try element.bits("KeyUsage").enumerated() {
            let reversed = Self.reversed(octet)
            guard position == 0 || (position == 1 && reversed & 0xfe == 0) else {
                throw element.error("KeyUsage has bits that no usage is defined for")
            }
            bits |= UInt16(reversed) << (8 * position)
        }
        self.init(rawValue: bits)
    }

    var derValue: DERValue { .namedBits(rawValue) }

    private static func reversed(_ octet: UInt8) -> UInt8 {
        (0..<8).reduce(0) { $0 | (octet >> $1 & 1) << (7 - $1) }
    }
}

/// The purposes that the subject's key may be used for, besides keyUsage (RFC 5280, 4.2.1.12).
public struct ExtendedKeyUsage: Hashable, Sendable {
    /// The purposes in the order of the encoding.
    public let purposes: [OID]

    init(_ purposes: [OID]) {
        self.purposes = purposes
    }

    /// Returns `true` for a listed purpose; ``OID/anyExtendedKeyUsage`` does not match other purposes here.
    public func contains(_ purpose: OID) -> Bool {
        purposes.contains(purpose)
    }
}

extension ExtendedKeyUsage: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "ExtKeyUsageSyntax")
        guard !sequence.isAtEnd else { throw sequence.failure("ExtKeyUsageSyntax is empty") }
        var purposes: [OID] = []
        while !sequence.isAtEnd { purposes.append(try sequence.readObjectIdentifier("KeyPurposeId")) }
        self.init(purposes)
    }

    var derValue: DERValue { .sequence(purposes.map { .objectIdentifier($0) }) }
}

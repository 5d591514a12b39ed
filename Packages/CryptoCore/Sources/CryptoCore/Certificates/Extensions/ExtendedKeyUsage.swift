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

/// A name of one of the forms that certificates use (RFC 5280, 4.2.1.6).
public enum GeneralName: Hashable, Sendable {
    /// otherName: a type and the DER of its value.
    case otherName(type: OID, value: ArraySlice<UInt8>)
    /// rfc822Name: an e-mail address.
    case email(String)
    /// dNSName: a host name.
    case dns(String)
    /// x400Address, not taken apart: the contents octets.
    case x400Address(ArraySlice<UInt8>)
    /// directoryName.
    case directory(DistinguishedName)
    /// ediPartyName, not taken apart: the contents octets.
    case ediPartyName(ArraySlice<UInt8>)
    /// uniformResourceIdentifier.
    case uri(String)
    /// iPAddress: 4 or 16 bytes; in name constraints 8 or 32, address and mask.
    case ipAddress(ArraySlice<UInt8>)
    /// registeredID.
    case registeredID(OID)
}

extension GeneralName {
    init(from reader: inout DERReader) throws(CryptoError) {
        let element = try reader.next("GeneralName")
        switch element.tag {
        case DERReader.Tag.context(0): self = try Self.otherName(element)
        case DERReader.Tag.primitiveContext(1): self = .email(try Self.ia5Text(element, "rfc822Name"))
        case DERReader.Tag.primitiveContext(2): self = .dns(try Self.ia5Text(element, "dNSName"))
        case DERReader.Tag.context(3): self = .x400Address(element.contents)
        case DERReader.Tag.context(4): self = try Self.directoryName(element)
        case DERReader.Tag.context(5): self = .ediPartyName(element.contents)
        case DERReader.Tag.primitiveContext(6): self = .uri(try Self.ia5Text(element, "uniformResourceIdentifier"))
        case DERReader.Tag.primitiveContext(7): self = .ipAddress(element.contents)
        case DERReader.Tag.primitiveContext(8): self = .registeredID(try element.objectIdentifier("registeredID"))
        default: throw element.error("\(element.tag) is no tag of GeneralName")
        }
    }

    private static func ia5Text(_ element: DERElement, _ name: StaticString) throws(CryptoError) -> String {
        guard element.contents.allSatisfy({ $0 < 0x80 }) else {
            throw element.error("\(name) has characters that IA5String does not have")
        }
        return String(decoding: element.contents, as: UTF8.self)
    }

    private static func otherName(_ element: DERElement) throws(CryptoError) -> GeneralName {
        var reader = element.reader
        let type = try reader.readObjectIdentifier("otherName.type-id")
        let value = try reader.next(DERReader.Tag.context(0), "otherName.value").contents
        try reader.finish()
        return .otherName(type: type, value: value)
    }

    private static func directoryName(_ element: DERElement) throws(CryptoError) -> GeneralName {
        var reader = element.reader
        let name = try reader.next(DERReader.Tag.sequence, "directoryName")
        try reader.finish()
        try DistinguishedName.check(name)
        return .directory(DistinguishedName(checked: element.contents))
    }

    var derValue: DERValue {
        switch self {
        case .otherName(let type, let value):
            .context(0, [.objectIdentifier(type), .context(0, [.encoded(Array(value))])])
        case .email(let text): .context(1, text.utf8)
        case .dns(let text): .context(2, text.utf8)
        case .x400Address(let contents): .context(3, [.encoded(Array(contents))])
        case .directory(let name): .context(4, [.encoded(Array(name.encodedBytes))])
        case .ediPartyName(let contents): .context(5, [.encoded(Array(contents))])
        case .uri(let text): .context(6, text.utf8)
        case .ipAddress(let bytes): .context(7, bytes)
        case .registeredID(let id): .context(8, id.encodedBytes)
        }
    }
}

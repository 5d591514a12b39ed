/// One attribute of a ``DistinguishedName``: a type and a value, most often text.
public struct NameAttribute: Hashable, Sendable {
    /// The type of the attribute, such as ``OID/commonName``.
    public let type: OID

    /// The tag of the value, which tells the kind of string.
    let tag: UInt8

    /// The value's contents octets.
    let contents: ArraySlice<UInt8>

    init(type: OID, tag: UInt8, contents: ArraySlice<UInt8>) {
        self.type = type
        self.tag = tag
        self.contents = contents
    }

    /// Makes an attribute for writing, with the kind of string that RFC 5280 demands of its type.
    ///
    /// PrintableString for countryName and serialNumber, IA5String for domainComponent and emailAddress, UTF8String
    /// for everything else.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` if the text is empty or has
    ///   characters that its kind of string cannot hold.
    public init(_ type: OID, _ text: String) throws(CryptoError) {
        let bytes = Array(text.utf8)
        let tag: UInt8
        let isAllowed: Bool
        switch type {
        case .countryName, .serialNumberAttribute:
            tag = DERReader.Tag.printableString
            isAllowed = bytes.allSatisfy(PrintableString.allows)
        case .domainComponent, .emailAddress:
            tag = DERReader.Tag.ia5String
            isAllowed = bytes.allSatisfy { $0 < 0x80 }
        default:
            tag = DERReader.Tag.utf8String
            isAllowed = true
        }
        guard isAllowed, !bytes.isEmpty else {
            throw CryptoError(
                .invalidParameter,
                "an attribute of the type \(type) cannot have the value \(text.debugDescription)"
            )
        }
        self.init(type: type, tag: tag, contents: bytes[...])
    }

    /// The value as text, or nil if it is not a string or its bytes are not what its string type demands.
    public var stringValue: String? { DirectoryString.text(tag: tag, contents: contents) }

    var derValue: DERValue {
        .sequence([.objectIdentifier(type), .primitive(tag: tag, Array(contents))])
    }
}

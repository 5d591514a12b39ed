/// The name of a certificate's subject or issuer (RFC 5280, 4.1.2.4), with the bytes it was read from.
///
/// Equality (`==`) compares those bytes. ``matches(_:)`` compares as RFC 5280, 7.1 does, without regard to case, to
/// white space and to which string type was chosen.
public struct DistinguishedName: Hashable, Sendable {
    /// The DER of the RDNSequence.
    public let encodedBytes: ArraySlice<UInt8>

    /// Takes DER that was checked with ``check(_:)`` or was written by this module.
    init(checked encodedBytes: ArraySlice<UInt8>) {
        self.encodedBytes = encodedBytes
    }

    /// Reads the DER of an RDNSequence.
    ///
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidDER``.
    public init(der: some Collection<UInt8>) throws(CryptoError) {
        let bytes = Array(der)
        var reader = DERReader(bytes)
        let element = try reader.next(DERReader.Tag.sequence, "Name")
        try reader.finish()
        try Self.check(element)
        encodedBytes = bytes[...]
    }

    /// Hashes the bytes, all at once.
    public func hash(into hasher: inout Hasher) {
        unsafe encodedBytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Indicates that the name has no attributes at all.
    public var isEmpty: Bool { encodedBytes.count <= 2 }

    /// The attributes in order, those of a relative name with several attributes one after the other.
    public var attributes: [NameAttribute] {
        var attributes: [NameAttribute] = []
        forEachAttribute { _, attribute in attributes.append(attribute) }
        return attributes
    }

    /// The relative distinguished names in order, each with its attributes; nearly always one.
    public var relativeNames: [[NameAttribute]] {
        var names: [[NameAttribute]] = []
        forEachAttribute { position, attribute in
            if position == names.count { names.append([]) }
            names[position].append(attribute)
        }
        return names
    }

    /// The values of every attribute of a type, in order; those that are not text are left out.
    public func values(of type: OID) -> [String] {
        attributes.compactMap { $0.type == type ? $0.stringValue : nil }
    }

    /// The first value of an attribute of a type that is text, or nil; nothing of the other attributes is decoded.
    func firstValue(of type: OID) -> String? {
        let name = contents(at: encodedBytes.startIndex)
        var position = name.lowerBound
        while position < name.upperBound {
            let relativeName = contents(at: position)
            position = relativeName.lowerBound
            while position < relativeName.upperBound {
                let attribute = contents(at: position)
                if let text = text(at: attribute.lowerBound, ifOf: type) { return text }
                position = attribute.upperBound
            }
        }
        return nil
    }

    /// The text of the attribute whose type begins at a position, if it is the one that is looked for.
    private func text(at position: Int, ifOf type: OID) -> String? {
        let identifier = contents(at: position)
        guard identifier.count == type.encodedBytes.count,
            zip(identifier, type.encodedBytes).allSatisfy({ encodedBytes[$0] == $1 })
        else { return nil }
        let value = contents(at: identifier.upperBound)
        return DirectoryString.text(tag: encodedBytes[identifier.upperBound], contents: encodedBytes[value])
    }

    /// The range of the contents of the element at a position; the structure was checked when the name was made.
    private func contents(at position: Int) -> Range<Int> {
        let first = Int(encodedBytes[position + 1])
        guard first >= 0x80 else { return position + 2..<position + 2 + first }
        let start = position + 2 + first & 0x7f
        let count = encodedBytes[position + 2..<start].reduce(0) { $0 << 8 | Int($1) }
        return start..<start + count
    }

    /// Refuses anything that is not SEQUENCE OF SET OF SEQUENCE { type, value }, an empty SET included.
    static func check(_ name: DERElement) throws(CryptoError) {
        try forEachAttribute(of: name) { _, _ in }
    }

    /// Calls back with each attribute and the position of its relative name.
    func forEachAttribute(_ body: (Int, NameAttribute) -> Void) {
        var reader = DERReader(encodedBytes)
        // The structure was checked when the name was made: nothing is left to throw.
        guard let element = try? reader.next(DERReader.Tag.sequence, "Name") else { return }
        try? Self.forEachAttribute(of: element, body)
    }

    /// Calls back with each attribute and the position of its relative name.
    private static func forEachAttribute(
        of name: DERElement,
        _ body: (Int, NameAttribute) -> Void
    ) throws(CryptoError) {
        var sequence = name.reader
        var position = 0
        while !sequence.isAtEnd {
            var set = try sequence.enter(DERReader.Tag.set, "RelativeDistinguishedName")
            guard !set.isAtEnd else { throw set.failure("RelativeDistinguishedName is empty") }
            while !set.isAtEnd {
                var attribute = try set.enter(DERReader.Tag.sequence, "AttributeTypeAndValue")
                let type = try attribute.readObjectIdentifier("AttributeTypeAndValue.type")
                let value = try attribute.next("AttributeTypeAndValue.value")
                try attribute.finish()
                body(position, NameAttribute(type: type, tag: value.tag, contents: value.contents))
            }
            position += 1
        }
    }
}

extension DistinguishedName {
    /// The first commonName (CN), or nil.
    public var commonName: String? { firstValue(of: .commonName) }
    /// The first countryName (C): two letters of ISO 3166-1, or nil.
    public var countryName: String? { firstValue(of: .countryName) }
    /// The first stateOrProvinceName (ST), or nil.
    public var stateOrProvinceName: String? { firstValue(of: .stateOrProvinceName) }
    /// The first localityName (L), or nil.
    public var localityName: String? { firstValue(of: .localityName) }
    /// The first organizationName (O), or nil.
    public var organizationName: String? { firstValue(of: .organizationName) }
    /// The first organizationalUnitName (OU), or nil.
    public var organizationalUnitName: String? { firstValue(of: .organizationalUnitName) }
    /// The first serialNumber of the subject, or nil.
    ///
    /// It has nothing to do with the certificate's serial number.
    public var serialNumber: String? { firstValue(of: .serialNumberAttribute) }
    /// The first organizationIdentifier, or nil.
    public var organizationIdentifier: String? { firstValue(of: .organizationIdentifier) }
    /// The first emailAddress (PKCS #9), or nil.
    public var emailAddress: String? { firstValue(of: .emailAddress) }
}

extension DistinguishedName {
    /// Returns `true` if two names are the same by the rules of RFC 5280, 7.1.
    ///
    /// The relative names must be as many and in the same order, their attributes the same in any order. Text is
    /// compared as Unicode, whatever its string type, without regard to case, to white space at its ends and to the
    /// amount of white space inside. Canonically equivalent characters are the same; the compatibility mappings of RFC
    /// 4518 are not made, so that names which differ only in such characters stay different. Values that are not text
    /// are compared by their bytes.
    public func matches(_ other: DistinguishedName) -> Bool {
        encodedBytes == other.encodedBytes || normalized == other.normalized
    }

    /// A form that is equal for names that match.
    var normalized: [NormalizedRelativeName] {
        var names: [NormalizedRelativeName] = []
        forEachAttribute { position, attribute in
            let attribute = NormalizedAttribute(attribute)
            if position == names.count {
                names.append(.one(attribute))
            } else {
                names[position].insert(attribute)
            }
        }
        return names
    }

    /// Returns `true` if this name begins with the relative names of another name, and so lies in its subtree (RFC
    /// 5280, 4.2.1.10).
    func isWithinSubtree(of other: DistinguishedName) -> Bool {
        normalized.starts(with: other.normalized)
    }
}

extension DistinguishedName: CustomStringConvertible {
    /// The name for people, in the order of its encoding: `C=UT, O=Utopia, CN=Utopia IACA`.
    ///
    /// Separators are escaped with a backslash as in RFC 4514, so that a value cannot be mistaken for another
    /// attribute. Invisible scalars appear as `\u{XXXX}`, and values other than text as `#` and hexadecimal.
    public var description: String {
        relativeNames.map { $0.map(Self.text).joined(separator: "+") }.joined(separator: ", ")
    }

    private static func text(_ attribute: NameAttribute) -> String {
        let keyword = attribute.type.attributeName
        guard let value = attribute.stringValue else { return "\(keyword)=#\(hexadecimal(attribute.contents))" }
        return "\(keyword)=\(escape(value))"
    }

    private static func escape(_ value: String) -> String {
        let text = value.unicodeScalars.reduce(into: "") { text, scalar in
            if "\",+;<>\\=".unicodeScalars.contains(scalar) { text.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text.escapedForDisplay()
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

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

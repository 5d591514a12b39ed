extension DistinguishedName: CustomStringConvertible {
    /// The name for people, in the order of its encoding: `C=UT, O=Utopia, CN=Utopia IACA`.
    ///
    /// Characters that separate, and control characters, are escaped with a backslash as RFC 4514 does, so that no
    /// value can be mistaken for another attribute. Values that are no text appear as `#` and hexadecimal.
    public var description: String {
        relativeNames.map { $0.map(Self.text).joined(separator: "+") }.joined(separator: ", ")
    }

    private static func text(_ attribute: NameAttribute) -> String {
        let keyword = attribute.type.attributeName
        guard let value = attribute.stringValue else { return "\(keyword)=#\(hexadecimal(attribute.contents))" }
        return "\(keyword)=\(escape(value))"
    }

    private static func escape(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                text += scalar.utf8.map { "\\" + hexadecimal([$0]) }.joined()
            } else {
                if "\",+;<>\\=".unicodeScalars.contains(scalar) { text.append("\\") }
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

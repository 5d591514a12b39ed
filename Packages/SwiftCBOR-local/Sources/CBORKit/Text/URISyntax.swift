/// The outer form of URIs (RFC 3986): enough to tell a URI from other text, not to take it apart.
enum URISyntax {
    /// Returns `true` if the text is a scheme, a colon, and characters that a URI may have, with every `%` before two
    /// digits.
    static func isURI(_ text: some Collection<UInt8>) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), isScheme(text[..<colon]) else { return false }
        var rest = text[colon...].dropFirst()
        while let character = rest.popFirst() {
            guard isAllowed(character) else { return false }
            if character == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), isHexDigit(high), let low = rest.popFirst(), isHexDigit(low) else {
                    return false
                }
            }
        }
        return true
    }

    private static func isScheme(_ text: some Collection<UInt8>) -> Bool {
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ character: UInt8) -> Bool { (0x61...0x7a).contains(character | 0x20) }

    private static func isHexDigit(_ character: UInt8) -> Bool {
        (0x30...0x39).contains(character) || (0x61...0x66).contains(character | 0x20)
    }

    private static func isAllowed(_ character: UInt8) -> Bool {
        (0x21...0x7e).contains(character) && !"\"<>\\^`{|}".utf8.contains(character)
    }
}

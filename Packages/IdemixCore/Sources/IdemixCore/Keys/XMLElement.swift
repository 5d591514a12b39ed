/// An element of the small part of XML that keys are written in.
struct XMLElement {
    let name: String
    var attributes: [String: String]
    var children: [XMLElement] = []
    var text = ""

    /// The only child with a name.
    func child(_ name: String) throws(IdemixError) -> XMLElement {
        guard let child = try optionalChild(name) else {
            throw IdemixError(.malformedXML, "the element is missing", path: [self.name, name])
        }
        return child
    }

    /// The only child with a name, or nil where there is none.
    func optionalChild(_ name: String) throws(IdemixError) -> XMLElement? {
        let found = children.filter { $0.name == name }
        guard found.count <= 1 else {
            throw IdemixError(.malformedXML, "the element occurs twice", path: [self.name, name])
        }
        return found.first
    }

    /// The number in a child element: decimal and not negative.
    func number(_ name: String) throws(IdemixError) -> BigInteger {
        do throws(IdemixError) { return try child(name).number() } catch { throw error.inside(self.name) }
    }

    /// The number that the element's text is.
    func number() throws(IdemixError) -> BigInteger {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first, !word.hasPrefix("-"),
            let number = BigInteger(decimal: word, maximumDigits: Self.maximumDigits)
        else {
            throw IdemixError(
                .malformedXML,
                "not one decimal number without sign, of at most \(Self.maximumDigits) digits",
                path: [name]
            )
        }
        return number
    }

    /// How long a number may be: twice what a modulus of 4096 bits needs.
    static let maximumDigits = 2_500
}

/// Reads the XML of descriptions: elements, attributes, text, comments and one declaration.
///
/// FoundationXML is not used: its parsers hand the text to libxml2, which acts on a document type before any delegate is
/// asked, and a document type without declarations is never reported; its limits of depth and size cannot be set either.
/// Here a document type, an entity of one's own and a processing instruction are refused where they begin.
struct DescriptionXMLReader {
    /// The limits of a document.
    struct Limits: Sendable {
        /// The largest size in bytes.
        var size = 1 << 20
        /// The largest nesting depth of elements.
        var depth = 16
        /// The largest number of elements.
        var elements = 20_000
    }

    private let bytes: [UInt8]
    private let limits: Limits
    private var position = 0
    private var open: [DescriptionXMLElement] = []
    private var elementCount = 0

    /// The root element of a document.
    static func root(of bytes: [UInt8], limits: Limits = Limits()) throws(IRMAError) -> DescriptionXMLElement {
        guard bytes.count <= limits.size else {
            throw IRMAError(.limitExceeded, "\(bytes.count) bytes of XML, \(limits.size) allowed")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw IRMAError(.malformedDescription, "the text is not UTF-8")
        }
        var reader = DescriptionXMLReader(bytes: bytes, limits: limits)
        return try reader.document()
    }

    private init(bytes: [UInt8], limits: Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    private mutating func document() throws(IRMAError) -> DescriptionXMLElement {
        _ = skip("\u{feff}")
        if starts(with: "<?xml ") { try skip(past: "?>") }
        var root: DescriptionXMLElement?
        while position < bytes.count {
            if skip("<!--") {
                try skip(past: "-->")
            } else if skip("<![CDATA[") {
                try characterData()
            } else if skip("</") {
                if let closed = try endTag() { root = closed }
            } else if skip("<") {
                guard root == nil else { throw malformed("an element after the root element") }
                if let closed = try startTag() { root = closed }
            } else {
                try text()
            }
        }
        guard let root, open.isEmpty else { throw malformed("the document ends inside an element") }
        return root
    }

    /// Reads a start tag; gives the root where that is an empty-element tag.
    private mutating func startTag() throws(IRMAError) -> DescriptionXMLElement? {
        elementCount += 1
        guard elementCount <= limits.elements else {
            throw IRMAError(.limitExceeded, "more than \(limits.elements) elements")
        }
        var element = DescriptionXMLElement(name: try name())
        while true {
            let isSpaced = skipSpace()
            if skip("/>") { return close(element) }
            if skip(">") { break }
            guard isSpaced else { throw malformed("a tag of <\(element.name)> is not closed") }
            let (name, value) = try attribute()
            guard element.attributes.updateValue(value, forKey: name) == nil else {
                throw malformed("the attribute \(name) occurs twice")
            }
        }
        guard open.count < limits.depth else {
            throw IRMAError(.limitExceeded, "more than \(limits.depth) elements inside each other")
        }
        open.append(element)
        return nil
    }

    /// Reads an end tag; gives the root where it is the root that ends.
    private mutating func endTag() throws(IRMAError) -> DescriptionXMLElement? {
        let name = try name()
        _ = skipSpace()
        guard skip(">"), let element = open.popLast(), element.name == name else {
            throw malformed("the end tag </\(name)> does not match")
        }
        return close(element)
    }

    private mutating func close(_ element: DescriptionXMLElement) -> DescriptionXMLElement? {
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
        return nil
    }

    private mutating func attribute() throws(IRMAError) -> (name: String, value: String) {
        let name = try name()
        _ = skipSpace()
        guard skip("=") else { throw malformed("the attribute \(name) has no value") }
        _ = skipSpace()
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw malformed("the value of the attribute \(name) has no quotes")
        }
        position += 1
        let start = position
        while let byte = current, byte != quote {
            guard byte != UInt8(ascii: "<") else {
                throw malformed("the value of the attribute \(name) has a tag in it")
            }
            position += 1
        }
        guard position < bytes.count else { throw malformed("the value of the attribute \(name) does not end") }
        let value = try expanded(bytes[start..<position])
        position += 1
        return (name, value)
    }

    private mutating func text() throws(IRMAError) {
        let start = position
        while let byte = current, byte != UInt8(ascii: "<") { position += 1 }
        let text = bytes[start..<position]
        guard let last = open.indices.last else {
            guard text.allSatisfy(Self.isSpace) else { throw malformed("text outside the root element") }
            return
        }
        open[last].text += try expanded(text)
    }

    private mutating func characterData() throws(IRMAError) {
        let start = position
        try skip(past: "]]>")
        guard let last = open.indices.last else { throw malformed("text outside the root element") }
        open[last].text += String(decoding: bytes[start..<(position - 3)], as: UTF8.self)
    }

    /// The text with the five predefined entities and the character references in place.
    private func expanded(_ text: ArraySlice<UInt8>) throws(IRMAError) -> String {
        guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
        var result = ""
        var rest = text
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<ampersand], as: UTF8.self)
            guard let end = rest[ampersand...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw malformed("an ampersand without an entity")
            }
            result.unicodeScalars.append(
                try scalar(String(decoding: rest[rest.index(after: ampersand)..<end], as: UTF8.self))
            )
            rest = rest[rest.index(after: end)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    private func scalar(_ entity: String) throws(IRMAError) -> Unicode.Scalar {
        if let predefined = Self.predefined[entity] { return predefined }
        let number: UInt32? =
            if entity.hasPrefix("#x") {
                UInt32(entity.dropFirst(2), radix: 16)
            } else if entity.hasPrefix("#") {
                UInt32(entity.dropFirst())
            } else {
                nil
            }
        guard let number, number >= 0x20 || [0x09, 0x0a, 0x0d].contains(number),
            let scalar = Unicode.Scalar(number)
        else { throw malformed("an entity of the document's own") }
        return scalar
    }

    private static let predefined: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    private mutating func name() throws(IRMAError) -> String {
        let start = position
        while let byte = current, Self.isNameByte(byte) { position += 1 }
        guard position > start else { throw malformed("a name was expected; document types are not allowed") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() -> Bool {
        let start = position
        while let byte = current, Self.isSpace(byte) { position += 1 }
        return position > start
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skip(past end: String) throws(IRMAError) {
        while position < bytes.count {
            if skip(end) { return }
            position += 1
        }
        throw malformed("a comment, a declaration or character data does not end")
    }

    private func malformed(_ message: String) -> IRMAError {
        IRMAError(.malformedDescription, message, offset: position)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        case UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...: true
        default: false
        }
    }
}

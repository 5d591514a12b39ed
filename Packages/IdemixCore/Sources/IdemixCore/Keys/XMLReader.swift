import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the small part of XML that keys are written in: elements, attributes, text, comments and a declaration.
///
/// Text may be a private key's, so it is copied only into storage that is wiped.
///
/// Entities, character references, CDATA, document types and other instructions are refused: no key has any.
@safe
struct XMLReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var open: [XMLElement] = []

    /// The largest size of a document in bytes.
    static let maximumByteCount = 4 << 20
    /// The largest nesting depth of elements.
    static let maximumDepth = 16

    /// The root element of a document, of which no copy is made.
    static func root(of bytes: some ContiguousBytes) throws(IdemixError) -> XMLElement {
        let result = unsafe bytes.withUnsafeBytes { bytes -> Result<XMLElement, IdemixError> in
            do throws(IdemixError) {
                try checkSize(bytes.count)
                guard unsafe isUTF8(bytes) else { throw IdemixError(.malformedXML, "the text is not UTF-8") }
                var reader = unsafe XMLReader(bytes: bytes)
                return .success(try reader.readDocument())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func checkSize(_ count: Int) throws(IdemixError) {
        guard count <= maximumByteCount else {
            throw IdemixError(.limitExceeded, "\(count) bytes of XML, \(maximumByteCount) allowed")
        }
    }

    private init(bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = unsafe bytes.makeIterator()
        while true {
            switch unsafe parser.parseScalar(from: &iterator) {
            case .valid: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    private var count: Int { unsafe bytes.count }

    /// The byte at a position, which must be below the count.
    private subscript(position: Int) -> UInt8 { unsafe bytes[position] }

    private func text(from start: Int) -> Slice<UnsafeRawBufferPointer> { unsafe bytes[start..<position] }

    private mutating func readDocument() throws(IdemixError) -> XMLElement {
        if skip("\u{feff}") {}
        if starts(with: "<?xml") { try skip(past: "?>") }
        var root: XMLElement?
        while position < count {
            if skip("<!--") {
                try skip(past: "-->")
            } else if skip("</") {
                if let closed = try readEnd() { root = closed }
            } else if self[position] == UInt8(ascii: "<") {
                guard root == nil else { throw malformed("an element after the root element") }
                if let closed = try readStart() { root = closed }
            } else {
                try readText()
            }
        }
        guard let root, open.isEmpty else { throw malformed("the document ends inside an element") }
        return root
    }

    /// Reads a start tag; gives the root where that is an empty-element tag.
    private mutating func readStart() throws(IdemixError) -> XMLElement? {
        position += 1
        var element = XMLElement(name: try readName(), attributes: [:])
        while true {
            let spaced = skipSpace()
            if skip("/>") { return close(element) }
            if skip(">") { break }
            guard spaced else { throw malformed("a tag of <\(element.name)> is not closed") }
            let (name, value) = try readAttribute()
            guard element.attributes.updateValue(value, forKey: name) == nil else {
                throw malformed("the attribute \(name) occurs twice")
            }
        }
        guard open.count < Self.maximumDepth else {
            throw IdemixError(.limitExceeded, "more than \(Self.maximumDepth) elements inside each other")
        }
        open.append(element)
        return nil
    }

    /// Reads an end tag; gives the root where it is the root that ends.
    private mutating func readEnd() throws(IdemixError) -> XMLElement? {
        let name = try readName()
        _ = skipSpace()
        guard skip(">"), let element = open.popLast(), element.name == name else {
            throw malformed("the end tag </\(name)> does not match")
        }
        return close(element)
    }

    private mutating func close(_ element: XMLElement) -> XMLElement? {
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
        return nil
    }

    private mutating func readAttribute() throws(IdemixError) -> (name: String, value: String) {
        let name = try readName()
        _ = skipSpace()
        guard skip("=") else { throw malformed("the attribute \(name) has no value") }
        _ = skipSpace()
        guard position < count, self[position] == UInt8(ascii: "\"") || self[position] == UInt8(ascii: "'")
        else {
            throw malformed("the value of the attribute \(name) has no quotes")
        }
        let quote = self[position]
        position += 1
        let start = position
        while position < count, self[position] != quote { position += 1 }
        guard position < count else { throw malformed("the value of the attribute \(name) does not end") }
        let value = unsafe text(from: start)
        position += 1
        guard unsafe !value.contains(UInt8(ascii: "<")), unsafe !value.contains(UInt8(ascii: "&")) else {
            throw malformed("the value of the attribute \(name) has a markup character")
        }
        return (name, unsafe String(decoding: value, as: UTF8.self))
    }

    private mutating func readText() throws(IdemixError) {
        let start = position
        while position < count, self[position] != UInt8(ascii: "<") { position += 1 }
        let text = unsafe text(from: start)
        guard unsafe !text.contains(UInt8(ascii: "&")) else { throw malformed("entities are not allowed") }
        let isBlank = unsafe text.allSatisfy(Self.isSpace)
        guard let current = open.indices.last else {
            guard isBlank else { throw malformed("text outside the root element") }
            return
        }
        // Leading space has no meaning; between two runs of text it separates them.
        if isBlank, open[current].text.isEmpty { return }
        unsafe open[current].text.append(SecretBytes(copying: text))
    }

    private mutating func readName() throws(IdemixError) -> String {
        let start = position
        while position < count, Self.isNameByte(self[position]) { position += 1 }
        guard position > start else { throw malformed("a name was expected; declarations and CDATA are not allowed") }
        return unsafe String(decoding: text(from: start), as: UTF8.self)
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while position < count, Self.isSpace(self[position]) { position += 1 }
        return position > start
    }

    private func starts(with text: StaticString) -> Bool {
        let expected = text.description.utf8
        guard count - position >= expected.count else { return false }
        return unsafe bytes[position...].starts(with: expected)
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        position += text.description.utf8.count
        return true
    }

    private mutating func skip(past end: StaticString) throws(IdemixError) {
        while position < count {
            if skip(end) { return }
            position += 1
        }
        throw malformed("a comment or declaration does not end")
    }

    private func malformed(_ message: String) -> IdemixError {
        IdemixError(.malformedXML, "\(message) (before byte \(position))")
    }

    static func isSpace(_ byte: UInt8) -> Bool {
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

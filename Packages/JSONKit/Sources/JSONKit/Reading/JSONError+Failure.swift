/// A fault found by the tape builder; cheap to throw, and completed to a ``JSONError`` in one place.
struct JSONFailure: Error {
    /// The expected syntax in place of the one found.
    enum Expectation: String {
        case value = "a value"
        case name = "a name"
        case nameOrEnd = "a name or the end of the object"
        case colon = "a colon"
        case commaOrEndOfObject = "a comma or the end of the object"
        case commaOrEndOfArray = "a comma or the end of the array"
    }

    let code: JSONError.Code
    let offset: Int
    var expectation = Expectation.value

    /// Indicates a failure inside a value of an array, not between values.
    var isInValue: Bool { code != .trailingComma && expectation != .commaOrEndOfArray }
}

extension JSONError {
    /// Completes what the builder noticed with the path and a sentence.
    init(_ failure: JSONFailure, _ builder: JSONTapeBuilder, _ text: Span<UInt8>) {
        self.init(
            failure.code,
            Self.message(failure, builder, text),
            offset: failure.offset,
            path: builder.path(of: failure, in: text)
        )
    }

    private static func message(_ failure: JSONFailure, _ builder: JSONTapeBuilder, _ text: Span<UInt8>) -> String {
        let limits = builder.limits
        return switch failure.code {
        case .truncated: "the text ends before its value does"
        case .byteOrderMark: "the text starts with a byte order mark"
        case .unexpectedCharacter:
            "\(found(text, failure.offset)) stands where \(failure.expectation.rawValue) is expected"
        case .trailingComma: "a comma stands before the end of an \(builder.isInObject ? "object" : "array")"
        case .trailingBytes: "\(found(text, failure.offset)) stands after the end of the value"
        case .invalidLiteral: "a word other than true, false and null"
        case .invalidNumber: "a number is not written as JSON demands"
        case .controlCharacter: "a string holds \(found(text, failure.offset)), which must be escaped"
        case .invalidEscape: "a string holds an escape that JSON does not define"
        case .loneSurrogate: "a string holds one half of a surrogate pair without the other"
        case .invalidUTF8: "a string holds bytes that are not UTF-8"
        case .duplicateName: "the name occurs a second time"
        case .sizeLimit: "the text has \(text.count) bytes, and \(limits.size) are allowed"
        case .depthLimit: "arrays and objects are nested deeper than \(limits.depth)"
        case .valueLimit: "the text holds more than \(limits.values) values"
        case .stringLimit: "a string is longer than \(limits.stringLength) bytes"
        default: "a number is longer than \(limits.numberLength) bytes"
        }
    }

    /// A printable name of any byte.
    private static func found(_ text: Span<UInt8>, _ offset: Int) -> String {
        let byte = text.byte(at: offset)
        guard 0x21...0x7e ~= byte else { return "the byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))" }
        return "the character \(Character(Unicode.Scalar(byte)))"
    }
}

extension JSONTapeBuilder {
    /// The path of the value that was being read, or of the innermost open container.
    fileprivate func path(of failure: JSONFailure, in text: Span<UInt8>) -> JSONPath {
        guard container != JSONTapeItem.none else { return JSONPath() }
        var path = items.path(to: Int(container), in: text)
        if let name = name(of: failure) {
            path.components.append(.name(items.string(at: name, in: text)))
        } else if failure.isInValue, !isInObject {
            path.components.append(.index(Int(childCount)))
        }
        return path
    }

    /// The name whose value is still missing, or the one that occurs a second time.
    private func name(of failure: JSONFailure) -> Int? {
        if failure.code == .duplicateName { return (0..<items.count).last { items[$0].start == failure.offset } }
        let last = items.count - 1
        return items[last].kind == .name || items[last].kind == .escapedName ? last : nil
    }
}

extension JSONTapeItems {
    /// The path of the value that an item stands for; its containers may still be open.
    func path(to index: Int, in text: Span<UInt8>) -> JSONPath {
        var components: [JSONPath.Component] = []
        var index = index
        while self[index].parent != JSONTapeItem.none {
            let parent = Int(self[index].parent)
            if self[parent].kind == .object {
                components.append(.name(string(at: index - 1, in: text)))
            } else {
                components.append(.index(self[index].ordinal))
            }
            index = parent
        }
        return JSONPath(components.reversed())
    }

    /// The decoded string or name at an index.
    func string(at index: Int, in text: Span<UInt8>) -> String {
        Self.string(of: self[index], in: text)
    }

    /// The decoded string or name of an item.
    static func string(of item: JSONTapeItem, in text: Span<UInt8>) -> String {
        guard item.kind == .escapedName || item.kind == .escapedString else { return text.string(in: item.textRange) }
        return JSONEscapes.string(text.extracting(item.textRange))
    }
}

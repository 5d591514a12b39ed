/// Checks a JSON text and writes its tape in one pass, without recursion.
///
/// The open containers form a chain through `JSONTapeItem.parent`; of the innermost one the fields here hold what
/// changes with every value.
struct JSONTapeBuilder {
    let limits: JSONLimits
    private(set) var items: ContiguousArray<JSONTapeItem> = []

    private var position = 0
    private var valuesLeft: Int
    private var depth = 0
    /// The depth of the deepest container.
    private(set) var greatestDepth = 0
    private(set) var container = JSONTapeItem.none
    private(set) var isInObject = false
    private(set) var childCount: UInt32 = 0
    /// Indicates that reading has failed inside a value, not between values.
    private(set) var hasFailedInValue = false
    private var names = JSONNameComparison()

    init(limits: JSONLimits) {
        self.limits = limits
        valuesLeft = max(0, min(limits.values, JSONLimits.maximumValues))
    }

    /// Reads the whole text.
    mutating func build(_ text: Span<UInt8>) throws(JSONFailure) {
        let sizeLimit = min(limits.size, JSONLimits.maximumSize)
        guard text.count <= sizeLimit else { throw JSONFailure(code: .sizeLimit, offset: max(sizeLimit, 0)) }
        if text.byte(at: 0) == 0xef, text.byte(at: 1) == 0xbb, text.byte(at: 2) == 0xbf {
            throw JSONFailure(code: .byteOrderMark, offset: 0)
        }
        items.reserveCapacity(min(text.count / 8, 2 * valuesLeft) + 4)
        skipWhiteSpace(text)
        repeat {
            try readValues(text)
        } while try advance(text)
        skipWhiteSpace(text)
        guard position == text.count else { throw JSONFailure(code: .trailingBytes, offset: position) }
    }

    /// Reads values that begin one inside the other, to the first that is complete.
    @inline(__always)
    private mutating func readValues(_ text: Span<UInt8>) throws(JSONFailure) {
        do throws(JSONFailure) {
            while try readValue(text) {}
        } catch {
            hasFailedInValue = true
            throw error
        }
    }

    /// Reads a scalar or an empty container, or enters a container and stands before its first value; true if so.
    @inline(__always)
    private mutating func readValue(_ text: Span<UInt8>) throws(JSONFailure) -> Bool {
        switch text.byte(at: position) {
        case UInt8(ascii: "\""):
            let (end, hasEscapes) = try endOfString(text, from: position)
            try append(hasEscapes ? .escapedString : .string, end: end)
        case UInt8(ascii: "{"): return try openObject(text)
        case UInt8(ascii: "["): return try openArray(text)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let (end, isInteger) = try endOfNumber(text, from: position)
            try append(isInteger ? .integer : .number, end: end)
        case UInt8(ascii: "t"): try readLiteral(text, "true", .true)
        case UInt8(ascii: "f"): try readLiteral(text, "false", .false)
        case UInt8(ascii: "n"): try readLiteral(text, "null", .null)
        default: throw unexpectedCharacter(in: text, expected: .value)
        }
        return false
    }

    /// Goes on after a value: closes the containers that end here and stands before the next value; false at the end
    /// of the root.
    @inline(__always)
    private mutating func advance(_ text: Span<UInt8>) throws(JSONFailure) -> Bool {
        while container != JSONTapeItem.none {
            skipWhiteSpace(text)
            let byte = text.byte(at: position)
            if byte == UInt8(ascii: ",") {
                try readComma(text)
                return true
            }
            guard byte == closingByte else {
                throw unexpectedCharacter(in: text, expected: isInObject ? .commaOrEndOfObject : .commaOrEndOfArray)
            }
            if isInObject, let name = names.firstDuplicate(in: items, from: Int(container) + 1, text) {
                throw JSONFailure(code: .duplicateName, offset: Int(items[name].start))
            }
            close()
        }
        return false
    }

    private var closingByte: UInt8 { isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    @inline(__always)
    private mutating func readComma(_ text: Span<UInt8>) throws(JSONFailure) {
        let comma = position
        position += 1
        skipWhiteSpace(text)
        if text.byte(at: position) == closingByte { throw JSONFailure(code: .trailingComma, offset: comma) }
        if isInObject { try readName(text, expected: .name) }
    }

    /// Reads a name and its colon and stands before the value.
    @inline(__always)
    private mutating func readName(
        _ text: Span<UInt8>,
        expected: JSONFailure.Expectation
    ) throws(JSONFailure) {
        guard text.byte(at: position) == UInt8(ascii: "\"") else {
            throw unexpectedCharacter(in: text, expected: expected)
        }
        let (end, hasEscapes) = try endOfString(text, from: position)
        appendItem(hasEscapes ? .escapedName : .name, end: end)
        skipWhiteSpace(text)
        guard text.byte(at: position) == UInt8(ascii: ":") else {
            throw unexpectedCharacter(in: text, expected: .colon)
        }
        position += 1
        skipWhiteSpace(text)
    }

    @inline(__always)
    private mutating func openObject(_ text: Span<UInt8>) throws(JSONFailure) -> Bool {
        try open(.object)
        isInObject = true
        skipWhiteSpace(text)
        if text.byte(at: position) == closingByte {
            close()
            return false
        }
        try readName(text, expected: .nameOrEnd)
        return true
    }

    @inline(__always)
    private mutating func openArray(_ text: Span<UInt8>) throws(JSONFailure) -> Bool {
        try open(.array)
        isInObject = false
        skipWhiteSpace(text)
        if text.byte(at: position) == closingByte {
            close()
            return false
        }
        return true
    }

    private mutating func open(_ kind: JSONTapeItem.Kind) throws(JSONFailure) {
        guard depth < limits.depth else { throw JSONFailure(code: .depthLimit, offset: position) }
        depth += 1
        greatestDepth = max(greatestDepth, depth)
        try append(kind, end: position + 1)
        if container != JSONTapeItem.none { items[Int(container)].count = childCount }
        container = UInt32(items.count - 1)
        childCount = 0
    }

    @inline(__always)
    private mutating func close() {
        position += 1
        var item = items[Int(container)]
        item.end = UInt32(position)
        item.next = UInt32(items.count)
        item.count = childCount
        items[Int(container)] = item
        container = item.parent
        depth -= 1
        guard container != JSONTapeItem.none else { return }
        childCount = items[Int(container)].count
        isInObject = items[Int(container)].kind == .object
    }

    private mutating func readLiteral(
        _ text: Span<UInt8>,
        _ word: StaticString,
        _ kind: JSONTapeItem.Kind
    ) throws(JSONFailure) {
        for index in 0..<word.utf8CodeUnitCount where unsafe word.utf8Start[index] != text.byte(at: position + index) {
            let end = position + index
            throw JSONFailure(code: end < text.count ? .invalidLiteral : .truncated, offset: position)
        }
        try append(kind, end: position + word.utf8CodeUnitCount)
    }

    /// Writes the item of a value that starts at the position, and stands after it.
    @inline(__always)
    private mutating func append(_ kind: JSONTapeItem.Kind, end: Int) throws(JSONFailure) {
        guard valuesLeft > 0 else { throw JSONFailure(code: .valueLimit, offset: position) }
        valuesLeft -= 1
        appendItem(kind, end: end)
        childCount += 1
    }

    @inline(__always)
    private mutating func appendItem(_ kind: JSONTapeItem.Kind, end: Int) {
        items.append(
            JSONTapeItem(
                kind,
                start: UInt32(position),
                end: UInt32(end),
                index: UInt32(items.count),
                parent: container,
                ordinal: childCount
            )
        )
        position = end
    }

    @inline(__always)
    private mutating func skipWhiteSpace(_ text: Span<UInt8>) {
        while true {
            switch text.byte(at: position) {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    /// Something else stands at the position; at the end of the text it is that the text is cut short.
    private func unexpectedCharacter(in text: Span<UInt8>, expected: JSONFailure.Expectation) -> JSONFailure {
        let code = position < text.count ? JSONError.Code.unexpectedCharacter : .truncated
        return JSONFailure(code: code, offset: position, expectation: expected)
    }
}

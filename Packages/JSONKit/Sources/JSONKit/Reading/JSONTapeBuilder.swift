/// Checks a JSON text and writes its tape in one pass, without recursion.
///
/// The open containers form a chain through `JSONTapeItem.parent`; of the innermost one the fields here hold what
/// changes with every value. The code for every value is inlined into one loop, so that these stay in registers.
struct JSONTapeBuilder {
    let limits: JSONLimits
    private(set) var items: JSONTapeItems

    private var position = 0
    private var valuesLeft: Int
    private var depth = 0
    /// The depth of the deepest container.
    private(set) var greatestDepth = 0
    private(set) var container = JSONTapeItem.none
    private(set) var isInObject = false
    private(set) var childCount: UInt32 = 0

    private init(limits: JSONLimits, size: Int) {
        self.limits = limits
        valuesLeft = max(0, min(limits.values, JSONLimits.maximumValues))
        // Room for the values of most texts of the size; small blocks of memory cost less than others.
        items = JSONTapeItems(capacity: min(size / (size < 4096 ? 12 : 8), 2 * valuesLeft) + 8)
    }

    /// Reads a whole text; returns the builder, whose items the caller frees, and the failure that stopped it, if any.
    @inline(never)
    static func read(_ text: Span<UInt8>, _ limits: JSONLimits) -> (JSONTapeBuilder, JSONFailure?) {
        let sizeLimit = max(0, min(limits.size, JSONLimits.maximumSize))
        var builder = JSONTapeBuilder(limits: limits, size: text.count <= sizeLimit ? text.count : 0)
        do throws(JSONFailure) {
            guard text.count <= sizeLimit else { throw JSONFailure(code: .sizeLimit, offset: sizeLimit) }
            if text.byte(at: 0) == 0xef, text.byte(at: 1) == 0xbb, text.byte(at: 2) == 0xbf {
                throw JSONFailure(code: .byteOrderMark, offset: 0)
            }
            builder.skipWhiteSpace(text)
            repeat {
                while try builder.readItem(text) {}
                while try builder.isAtEndOfContainer(text) { builder.close() }
            } while builder.container != JSONTapeItem.none
            builder.skipWhiteSpace(text)
            if builder.position < text.count { throw JSONFailure(code: .trailingBytes, offset: builder.position) }
        } catch {
            return (builder, error)
        }
        return (builder, nil)
    }

    /// Reads a value, after its name where it is a member; true if it is a container with values of its own, the first of
    /// which comes next.
    @inline(__always)
    private mutating func readItem(_ text: Span<UInt8>) throws(JSONFailure) -> Bool {
        if isInObject { try readName(text) }
        let kind: JSONTapeItem.Kind
        let end: Int
        switch text.byte(at: position) {
        case UInt8(ascii: "\""):
            let (offset, hasEscapes) = try endOfString(text, from: position)
            (kind, end) = (hasEscapes ? .escapedString : .string, offset)
        case UInt8(ascii: "{"): (kind, end) = (.object, position &+ 1)
        case UInt8(ascii: "["): (kind, end) = (.array, position &+ 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let (offset, isInteger) = try endOfNumber(text, from: position)
            (kind, end) = (isInteger ? .integer : .number, offset)
        case UInt8(ascii: "t"): (kind, end) = (.true, try Self.endOfLiteral(text, from: position, "true"))
        case UInt8(ascii: "f"): (kind, end) = (.false, try Self.endOfLiteral(text, from: position, "false"))
        case UInt8(ascii: "n"): (kind, end) = (.null, try Self.endOfLiteral(text, from: position, "null"))
        default:
            throw Self.missingItem(text, at: position, isAfterComma: !isInObject && childCount > 0, expected: .value)
        }
        let isContainer = kind == .object || kind == .array
        if isContainer, depth >= limits.depth { throw JSONFailure(code: .depthLimit, offset: position) }
        guard valuesLeft > 0 else { throw JSONFailure(code: .valueLimit, offset: position) }
        valuesLeft &-= 1
        appendItem(kind, end: end)
        childCount &+= 1
        if isContainer {
            open(isObject: kind == .object)
            skipWhiteSpace(text)
            if text.byte(at: position) != closingByte { return true }
            close()
        }
        return false
    }

    /// Goes on after a value: true before the end of its container, whose names are checked; false before the next value
    /// of the container, or at the end of the root.
    @inline(__always)
    private mutating func isAtEndOfContainer(_ text: Span<UInt8>) throws(JSONFailure) -> Bool {
        guard container != JSONTapeItem.none else { return false }
        skipWhiteSpace(text)
        let byte = text.byte(at: position)
        if byte == UInt8(ascii: ",") {
            position &+= 1
            skipWhiteSpace(text)
            return false
        }
        guard byte == closingByte else { throw Self.missingComma(text, at: position, isInObject: isInObject) }
        if childCount > 1, isInObject, let failure = Self.duplicateName(items, in: container, text) { throw failure }
        return true
    }

    /// The failure of a name of an object, all of whose members are read, that occurs a second time.
    @inline(never)
    private static func duplicateName(_ items: JSONTapeItems, in object: UInt32, _ text: Span<UInt8>) -> JSONFailure? {
        let first = Int(object) + 1
        guard !JSONNameComparison.areDistinct(items, from: first, text),
            let name = JSONNameComparison.firstDuplicate(in: items, from: first, text)
        else { return nil }
        return JSONFailure(code: .duplicateName, offset: Int(items[name].start))
    }

    private var closingByte: UInt8 {
        @inline(__always) get { isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    }

    /// Reads a name and its colon and stands before the value.
    @inline(__always)
    private mutating func readName(_ text: Span<UInt8>) throws(JSONFailure) {
        guard text.byte(at: position) == UInt8(ascii: "\"") else {
            let isFirst = childCount == 0
            throw Self.missingItem(text, at: position, isAfterComma: !isFirst, expected: isFirst ? .nameOrEnd : .name)
        }
        let (end, hasEscapes) = try endOfString(text, from: position)
        appendItem(hasEscapes ? .escapedName : .name, end: end)
        skipWhiteSpace(text)
        guard text.byte(at: position) == UInt8(ascii: ":") else {
            throw Self.missingItem(text, at: position, isAfterComma: false, expected: .colon)
        }
        position &+= 1
        // Texts for people have one space here.
        if text.byte(at: position) <= UInt8(ascii: " ") {
            if text.byte(at: position) == UInt8(ascii: " ") { position &+= 1 }
            skipWhiteSpace(text)
        }
    }

    /// Makes the item appended last the innermost container.
    @inline(__always)
    private mutating func open(isObject: Bool) {
        depth &+= 1
        greatestDepth = max(greatestDepth, depth)
        if container != JSONTapeItem.none { items.note(count: childCount, of: Int(truncatingIfNeeded: container)) }
        container = UInt32(truncatingIfNeeded: items.count &- 1)
        childCount = 0
        isInObject = isObject
    }

    @inline(__always)
    private mutating func close() {
        position &+= 1
        let end = UInt32(truncatingIfNeeded: position)
        container = items.complete(Int(truncatingIfNeeded: container), end: end, count: childCount)
        depth &-= 1
        guard container != JSONTapeItem.none else { return }
        (childCount, isInObject) = items.open(Int(truncatingIfNeeded: container))
    }

    /// Writes the item of what starts at the position, and stands after it.
    @inline(__always)
    private mutating func appendItem(_ kind: JSONTapeItem.Kind, end: Int) {
        items.append(
            JSONTapeItem(
                kind,
                start: UInt32(truncatingIfNeeded: position),
                end: UInt32(truncatingIfNeeded: end),
                index: UInt32(truncatingIfNeeded: items.count),
                parent: container,
                ordinal: childCount
            )
        )
        position = end
    }

    @inline(__always)
    private mutating func skipWhiteSpace(_ text: Span<UInt8>) {
        if text.byte(at: position) <= UInt8(ascii: " ") { position = Self.endOfWhiteSpace(text, from: position) }
    }

    /// The offset of the first byte that is no white space.
    private static func endOfWhiteSpace(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while true {
            switch text.byte(at: offset) {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset &+= 1
            default: return offset
            }
            // Lines are indented by many spaces.
            while offset &+ 8 <= text.count {
                let count = JSONWord.countOfSpaces(text.word(at: offset))
                offset &+= count
                if count < 8 { break }
            }
        }
    }

    /// The offset after a word that starts at `start`.
    @inline(__always)
    private static func endOfLiteral(
        _ text: Span<UInt8>,
        from start: Int,
        _ word: StaticString
    ) throws(JSONFailure) -> Int {
        for index in 0..<word.utf8CodeUnitCount where unsafe word.utf8Start[index] != text.byte(at: start &+ index) {
            let code = start &+ index < text.count ? JSONError.Code.invalidLiteral : .truncated
            throw JSONFailure(code: code, offset: start)
        }
        return start &+ word.utf8CodeUnitCount
    }

    /// Neither a comma nor the end of the container stands at an offset.
    @inline(never)
    private static func missingComma(_ text: Span<UInt8>, at offset: Int, isInObject: Bool) -> JSONFailure {
        let expected = isInObject ? JSONFailure.Expectation.commaOrEndOfObject : .commaOrEndOfArray
        return missingItem(text, at: offset, isAfterComma: false, expected: expected)
    }

    /// Something else than expected stands at an offset; at the end of the text it is that the text is cut short, at the
    /// end of the container that the comma before it is one too many.
    @inline(never)
    private static func missingItem(
        _ text: Span<UInt8>,
        at offset: Int,
        isAfterComma: Bool,
        expected: JSONFailure.Expectation
    ) -> JSONFailure {
        let closing = expected == .value ? UInt8(ascii: "]") : UInt8(ascii: "}")
        if isAfterComma, text.byte(at: offset) == closing {
            let comma = (0..<offset).last { text.byte(at: $0) == UInt8(ascii: ",") }
            return JSONFailure(code: .trailingComma, offset: comma ?? offset)
        }
        let code = offset < text.count ? JSONError.Code.unexpectedCharacter : .truncated
        return JSONFailure(code: code, offset: offset, expectation: expected)
    }
}

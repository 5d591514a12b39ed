/// Checks a JSON text and writes its tape in one pass, without recursion.
///
/// The open containers form a chain through `JSONTapeItem.parent`; of the innermost one the fields here hold what
/// changes with every value. The code for every value is inlined into one loop.
struct JSONTapeBuilder {
    let limits: JSONLimits
    private(set) var items: JSONTapeItems

    /// The number of bytes of the text.
    private let size: Int
    var position = 0
    /// The greatest offset of an opening quote that a whole block follows; -1 if a string may not be as long.
    private let lastShortString: Int
    /// The number of items at which ``makeRoom(in:for:at:of:_:)`` comes next.
    private var checkpoint: Int
    /// The number of spaces before the value or name that was read last on a line of its own.
    var indentation = 0
    private var depth = 0
    /// The depth of the deepest container.
    private(set) var greatestDepth = 0
    private(set) var container = JSONTapeItem.none
    private(set) var isInObject = false
    private(set) var childCount: UInt32 = 0
    private var names = JSONNameMarks()

    @inline(__always)
    private init(limits: JSONLimits, size: Int) {
        self.limits = limits
        self.size = size
        // Room for the values of most tokens, keys and queries; long texts mostly have long strings.
        items = JSONTapeItems(capacity: min(size / 8, 60 + size / 32, 2 * Self.mostValues(limits)) + 4)
        checkpoint = min(items.capacity, Self.mostValues(limits))
        lastShortString = limits.stringLength >= JSONBlock.byteCount ? size - JSONBlock.byteCount - 1 : -1
    }

    static func mostValues(_ limits: JSONLimits) -> Int {
        max(0, min(limits.values, JSONLimits.maximumValues))
    }

    /// Reads a whole text; returns the builder, whose items the caller frees, and the failure that stopped it, if any.
    @inline(never)
    static func read(_ text: Span<UInt8>, _ limits: JSONLimits) -> (builder: JSONTapeBuilder, failure: JSONFailure?) {
        let sizeLimit = max(0, min(limits.size, JSONLimits.maximumSize))
        var builder = JSONTapeBuilder(limits: limits, size: text.count <= sizeLimit ? text.count : 0)
        do throws(JSONFailure) {
            guard text.count <= sizeLimit else { throw JSONFailure(code: .sizeLimit, offset: sizeLimit) }
            if text.byte(at: 0) == 0xef, text.byte(at: 1) == 0xbb, text.byte(at: 2) == 0xbf {
                throw JSONFailure(code: .byteOrderMark, offset: 0)
            }
            try builder.readRoot(text)
            _ = builder.nextByte(text)
            if builder.position < text.count { throw JSONFailure(code: .trailingBytes, offset: builder.position) }
        } catch {
            return (builder, error)
        }
        return (builder, nil)
    }

    /// Reads the value that the text consists of, with all that is inside it.
    // Not inlined: with the code around it there would be too much for the compiler to inline what every value needs.
    @inline(never)
    private mutating func readRoot(_ text: Span<UInt8>) throws(JSONFailure) {
        var first = nextByte(text)
        repeat {
            var opensContainer: Bool
            repeat {
                if isInObject { first = try readName(text, first) }
                opensContainer = try readValue(text, first)
                if opensContainer {
                    skipIndentation(text)
                    first = nextByte(text)
                }
            } while opensContainer && first != closingByte
            if opensContainer { close() }
            while container != JSONTapeItem.none {
                first = try nextSeparator(text)
                if first != closingByte { break }
                try refuseDuplicateName(text)
                close()
            }
        } while container != JSONTapeItem.none
    }

    /// Reads a value whose first byte is known; true if it is a container, which is the innermost one then.
    @inline(__always)
    private mutating func readValue(_ text: Span<UInt8>, _ first: UInt8) throws(JSONFailure) -> Bool {
        let kind: JSONTapeItem.Kind
        let end: Int
        switch first {
        case UInt8(ascii: "\""):
            (kind, end) = try endOfString(text)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try open(first == UInt8(ascii: "{") ? .object : .array)
            return true
        default:
            (kind, end) = try Self.endOfNumberOrLiteral(text, from: position, limits.numberLength)
            guard end > position else {
                throw Self.missingItem(text, at: position, isAfterComma: false, expected: .value)
            }
        }
        try append(kind, end: end)
        childCount &+= 1
        return false
    }

    /// The kind and the end of a number or literal; a value of any other kind has no length here.
    @inline(never)
    private static func endOfNumberOrLiteral(
        _ text: Span<UInt8>,
        from start: Int,
        _ limit: Int
    ) throws(JSONFailure) -> (JSONTapeItem.Kind, end: Int) {
        let count = countOfDigits(text, ofShortIntegerAt: start)
        if count > 0, count <= limit { return (.integer, start &+ count) }
        return try endOfAnyNumberOrLiteral(text, from: start, limit)
    }

    /// The same, for those that are not a short integer.
    @inline(never)
    private static func endOfAnyNumberOrLiteral(
        _ text: Span<UInt8>,
        from start: Int,
        _ limit: Int
    ) throws(JSONFailure) -> (JSONTapeItem.Kind, end: Int) {
        switch text.byte(at: start) {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let (end, isInteger) = try endOfNumber(text, from: start, limit)
            return (isInteger ? .integer : .number, end)
        case UInt8(ascii: "t"): return (.true, try endOfLiteral(text, from: start, "true"))
        case UInt8(ascii: "f"): return (.false, try endOfLiteral(text, from: start, "false"))
        case UInt8(ascii: "n"): return (.null, try endOfLiteral(text, from: start, "null"))
        default: return (.null, start)
        }
    }

    /// Goes on after a value: the first byte of the next one of its container, or of that one's name, where the builder
    /// stands then; the closing byte before the container's end.
    @inline(__always)
    private mutating func nextSeparator(_ text: Span<UInt8>) throws(JSONFailure) -> UInt8 {
        // Nearly all texts for programs have strings here.
        if text.pair(at: position) == JSONWord.pair(",", "\"") {
            position &+= 1
            return UInt8(ascii: "\"")
        }
        let byte = nextByte(text)
        if byte == UInt8(ascii: ",") {
            position &+= 1
            skipIndentation(text)
            let first = nextByte(text)
            if first != closingByte { return first }
        } else if byte == closingByte {
            return byte
        }
        throw Self.missingSeparator(text, at: position, isInObject: isInObject, isAfterComma: byte == UInt8(ascii: ","))
    }

    /// Refuses an object, all of whose members are read, if one of its names occurs a second time.
    @inline(__always)
    private func refuseDuplicateName(_ text: Span<UInt8>) throws(JSONFailure) {
        if names.mayRepeat, let failure = Self.duplicateName(items, in: container, text) { throw failure }
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

    /// Reads a name whose first byte is known, and its colon; the first byte of the value, where the builder stands then.
    @inline(__always)
    private mutating func readName(_ text: Span<UInt8>, _ first: UInt8) throws(JSONFailure) -> UInt8 {
        guard first == UInt8(ascii: "\"") else {
            let expected = childCount == 0 ? JSONFailure.Expectation.nameOrEnd : .name
            throw Self.missingItem(text, at: position, isAfterComma: false, expected: expected)
        }
        let (kind, end) = try endOfName(text)
        try append(kind, end: end)
        // Most values are strings.
        if text.pair(at: position) == JSONWord.pair(":", "\"") {
            position &+= 1
            return UInt8(ascii: "\"")
        }
        guard nextByte(text) == UInt8(ascii: ":") else {
            throw Self.missingItem(text, at: position, isAfterComma: false, expected: .colon)
        }
        position &+= 1
        // Texts for people have one space here.
        if text.byte(at: position) == UInt8(ascii: " ") { position &+= 1 }
        return nextByte(text)
    }

    /// The kind and the end of the name whose opening quote is at the position, which is noted.
    @inline(__always)
    private mutating func endOfName(_ text: Span<UInt8>) throws(JSONFailure) -> (JSONTapeItem.Kind, end: Int) {
        let (kind, end) = try endOfString(text)
        if kind == .string {
            names.note(text, from: position &+ 1, length: end &- position &- 2)
            return (.name, end)
        }
        names.noteEscaped()
        return (.escapedName, end)
    }

    /// The kind and the end of the string whose opening quote is at the position.
    @inline(__always)
    private func endOfString(_ text: Span<UInt8>) throws(JSONFailure) -> (JSONTapeItem.Kind, end: Int) {
        let first = position &+ 1
        // Most strings have less than sixteen bytes, all of them ASCII.
        let marks = position <= lastShortString ? text.block(at: first).specialMarks : 0
        let offset = first &+ marks.trailingZeroBitCount
        if marks != 0, text.byte(at: offset) == UInt8(ascii: "\"") { return (.string, offset &+ 1) }
        let (end, hasEscapes) =
            marks != 0
            ? try Self.endOfUnusualString(text, from: position, at: offset, limits.stringLength)
            : try Self.endOfLongString(text, from: position, limits.stringLength)
        return (hasEscapes ? .escapedString : .string, end)
    }

    /// Reads the bracket that opens a container, and makes it the innermost one.
    @inline(__always)
    private mutating func open(_ kind: JSONTapeItem.Kind) throws(JSONFailure) {
        guard depth < limits.depth else { throw JSONFailure(code: .depthLimit, offset: position) }
        try append(kind, end: position &+ 1)
        depth &+= 1
        greatestDepth = max(greatestDepth, depth)
        if container != JSONTapeItem.none {
            items.suspend(Int(truncatingIfNeeded: container), count: childCount &+ 1, names: names)
        }
        container = UInt32(truncatingIfNeeded: items.count &- 1)
        childCount = 0
        names = JSONNameMarks()
        isInObject = kind == .object
    }

    @inline(__always)
    private mutating func close() {
        position &+= 1
        let end = UInt32(truncatingIfNeeded: position)
        container = items.complete(Int(truncatingIfNeeded: container), end: end, count: childCount)
        depth &-= 1
        guard container != JSONTapeItem.none else { return }
        (childCount, names, isInObject) = items.resume(Int(truncatingIfNeeded: container))
    }

    /// Writes the item of what starts at the position, and stands after it.
    @inline(__always)
    private mutating func append(_ kind: JSONTapeItem.Kind, end: Int) throws(JSONFailure) {
        if items.count == checkpoint {
            (items, checkpoint) = try Self.makeRoom(in: items, for: kind, at: position, of: size, limits)
        }
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
}

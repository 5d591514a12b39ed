/// Writes values of a checked text by copying it, without white space and without escapes that are not necessary.
///
/// A stretch of the text without either is copied in one piece, however many values it holds.
struct JSONTapeText {
    private let items: JSONTapeItems
    /// The part of the text that is to be copied next.
    private var runStart = 0
    private var runEnd = 0

    private init(_ items: JSONTapeItems) {
        self.items = items
    }

    /// Appends the value at an index of a tape.
    static func append(_ index: Int, of tape: JSONTape, to output: inout JSONOutput) {
        // What is written is never longer than what was read.
        output.reserve(tape[index].range.count)
        var writer = JSONTapeText(tape.items)
        tape.withText { writer.write(index, $0, &output) }
    }

    /// The text of the value at an index of a tape.
    static func text(of index: Int, _ tape: JSONTape) -> [UInt8] {
        let range = tape[index].range
        if tape.withText({ _ in hasNothingToRemove(index, tape.items) }) { return Array(tape.bytes(in: range)) }
        var output = JSONOutput(capacity: range.count)
        append(index, of: tape, to: &output)
        return output.array()
    }

    /// Returns `true` if a text has neither escapes nor white space between its parts.
    private static func hasNothingToRemove(_ root: Int, _ items: JSONTapeItems) -> Bool {
        var length = 0
        for index in root..<Int(items[root].next) {
            let item = items[index]
            switch item.kind {
            case .escapedName, .escapedString: return false
            // Two brackets, and commas.
            case .object, .array: length &+= 2 &+ max(Int(item.count) &- 1, 0)
            case .name:
                // The name and its colon; texts for people mostly have a space after it.
                if items[index &+ 1].start != item.end &+ 1 { return false }
                length &+= item.range.count &+ 1
            case .string, .integer, .number, .true, .false, .null: length &+= item.range.count
            }
        }
        return length == items[root].range.count
    }

    private mutating func write(_ root: Int, _ text: Span<UInt8>, _ output: inout JSONOutput) {
        var container = items[root]
        var isInObject = false
        var index = root
        while true {
            let item = items[index]
            if item.ordinal > 0, item.isName || !isInObject, index > root { copy(UInt8(ascii: ","), text, &output) }
            if item.isContainer {
                copy(from: item.start, to: item.start &+ 1, text, &output)
                (container, isInObject) = (item, item.kind == .object)
            } else {
                write(item, text, &output)
            }
            index &+= 1
            while index == Int(container.next) {
                copy(isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), text, &output)
                guard container.start > items[root].start else {
                    return copyRun(text, &output)
                }
                container = items[Int(container.parent)]
                isInObject = container.kind == .object
            }
        }
    }

    @inline(__always)
    private mutating func write(_ item: JSONTapeItem, _ text: Span<UInt8>, _ output: inout JSONOutput) {
        if item.kind == .escapedString || item.kind == .escapedName {
            // The quote before the string, and the one after it.
            copy(from: item.start, to: item.start &+ 1, text, &output)
            copyRun(text, &output)
            output.appendReserved(necessaryEscapesOf: text.extracting(item.textRange))
            (runStart, runEnd) = (Int(item.end) &- 1, Int(item.end))
        } else {
            copy(from: item.start, to: item.end, text, &output)
        }
        if item.isName { copy(UInt8(ascii: ":"), text, &output) }
    }

    /// Adds a part of the text to what is copied.
    @inline(__always)
    private mutating func copy(from start: UInt32, to end: UInt32, _ text: Span<UInt8>, _ output: inout JSONOutput) {
        if Int(start) != runEnd {
            copyRun(text, &output)
            runStart = Int(start)
        }
        runEnd = Int(end)
    }

    /// Adds the character that comes next in the text, perhaps after white space.
    @inline(__always)
    private mutating func copy(_ byte: UInt8, _ text: Span<UInt8>, _ output: inout JSONOutput) {
        if text.byte(at: runEnd) == byte {
            runEnd &+= 1
        } else {
            copyRun(text, &output)
            output.appendReserved(byte)
            runStart = runEnd
        }
    }

    @inline(__always)
    private mutating func copyRun(_ text: Span<UInt8>, _ output: inout JSONOutput) {
        output.appendReserved(text, from: runStart, to: runEnd)
    }
}

/// Writes a value as text, without recursion.
///
/// Values are looked at where they stand: taking one out of an array retains what it holds, twice the price of writing
/// it. Nothing changes the value while it is written, so that its arrays stay where they are.
///
/// A comma follows every value; the bracket after the last value of a container takes its place.
struct JSONWriter<Style: JSONStyle>: ~Copyable {
    private let style: Style
    private var output: JSONOutput
    private var levels: JSONWriterLevels

    /// The text of a value.
    static func text(of value: JSONValue, style: Style) throws(Style.Failure) -> [UInt8] {
        if Style.copiesText, let text = copiedText(of: value) { return text }
        // Most texts need no other memory than this, which costs nothing to get.
        return try unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) {
            room throws(Style.Failure) in
            try unsafe withUnsafeTemporaryAllocation(of: JSONWriterLevel.self, capacity: 8) {
                outerLevels throws(Style.Failure) in
                var writer = unsafe JSONWriter(style, JSONOutput(room), JSONWriterLevels(outerLevels))
                try unsafe withUnsafePointer(to: value) { root throws(Style.Failure) in
                    try unsafe writer.writeValues(JSONWriterLevel(root: root))
                }
                writer.output.removeLast()
                return writer.output.array()
            }
        }
    }

    /// The text of an object that was read and is not changed.
    private static func copiedText(of value: JSONValue) -> [UInt8]? {
        guard case .object(let object) = value, object.isUnread, let (tape, index) = object.place else { return nil }
        return JSONTapeText.text(of: index, tape)
    }

    private init(_ style: Style, _ output: consuming JSONOutput, _ levels: consuming JSONWriterLevels) {
        self.style = style
        self.output = output
        self.levels = levels
    }

    /// Writes all values of the outermost level, with all that is inside them.
    private mutating func writeValues(_ outermost: JSONWriterLevel) throws(Style.Failure) {
        var level = outermost
        while true {
            while !level.isAtEnd {
                if levels.depth > 0 { startLine(depth: levels.depth) }
                if level.isObject { write(nameOf: unsafe level.nextMember.pointee) }
                let value = unsafe level.nextValue
                level.advance()
                try write(unsafe value.pointee, &level)
            }
            guard levels.depth > 0 else { return }
            output.removeLast()
            startLine(depth: levels.depth - 1)
            output.append(level.isObject ? JSONWord.pair("}", ",") : JSONWord.pair("]", ","))
            level = levels.leave(level)
        }
    }

    @inline(__always)
    private mutating func write(nameOf member: borrowing Borrowed<JSONObject.Entry>) {
        write(member.value.name, then: UInt8(ascii: ":"))
        if style.indentation != nil { output.append(UInt8(ascii: " ")) }
    }

    @inline(__always)
    private mutating func write(
        _ value: borrowing Borrowed<JSONValue>,
        _ level: inout JSONWriterLevel
    ) throws(Style.Failure) {
        try write(value.value, &level)
    }

    /// Writes a scalar, or the opening bracket of a container, which is the innermost one then.
    @inline(__always)
    private mutating func write(_ value: JSONValue, _ level: inout JSONWriterLevel) throws(Style.Failure) {
        switch value {
        case .null: output.append("null,")
        case .bool(true): output.append("true,")
        case .bool(false): output.append("false,")
        case .number(let number): try style.append(number, to: &output, in: level, levels)
        case .string(let string): write(string, then: UInt8(ascii: ","))
        case .array(let elements):
            guard let inner = JSONWriterLevel(elements) else { return output.append("[],") }
            output.append(UInt8(ascii: "["))
            levels.putAside(level)
            level = inner
        case .object(let object):
            if Style.copiesText, object.isUnread, let (tape, index) = object.place {
                JSONTapeText.append(index, of: tape, to: &output)
                return output.append(UInt8(ascii: ","))
            }
            guard let inner = levels.level(of: object, arranged: style.arrange(object)) else {
                return output.append("{},")
            }
            output.append(UInt8(ascii: "{"))
            levels.putAside(level)
            level = inner
        }
    }

    @inline(__always)
    private mutating func write(_ string: String, then next: UInt8) {
        if style.escapesInvisible {
            JSONStringText.appendVisible(string, then: next, to: &output)
        } else {
            output.append(quoted: string, then: next)
        }
    }

    @inline(__always)
    private mutating func startLine(depth: Int) {
        guard let indentation = style.indentation else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(UInt8(ascii: " "), times: indentation * depth)
    }
}

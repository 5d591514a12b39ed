/// Writes a value as text, without recursion.
///
/// Values are looked at where they stand: taking one out of an array retains what it holds, twice the price of writing
/// it. Nothing changes the value while it is written, so that its arrays stay where they are.
struct JSONWriter<Style: JSONStyle>: ~Copyable {
    private let style: Style
    private var output = JSONOutput()
    private var levels = JSONWriterLevels()

    /// The text of a value.
    static func text(of value: JSONValue, style: Style) throws(Style.Failure) -> [UInt8] {
        if style.copiesText, case .object(let object) = value, let (tape, index) = object.place {
            return JSONTapeText.text(of: index, tape)
        }
        var writer = JSONWriter(style: style)
        defer { extendLifetime(value) }
        try writer.write(value)
        while writer.levels.depth > 0 { try writer.continueLevel() }
        return writer.output.array()
    }

    private init(style: Style) {
        self.style = style
    }

    /// Writes a scalar, or the opening bracket of a container.
    @inline(never)
    private mutating func write(_ value: JSONValue) throws(Style.Failure) {
        switch value {
        case .null: output.append("null")
        case .bool(let value): output.append(value ? "true" : "false")
        case .number(let number): try style.append(number, to: &output, in: levels)
        case .string(let string): write(string)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            levels.enter(elements)
        case .object(let object):
            if style.copiesText, let (tape, index) = object.place {
                return JSONTapeText.append(index, of: tape, to: &output)
            }
            output.append(UInt8(ascii: "{"))
            levels.enter(object, arranged: style.arrange(object))
        }
    }

    @inline(__always)
    private mutating func write(_ string: String) {
        if style.escapesInvisible {
            JSONStringText.appendVisible(string, to: &output)
        } else {
            output.append(quoted: string)
        }
    }

    /// Writes the next values of the innermost container up to one that is a container itself, or to its end.
    @inline(__always)
    private mutating func continueLevel() throws(Style.Failure) {
        let depth = levels.depth
        while levels.innermost.next < levels.innermost.count {
            let position = levels.innermost.next
            levels.innermost.next += 1
            if levels.innermost.isObject {
                try unsafe write(member: levels.innermost.members[position], isFirst: position == 0, depth: depth)
            } else {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                startLine(depth: depth)
                try unsafe write(element: levels.innermost.elements[position])
            }
            if levels.depth != depth { return }
        }
        if levels.innermost.count > 0 { startLine(depth: depth - 1) }
        output.append(levels.innermost.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        levels.leave()
    }

    @inline(__always)
    private mutating func write(element: borrowing Borrowed<JSONValue>) throws(Style.Failure) {
        try write(element.value)
    }

    @inline(__always)
    private mutating func write(
        member: borrowing Borrowed<JSONObject.Entry>,
        isFirst: Bool,
        depth: Int
    ) throws(Style.Failure) {
        if style.indentation == nil, !style.escapesInvisible {
            output.append(quoted: member.value.name, afterComma: !isFirst, beforeColon: true)
        } else {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            startLine(depth: depth)
            write(member.value.name)
            output.append(UInt8(ascii: ":"))
            if style.indentation != nil { output.append(UInt8(ascii: " ")) }
        }
        try write(member.value.value)
    }

    @inline(__always)
    private mutating func startLine(depth: Int) {
        guard let indentation = style.indentation else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(UInt8(ascii: " "), times: indentation * depth)
    }
}

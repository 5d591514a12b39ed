/// A checked JSON text and the index of its values; what all views of a document share.
///
/// It is the object, too, that a small text may consist of, whose value then takes no other memory.
final class JSONTape: JSONUnreadObject, @unchecked Sendable {
    // Sendable for the reason that its superclass is.

    /// The text as received.
    let text: ArraySlice<UInt8>
    /// Every value and name in the order of the text; a value inside an object follows its name.
    let items: JSONTapeItems

    /// The nesting of the deepest container; zero for a scalar.
    let greatestDepth: Int

    init(_ text: ArraySlice<UInt8>, limits: JSONLimits) throws(JSONError) {
        // Not taken apart: to copy the builder costs as much as a value.
        let reading = JSONTapeBuilder.read(text.span, limits)
        if let failure = reading.failure {
            defer { reading.builder.items.deallocate() }
            throw JSONError(failure, reading.builder, text.span)
        }
        self.text = text
        items = reading.builder.items
        greatestDepth = reading.builder.greatestDepth
    }

    deinit {
        items.deallocate()
    }

    override var place: (tape: JSONTape, index: Int)? { (self, 0) }

    override func readMembers() -> [JSONObject.Entry] { members(of: 0) }

    /// The item at an index.
    @inline(__always)
    subscript(index: Int) -> JSONTapeItem {
        defer { extendLifetime(self) }
        return items[index]
    }

    /// Returns `true` if a value takes up most of an array of bytes, so that it can keep the array instead of a copy.
    func isMostly(_ index: Int) -> Bool {
        text.startIndex == 0 && 2 * self[index].range.count >= text.count
    }

    /// Refuses a value whose containers are nested deeper than a bound.
    func refuseDepth(beyond bound: Int, at root: Int) throws(JSONError) {
        guard greatestDepth > bound else { return }
        var ends: [UInt32] = []
        for index in root..<Int(self[root].next) where self[index].isContainer {
            while let end = ends.last, end <= index { ends.removeLast() }
            guard ends.count < bound else {
                let message = "arrays and objects are nested deeper than \(bound)"
                throw JSONError(.depthLimit, message, offset: self[index].range.lowerBound, path: path(to: index))
            }
            ends.append(self[index].next)
        }
    }

    /// The nesting depth of a value, itself counted.
    func depth(at root: Int) -> Int {
        guard root > 0 else { return greatestDepth }
        var depth = 0
        var ends: [UInt32] = []
        for index in root..<Int(self[root].next) where self[index].isContainer {
            while let end = ends.last, end <= index { ends.removeLast() }
            ends.append(self[index].next)
            depth = max(depth, ends.count)
        }
        return depth
    }

    /// A part of the text, without copying it.
    func bytes(in range: Range<Int>) -> ArraySlice<UInt8> {
        text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
    }

    /// Calls a closure with the text.
    @inline(__always)
    func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let text = text
        defer { extendLifetime(self) }
        return body(text.span)
    }

    /// A part of the text as a string.
    func string(in range: Range<Int>) -> String {
        withText { $0.string(in: range) }
    }

    /// The decoded string or name of an item.
    @inline(__always)
    func string(_ item: JSONTapeItem, in text: Span<UInt8>) -> String {
        JSONTapeItems.string(of: item, in: text)
    }

    /// The decoded string or name at an index.
    func decodedString(at index: Int) -> String {
        withText { items.string(at: index, in: $0) }
    }

    /// The bytes of the string at an index, a part of the text unless it has escapes; nil for anything but a string.
    func stringBytes(at index: Int) -> ArraySlice<UInt8>? {
        let item = self[index]
        switch item.kind {
        case .string: return bytes(in: item.textRange)
        case .escapedString:
            var decoded: [UInt8] = []
            withText { JSONEscapes.decode($0.extracting(item.textRange), into: &decoded) }
            return decoded[...]
        default: return nil
        }
    }

    /// The path of the value at an index.
    func path(to index: Int) -> JSONPath {
        withText { items.path(to: index, in: $0) }
    }

    /// The item of the first name between two items of an object that has the same bytes.
    func member(_ name: String, from first: Int, to end: Int) -> Int? {
        name.withSpan { wanted in
            withText { text in
                var index = first
                while index < end {
                    if Self.isName(self[index], wanted, in: text) { return index }
                    index = Int(self[index + 1].next)
                }
                return nil
            }
        }
    }

    /// The items of the names with the same bytes, at any depth of a value.
    func names(_ name: String, inside root: Int) -> [Int] {
        name.withSpan { wanted in
            withText { text in
                var names: [Int] = []
                for index in root..<Int(self[root].next)
                where self[index].isName && Self.isName(self[index], wanted, in: text) { names.append(index) }
                return names
            }
        }
    }

    /// Returns `true` if the item at an index is the value of a member.
    func isMember(_ index: Int) -> Bool {
        let parent = self[index].parent
        return parent != JSONTapeItem.none && self[Int(parent)].kind == .object && !self[index].isName
    }

    @inline(__always)
    private static func isName(_ item: JSONTapeItem, _ wanted: Span<UInt8>, in text: Span<UInt8>) -> Bool {
        let range = item.textRange
        if item.kind == .escapedName {
            var decoded: [UInt8] = []
            JSONEscapes.decode(text.extracting(range), into: &decoded)
            return decoded.count == wanted.count && decoded.span.holds(wanted, 0..<wanted.count, at: 0)
        }
        return range.count == wanted.count && text.holds(wanted, 0..<wanted.count, at: range.lowerBound)
    }
}

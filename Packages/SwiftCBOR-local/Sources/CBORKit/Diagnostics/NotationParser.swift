/// Turns diagnostic notation into bytes in one pass.
///
/// Open items are in a list, not on the stack. The head of an array, map or embedded string is inserted before its
/// content when it closes, so bytes move at most once a level.
struct NotationParser {
    var scanner: NotationScanner
    let limits: CBORLimits
    var output: [UInt8] = []
    private var frames: [ParserFrame] = []
    private var itemCount = 0

    init(_ text: String, limits: CBORLimits) {
        scanner = NotationScanner(text)
        self.limits = limits
    }

    /// Reads the whole text.
    mutating func parse(_ kind: ParserFrame.Kind) throws(CBORError) -> [UInt8] {
        guard scanner.text.count <= min(limits.size, CBORLimits.maximumSize) else {
            throw CBORError(.limitExceeded, "the text is longer than \(limits.size) bytes", offset: limits.size)
        }
        frames = [ParserFrame(kind: kind, offset: 0, start: 0)]
        while var frame = frames.popLast() {
            try scanner.skipBlank()
            if try ends(frame) {
                try close(frame)
                continue
            }
            if frame.count > 0 { try separate(frame) }
            frame.count += 1
            frames.append(frame)
            try countItem()
            try parseItem()
        }
        return output
    }

    /// Returns `true` if the end of an open item stands here, and passes over it.
    private mutating func ends(_ frame: ParserFrame) throws(CBORError) -> Bool {
        let isEnd =
            frame.closing.isEmpty
            ? scanner.next == nil : scanner.text[scanner.position...].starts(with: frame.closing.utf8)
        guard isEnd else { return false }
        guard frame.count > 0 || frame.canBeEmpty else { throw scanner.error("an item is missing") }
        guard frame.kind != .map || frame.count % 2 == 0 else { throw scanner.error("the value of a key is missing") }
        scanner.position += frame.closing.utf8.count
        return true
    }

    /// Passes over what must stand between the last item and the next.
    private mutating func separate(_ frame: ParserFrame) throws(CBORError) {
        guard scanner.next != nil else {
            throw scanner.error("\(frame.closing) is missing for the item at byte \(frame.offset)")
        }
        guard !frame.isSingle else {
            throw scanner.error(frame.kind == .item ? "there is more than one item" : "the tag has more than one item")
        }
        let separator = frame.kind == .map && frame.count % 2 == 1 ? ":" : ","
        guard scanner.skip(separator) else { throw scanner.error("expected \(separator) or the end of the item") }
        try scanner.skipBlank()
    }

    /// Opens an item that has others in it.
    mutating func open(_ kind: ParserFrame.Kind, at offset: Int, indicator: NotationIndicator? = nil) throws(CBORError)
    {
        let limit = min(limits.depth, CBORLimits.maximumDepth)
        guard frames.count <= limit else {
            throw CBORError(.limitExceeded, "items are nested deeper than \(limit) levels", offset: offset)
        }
        frames.append(ParserFrame(kind: kind, offset: offset, start: output.count, indicator: indicator))
    }

    private mutating func countItem() throws(CBORError) {
        itemCount += 1
        guard itemCount <= limits.items else {
            throw CBORError(.limitExceeded, "there are more than \(limits.items) items", offset: scanner.position)
        }
    }

    /// Notes that a string of a major type was read, and refuses what cannot be a chunk of an open string.
    mutating func checkChunk(major: UInt8?, at offset: Int) throws(CBORError) {
        guard let index = frames.indices.last, frames[index].kind == .chunks else { return }
        guard let major, frames[index].chunkMajor ?? major == major else {
            throw scanner.error("a chunk must be a string of the same kind as the others", at: offset)
        }
        frames[index].chunkMajor = major
    }

    private mutating func close(_ frame: ParserFrame) throws(CBORError) {
        switch frame.kind {
        case .item, .sequence, .tag: return
        case .array: try closeContainer(frame, major: 4, count: frame.count)
        case .map: try closeContainer(frame, major: 5, count: frame.count / 2)
        case .chunks:
            output.insert((frame.chunkMajor ?? 2) << 5 | 0x1f, at: frame.start)
            output.append(TapeEntry.breakByte)
        case .embedded:
            let indicator = try scanner.takeIndicator()
            let length = output.count - frame.start
            try checkLength(length, at: frame.offset)
            output.insert(contentsOf: try head(2, UInt64(length), indicator, at: frame.offset), at: frame.start)
        }
    }

    private mutating func closeContainer(_ frame: ParserFrame, major: UInt8, count: Int) throws(CBORError) {
        if frame.indicator == .indefinite {
            output.insert(major << 5 | 0x1f, at: frame.start)
            output.append(TapeEntry.breakByte)
        } else {
            output.insert(
                contentsOf: try head(major, UInt64(count), frame.indicator, at: frame.offset),
                at: frame.start
            )
        }
    }

    /// The bytes of a head in the width demanded.
    func head(
        _ major: UInt8,
        _ argument: UInt64,
        _ indicator: NotationIndicator?,
        at offset: Int
    ) throws(CBORError) -> [UInt8] {
        let shortest = CBORWidth(shortestFor: argument)
        var bytes: [UInt8] = []
        switch indicator {
        case nil: HeadWriter.append(major, argument, to: &bytes)
        case .immediate where shortest == nil: HeadWriter.append(major, argument, to: &bytes)
        case .width(let width) where shortest?.rawValue ?? 0 <= width.rawValue:
            HeadWriter.append(major, argument, width: width, to: &bytes)
        case .indefinite: throw scanner.error("the item cannot have an indefinite length", at: offset)
        case .immediate, .width: throw scanner.error("the encoding indicator is too narrow for \(argument)", at: offset)
        }
        return bytes
    }

    /// Refuses a string that passes the limit; chunks count together.
    mutating func checkLength(_ length: Int, at offset: Int) throws(CBORError) {
        var total = length
        if let index = frames.indices.last, frames[index].kind == .chunks {
            frames[index].chunkLength += length
            total = frames[index].chunkLength
        }
        guard total <= limits.stringLength else {
            throw CBORError(.limitExceeded, "the string is longer than \(limits.stringLength) bytes", offset: offset)
        }
    }
}

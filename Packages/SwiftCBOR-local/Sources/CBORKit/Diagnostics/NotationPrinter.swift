/// Writes the diagnostic notation of one well-formed item from its bytes.
///
/// Open items are in a list, not on the stack, so nesting costs no stack.
@safe
struct NotationPrinter {
    /// The largest number of levels of expanded embedded items: each is checked before, together with all within it.
    static let maximumEmbedding = 16
    /// The largest number of levels that are indented further than the one before.
    private static let maximumIndentation = 32

    let bytes: UnsafeRawBufferPointer
    let options: CBORDiagnosticOptions
    var position = 0
    var output: [UInt8] = []
    var frames = [PrinterFrame(extent: .items(1), separation: .none, closing: "")]
    /// The number of embedded items among the open ones.
    var embedding = 0

    private init(bytes: UnsafeRawBufferPointer, options: CBORDiagnosticOptions) {
        unsafe self.bytes = unsafe bytes
        self.options = options
    }

    /// The notation of one item that is known to be well-formed.
    static func text(_ item: ArraySlice<UInt8>, _ options: CBORDiagnosticOptions) -> String {
        unsafe item.withUnsafeBytes {
            var printer = unsafe NotationPrinter(bytes: $0, options: options)
            return printer.print()
        }
    }

    private mutating func print() -> String {
        while var frame = frames.popLast() {
            if endsHere(frame) {
                close(frame)
            } else {
                separate(frame)
                frame.written += 1
                if case .items(let count) = frame.extent { frame.extent = .items(count - 1) }
                frames.append(frame)
                printItem()
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func endsHere(_ frame: PrinterFrame) -> Bool {
        switch frame.extent {
        case .items(let count): count == 0
        case .indefinite: unsafe bytes[position] == TapeEntry.breakByte
        case .position(let end): position >= end
        }
    }

    private mutating func close(_ frame: PrinterFrame) {
        if case .indefinite = frame.extent { position += 1 }
        if case .position = frame.extent { embedding -= 1 }
        if frame.breaksLines, frame.written > 0 { breakLine() }
        write(frame.closing)
    }

    private mutating func separate(_ frame: PrinterFrame) {
        switch frame.separation {
        case .none: return
        case .pairs where frame.written % 2 == 1: return write(": ")
        case .pairs, .commas: break
        }
        if frame.written > 0 { write(frame.breaksLines ? "," : ", ") }
        guard frame.breaksLines else { return }
        frames.append(frame)
        breakLine()
        frames.removeLast()
    }

    /// Begins a line, indented by the open items that break lines.
    private mutating func breakLine() {
        write("\n")
        for frame in frames.prefix(Self.maximumIndentation) where frame.breaksLines { write("  ") }
    }

    /// Writes the item at the position, or opens it if it has others in it.
    private mutating func printItem() {
        let head = unsafe Head(at: position, in: bytes)
        let start = position
        position += head.byteCount
        switch head.major {
        case 0: write("\(head.argument)" + indicator(head))
        case 1: write("\(-1 - Int128(head.argument))" + indicator(head))
        case 2, 3: printString(head)
        case 4: open(head, "[", "]", .commas, count: head.argument)
        case 5: open(head, "{", "}", .pairs, count: head.argument &* 2)
        case 6: printTag(head, start)
        default: printMajor7(head)
        }
    }

    private mutating func open(
        _ head: Head,
        _ opening: String,
        _ closing: String,
        _ separation: PrinterFrame.Separation,
        count: UInt64
    ) {
        let mark = head.isIndefinite && options.showsEncodingIndicators ? "_" : indicator(head)
        write(opening + mark)
        if !mark.isEmpty, !options.isPretty { write(" ") }
        frames.append(
            PrinterFrame(
                extent: head.isIndefinite ? .indefinite : .items(count),
                separation: separation,
                closing: closing,
                breaksLines: options.isPretty
            )
        )
    }

    private mutating func printTag(_ head: Head, _ start: Int) {
        if head.argument == 2 || head.argument == 3, head.redundantWidth == nil, printBigInteger(head) { return }
        write("\(head.argument)" + indicator(head) + "(")
        frames.append(PrinterFrame(extent: .items(1), separation: .none, closing: ")"))
        guard options.expandsEmbedded, embedding < Self.maximumEmbedding, let content = embeddedRange(head) else {
            return
        }
        frames.removeLast()
        let string = unsafe Head(at: position, in: bytes)
        position = content.lowerBound
        embedding += 1
        write("<<")
        let closing = ">>" + indicator(string) + ")"
        frames.append(PrinterFrame(extent: .position(content.upperBound), separation: .commas, closing: closing))
    }

    /// The range of the items in the byte string at the position, if the tag says so and they can be read.
    private func embeddedRange(_ tag: Head) -> Range<Int>? {
        guard tag.argument == 24 || tag.argument == 63 else { return nil }
        let head = unsafe Head(at: position, in: bytes)
        guard head.major == 2, !head.isIndefinite else { return nil }
        let start = position + head.byteCount
        let range = start..<start + Int(truncatingIfNeeded: head.argument)
        var readingOptions = CBORReadingOptions.default
        readingOptions.duplicateKeys = .allow
        let content = unsafe Array(bytes[range])
        guard let items = try? CBORDocument.sequence(content, options: readingOptions) else { return nil }
        return tag.argument == 63 || items.count == 1 ? range : nil
    }

    /// The encoding indicator of a head that is wider than needed (RFC 8949 section 8.1).
    func indicator(_ head: Head) -> String {
        guard options.showsEncodingIndicators, let width = head.redundantWidth else { return "" }
        return "_\(width.rawValue - CBORWidth.one.rawValue)"
    }

    mutating func write(_ text: String) {
        output += text.utf8
    }
}

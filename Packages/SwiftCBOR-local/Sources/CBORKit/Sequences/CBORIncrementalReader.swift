/// Reads items from bytes that arrive in pieces, such as from a connection.
///
/// ```swift
/// var reader = CBORIncrementalReader()
/// for try await piece in connection {
///     reader.feed(piece)
///     while case .item(let document) = try reader.next() { handle(document) }
/// }
/// try reader.finish()
/// ```
///
/// Every byte is looked at once while an item is incomplete, in whatever pieces it comes, and bytes that cannot become
/// an item within the limits are refused at once.
public struct CBORIncrementalReader: Sendable {
    /// The result of ``next()``.
    public enum Outcome: Sendable {
        /// A complete item.
        case item(CBORDocument)
        /// The next item is not complete: it takes at least so many more bytes.
        case needs(Int)
    }

    private let options: CBORReadingOptions
    private var buffer: [UInt8] = []
    /// The offset in the buffer at which the incomplete item begins.
    private var start = 0
    private var scan: ItemScan
    private var index = 0
    private var offset = 0
    private var failure: CBORError?

    /// A reader that has not seen anything; the size limit of the options holds for each item.
    public init(options: CBORReadingOptions = .default) {
        self.options = options
        scan = ItemScan(limits: options.limits)
    }

    /// Takes the next piece; it may end anywhere.
    public mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next item if it is complete, or the smallest number of missing bytes.
    ///
    /// - Throws: ``CBORError``, with offset and path in the whole stream, once the received bytes cannot become an item
    ///   that the options allow; from then on always.
    public mutating func next() throws(CBORError) -> Outcome {
        if let failure { throw failure }
        do throws(CBORError) {
            return try scanned()
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func scanned() throws(CBORError) -> Outcome {
        do throws(TapeFailure) {
            try scan.advance(over: buffer[start...])
        } catch {
            throw CBORError(error, path: CBORPath([.index(index)]), movedBy: offset)
        }
        guard scan.isComplete else { return .needs(scan.missing) }
        let document = try document(buffer[start..<start + scan.position])
        offset += scan.position
        start += scan.position
        index += 1
        scan = ItemScan(limits: options.limits)
        return .item(document)
    }

    /// Reads complete items, with all checks.
    private func document(_ bytes: ArraySlice<UInt8>) throws(CBORError) -> CBORDocument {
        // A copy, since the document keeps its bytes and the buffer moves on.
        let item = Array(bytes)[...]
        let origin = Tape.Origin(place: .sequence(index), offset: offset)
        return try CBORDocument(content: item, origin: origin, options: options)
    }

    /// Says that nothing more comes.
    ///
    /// - Throws: ``CBORError/Code/truncated`` if an item is not complete, or the error that was met before.
    public func finish() throws(CBORError) {
        if let failure { throw failure }
        guard start < buffer.count else { return }
        let end = offset + buffer.count - start
        throw CBORError(.truncated, "the stream ends within an item", offset: end, path: CBORPath([.index(index)]))
    }
}

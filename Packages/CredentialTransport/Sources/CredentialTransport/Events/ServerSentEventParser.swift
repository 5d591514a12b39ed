/// Reads an event stream as it arrives (WHATWG HTML, sections 9.2.5 and 9.2.6).
///
/// ```swift
/// var parser = ServerSentEventParser()
/// for try await piece in stream {
///     for part in try parser.receive(piece) { handle(part) }
/// }
/// ```
///
/// Lines end with LF, CR or CR LF. A byte order mark at the beginning is left out; bytes that are not UTF-8 are replaced by
/// U+FFFD. Events without data, and one that the end of the stream cuts off, are discarded.
public struct ServerSentEventParser: Sendable {
    /// The last event ID of the stream, as of the last event; what a new connection sends as `Last-Event-ID`.
    public private(set) var lastEventID: String

    private let limits: ServerSentEventLimits
    private var line: [UInt8] = []
    /// Indicates that the last byte was a CR, whose LF may follow.
    private var isAfterCR = false
    private var isFirstLine = true
    private var data: [UInt8] = []
    private var type = ""
    private var lastEventIDBuffer: String

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// A parser at the beginning of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The last event ID of the connection before this one; it stays until the stream sets another.
    ///   - limits: The limits for lines and events.
    public init(lastEventID: String = "", limits: ServerSentEventLimits = .default) {
        self.lastEventID = lastEventID
        self.limits = limits
        lastEventIDBuffer = lastEventID
    }

    /// Takes the next bytes of the stream.
    ///
    /// - Returns: The parts that the bytes complete, in order.
    /// - Throws: ``TransportError/Code/eventTooLarge`` for a line or an event over its limit.
    public mutating func receive(_ bytes: some Sequence<UInt8>) throws(TransportError) -> [ServerSentPart] {
        var parts: [ServerSentPart] = []
        try receive(bytes, into: &parts)
        return parts
    }

    /// Takes the next bytes of the stream, and keeps the parts before a refusal.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - parts: The parts that the bytes complete are appended to it in order, also where this throws.
    /// - Throws: ``TransportError/Code/eventTooLarge`` for a line or an event over its limit.
    public mutating func receive(
        _ bytes: some Sequence<UInt8>,
        into parts: inout [ServerSentPart]
    ) throws(TransportError) {
        for byte in bytes {
            let isEndOfCRLF = isAfterCR && byte == UInt8(ascii: "\n")
            isAfterCR = byte == UInt8(ascii: "\r")
            if isEndOfCRLF { continue }
            if byte == UInt8(ascii: "\n") || isAfterCR {
                if let part = try endOfLine() { parts.append(part) }
            } else {
                try append(byte)
            }
        }
    }

    private mutating func append(_ byte: UInt8) throws(TransportError) {
        line.append(byte)
        // The byte order mark is no part of the first line.
        if isFirstLine, line.count == Self.byteOrderMark.count, line == Self.byteOrderMark {
            line = []
            isFirstLine = false
        }
        guard line.count <= limits.lineSize else {
            throw TransportError(.eventTooLarge, "a line is over \(limits.lineSize) bytes", path: ["event stream"])
        }
    }

    private mutating func endOfLine() throws(TransportError) -> ServerSentPart? {
        defer { line.removeAll(keepingCapacity: true) }
        isFirstLine = false
        guard let first = line.first else { return dispatch().map { .event($0) } }
        if first == UInt8(ascii: ":") { return .comment(String(decoding: line.dropFirst(), as: UTF8.self)) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return try process(line[...], []) }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        return try process(line[..<colon], value)
    }

    /// Processes a field (section 9.2.6); unknown ones are ignored.
    private mutating func process(
        _ name: ArraySlice<UInt8>,
        _ value: ArraySlice<UInt8>
    ) throws(TransportError) -> ServerSentPart? {
        if name.elementsEqual("event".utf8) {
            type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("data".utf8) {
            try appendData(value)
        } else if name.elementsEqual("id".utf8) {
            if !value.contains(0) { lastEventIDBuffer = String(decoding: value, as: UTF8.self) }
        } else if name.elementsEqual("retry".utf8) {
            return Self.retry(value).map { .retry($0) }
        }
        return nil
    }

    private mutating func appendData(_ value: ArraySlice<UInt8>) throws(TransportError) {
        guard data.count + value.count < limits.eventSize else {
            throw TransportError(.eventTooLarge, "an event is over \(limits.eventSize) bytes", path: ["event stream"])
        }
        data += value
        data.append(UInt8(ascii: "\n"))
    }

    /// The milliseconds of a value of digits alone, or nil; a number beyond 64 bits counts as the largest.
    private static func retry(_ value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else { return nil }
        return .milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? .max)
    }

    /// Ends the event, and with it the wait for its data.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = lastEventIDBuffer
        defer { (data, type) = ([], "") }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            lastEventID: lastEventID
        )
    }
}

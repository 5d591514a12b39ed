/// An event of an event stream (WHATWG HTML, section 9.2).
public struct OutgoingEvent: Hashable, Sendable {
    /// The data, each of whose lines is a line of the stream; nil for an event without any, which browsers pass over.
    public let data: String?
    /// The type, or nil for the default one, `message`.
    public let type: String?
    /// The ID that a client sends as `Last-Event-ID` when it connects again; nil leaves the last one.
    public let id: String?

    /// An event.
    ///
    /// - Parameters:
    ///   - data: The data, or nil for an event without any.
    ///   - type: The type.
    ///   - id: The ID.
    /// - Throws: ``ServingError/Code/invalidEvent`` for a type or an ID with a line break or a NUL, which would end the line or
    ///   be ignored by clients, and for an ID over 1,024 bytes.
    public init(data: String?, type: String? = nil, id: String? = nil) throws(ServingError) {
        for (name, value) in [("event", type), ("id", id)] {
            guard let value, value.utf8.contains(where: Self.isForbidden) else { continue }
            throw ServingError(.invalidEvent, "line break or NUL", path: [name])
        }
        if let id, id.utf8.count > 1024 { throw ServingError(.invalidEvent, "over 1024 bytes", path: ["id"]) }
        self.data = data
        self.type = type
        self.id = id
    }

    /// The event as part of a stream, with the empty line that ends it.
    public var encodedBytes: [UInt8] {
        var bytes: [UInt8] = []
        if let type { Self.append("event", type.utf8, to: &bytes) }
        if let id { Self.append("id", id.utf8, to: &bytes) }
        if let data { Self.append(lines: data, to: &bytes) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func append(lines data: String, to bytes: inout [UInt8]) {
        var line: [UInt8] = []
        var isAfterCR = false
        for byte in data.utf8 {
            defer { isAfterCR = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where isAfterCR:
                continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                append("data", line, to: &bytes)
                line = []
            default:
                line.append(byte)
            }
        }
        append("data", line, to: &bytes)
    }

    private static func append(_ name: String, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes += name.utf8
        bytes += ": ".utf8
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || byte == 0
    }
}

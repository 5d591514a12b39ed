#if Server
/// Frames of HTTP/2 as bytes (RFC 9113 section 4.1), for clients that break its rules.
enum HTTP2Frames {
    /// The first bytes of a client, and its settings.
    static func opening(settings: [(identifier: UInt16, value: UInt32)] = []) -> [UInt8] {
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.settings(settings)
    }

    static func settings(_ settings: [(identifier: UInt16, value: UInt32)] = []) -> [UInt8] {
        frame(4, payload: settings.flatMap { Array(bytes(UInt32($0.identifier))[2...]) + bytes($0.value) })
    }

    static let acknowledgement = frame(4, flags: 1, payload: [])

    static let ping = frame(6, payload: [1, 2, 3, 4, 5, 6, 7, 8])

    /// - Parameters:
    ///   - method: GET or POST.
    ///   - path: The path, of at most 126 bytes.
    static func request(
        _ method: String = "GET",
        _ path: String = "/",
        stream: UInt32,
        endsStream: Bool = true
    ) -> [UInt8] {
        frame(1, flags: endsStream ? 5 : 4, stream: stream, payload: block(method, path))
    }

    /// The beginning of a request whose header goes on in CONTINUATION frames.
    static func openRequest(stream: UInt32) -> [UInt8] {
        frame(1, flags: 1, stream: stream, payload: block("GET", "/"))
    }

    /// A further part of a header that does not end.
    static func continuation(stream: UInt32, payload: [UInt8]) -> [UInt8] {
        frame(9, stream: stream, payload: payload)
    }

    /// A request whose header is small in its compressed form only: one long field, which is named again and again (RFC 7541
    /// section 6.1).
    static func inflatingRequest(stream: UInt32) -> [UInt8] {
        let long: [UInt8] = [0x40, 1, 0x61, 0x7f, 0x81, 0x1e] + [UInt8](repeating: 0x62, count: 4000)
        return frame(
            1,
            flags: 5,
            stream: stream,
            payload: block("GET", "/") + long + [UInt8](repeating: 0xbe, count: 8000)
        )
    }

    static func reset(stream: UInt32) -> [UInt8] {
        frame(3, stream: stream, payload: [0, 0, 0, 8])
    }

    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8]) -> [UInt8] {
        Array(bytes(UInt32(payload.count))[1...]) + [type, flags] + bytes(stream) + payload
    }

    /// A header block of indexed and literal fields (RFC 7541 appendix A).
    private static func block(_ method: String, _ path: String) -> [UInt8] {
        [method == "GET" ? 0x82 : 0x83, 0x87, 0x04, UInt8(path.utf8.count)] + Array(path.utf8) + [0x01, 1, 0x78]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
#endif

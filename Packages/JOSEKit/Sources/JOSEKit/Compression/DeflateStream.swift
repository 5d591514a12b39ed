import CJOSEKitZlib

/// One run of zlib: set up, fed, ended once.
@safe
struct DeflateStream {
    private enum Direction {
        case compressing
        case decompressing
    }

    private let direction: Direction
    // zlib's state points back at this structure, which therefore must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init(compressing format: Deflate.Format, level: Deflate.Level) throws(JOSEError) {
        direction = .compressing
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe deflateInit2_(
            stream,
            level.value,
            Z_DEFLATED,
            format.windowBits,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        try requireSetUp(status)
    }

    init(decompressing format: Deflate.Format) throws(JOSEError) {
        direction = .decompressing
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream,
            format.windowBits,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        try requireSetUp(status)
    }

    private func requireSetUp(_ status: Int32) throws(JOSEError) {
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw JOSEError(.operationFailed, "zlib could not be set up: status \(status)")
        }
    }

    /// Gives zlib's memory back.
    mutating func end() {
        switch direction {
        case .compressing: _ = unsafe deflateEnd(stream)
        case .decompressing: _ = unsafe inflateEnd(stream)
        }
        unsafe stream.deallocate()
    }

    mutating func compress(_ input: UnsafeRawBufferPointer) throws(JOSEError) -> [UInt8] {
        try unsafe setInput(input)
        let bound = unsafe Int(deflateBound(stream, UInt(input.count)))
        var status = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = unsafe run(into: output) { unsafe status = deflate(stream, Z_FINISH) }
        }
        guard status == Z_STREAM_END else {
            throw JOSEError(.operationFailed, "zlib could not compress: status \(status)")
        }
        return output
    }

    mutating func decompress(_ input: UnsafeRawBufferPointer, maximumSize: Int) throws(JOSEError) -> [UInt8] {
        try unsafe setInput(input)
        let limit = max(0, min(maximumSize, Int(UInt32.max) - 1))
        var pieces: [[UInt8]] = []
        var count = 0
        // The first room is a guess, each further one has the size of all before. There is always place for one byte more than
        // allowed, which tells excess from the end.
        var room = min(limit + 1, max(input.count * 4, 512))
        while true {
            let (piece, status) = inflate(room: room)
            pieces.append(piece)
            count += piece.count
            guard count <= limit else {
                throw JOSEError(.limitExceeded, "the content inflates to more than \(limit) bytes")
            }
            if status == Z_STREAM_END { break }
            guard status == Z_OK || status == Z_BUF_ERROR else {
                throw JOSEError(.invalidCompression, "the bytes are no DEFLATE stream")
            }
            guard piece.count == room else {
                throw JOSEError(.invalidCompression, "the DEFLATE stream ends early")
            }
            room = min(limit + 1 - count, count)
        }
        guard unsafe stream.pointee.avail_in == 0 else {
            throw JOSEError(.invalidCompression, "bytes follow the DEFLATE stream")
        }
        return Self.joined(pieces, count: count)
    }

    /// Inflates the next bytes, as many as there is room for.
    private func inflate(room: Int) -> (piece: [UInt8], status: Int32) {
        var status = Z_OK
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = unsafe run(into: buffer) { unsafe status = CJOSEKitZlib.inflate(stream, Z_NO_FLUSH) }
        }
        return (piece, status)
    }

    /// Runs zlib over the next input until it wants more.
    ///
    /// - Returns: The output, and whether the stream is at its end, after which nothing of the input may be left.
    mutating func process(_ input: [UInt8], flush: Int32) throws(JOSEError) -> (output: [UInt8], isAtEnd: Bool) {
        let room = 1 << 16
        var output: [UInt8] = []
        var status = Z_OK
        let result = unsafe input.withUnsafeBytes { input in
            Result { () throws(JOSEError) in
                try unsafe setInput(input)
                var count = room
                while count == room, status == Z_OK {
                    output += unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, written in
                        written = unsafe run(into: buffer) { status = step(flush: flush) }
                        count = written
                    }
                }
                // Z_BUF_ERROR means that there was nothing left to do.
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                    throw JOSEError(.invalidCompression, "the bytes are no DEFLATE stream")
                }
                guard unsafe stream.pointee.avail_in == 0 else {
                    throw JOSEError(.invalidCompression, "bytes follow the DEFLATE stream")
                }
            }
        }
        try result.get()
        return (output, status == Z_STREAM_END)
    }

    private func step(flush: Int32) -> Int32 {
        switch direction {
        case .compressing: unsafe deflate(stream, flush)
        case .decompressing: unsafe CJOSEKitZlib.inflate(stream, flush)
        }
    }

    /// Pieces in one array, each copied once.
    private static func joined(_ pieces: [[UInt8]], count: Int) -> [UInt8] {
        if pieces.count == 1 { return pieces[0] }
        var output: [UInt8] = []
        output.reserveCapacity(count)
        for piece in pieces { output += piece }
        return output
    }

    private func setInput(_ input: UnsafeRawBufferPointer) throws(JOSEError) {
        guard let count = UInt32(exactly: input.count) else {
            throw JOSEError(.limitExceeded, "\(input.count) bytes are too many for one DEFLATE stream")
        }
        let start = unsafe input.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        unsafe stream.pointee.avail_in = count
    }

    /// Runs one step of zlib with room for its output, and gives the number of bytes written.
    private func run(into output: UnsafeMutableBufferPointer<UInt8>, _ step: () -> Void) -> Int {
        let room = UInt32(clamping: output.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = room
        step()
        return unsafe Int(room - stream.pointee.avail_out)
    }
}

extension Deflate.Format {
    /// zlib's name for the format, with the largest window.
    fileprivate var windowBits: Int32 {
        switch self {
        case .raw: -15
        case .zlib: 15
        // zlib adds 16 for the framing of gzip.
        case .gzip: 31
        }
    }
}

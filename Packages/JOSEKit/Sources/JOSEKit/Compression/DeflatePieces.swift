import CJOSEKitZlib

/// The compression of a stream that is too long for the memory, piece by piece.
@_spi(Layers) public final class PiecewiseCompressor {
    private var stream: DeflateStream

    /// Starts a stream.
    ///
    /// - Throws: ``JOSEError/Code/operationFailed`` if there is no memory for it.
    public init(format: Deflate.Format, level: Deflate.Level = .balanced) throws(JOSEError) {
        stream = try DeflateStream(compressing: format, level: level)
    }

    deinit { stream.end() }

    /// Compresses the next bytes.
    ///
    /// - Returns: The next bytes of the compressed stream, often none.
    /// - Throws: ``JOSEError/Code/limitExceeded`` for 4 GiB or more at once.
    public func compress(_ bytes: [UInt8]) throws(JOSEError) -> [UInt8] {
        try stream.process(bytes, flush: Z_NO_FLUSH).output
    }

    /// Ends the stream.
    ///
    /// - Returns: The last bytes of the compressed stream.
    public func finish() throws(JOSEError) -> [UInt8] {
        try stream.process([], flush: Z_FINISH).output
    }
}

/// The decompression of a stream that is too long for the memory, piece by piece.
///
/// A piece inflates to at most about 1,032 times its length.
@_spi(Layers) public final class PiecewiseDecompressor {
    private var stream: DeflateStream

    /// Indicates that the stream has come to its end.
    public private(set) var isAtEnd = false

    /// Starts with the beginning of a stream.
    ///
    /// - Throws: ``JOSEError/Code/operationFailed`` if there is no memory for it.
    public init(format: Deflate.Format) throws(JOSEError) {
        stream = try DeflateStream(decompressing: format)
    }

    deinit { stream.end() }

    /// Decompresses the next bytes.
    ///
    /// - Returns: The next bytes of the content, perhaps none.
    /// - Throws: ``JOSEError/Code/invalidCompression`` for bytes that are no such stream or follow its end.
    public func decompress(_ bytes: [UInt8]) throws(JOSEError) -> [UInt8] {
        guard !isAtEnd || bytes.isEmpty else {
            throw JOSEError(.invalidCompression, "bytes follow the DEFLATE stream")
        }
        let (output, isAtEnd) = try stream.process(bytes, flush: Z_NO_FLUSH)
        self.isAtEnd = isAtEnd
        return output
    }
}

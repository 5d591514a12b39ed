#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The DEFLATE compression of JWE and of status lists, with a limit for the inflated size.
@_spi(Layers) public enum Deflate {
    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, below 4 GiB.
    ///   - format: The framing of the compressed data.
    ///   - level: The compression level.
    /// - Throws: ``JOSEError/Code/limitExceeded`` for 4 GiB or more.
    public static func compress(
        _ bytes: some ContiguousBytes,
        format: Format,
        level: Level = .balanced
    ) throws(JOSEError) -> [UInt8] {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(JOSEError) in
                var stream = try DeflateStream(compressing: format, level: level)
                defer { stream.end() }
                return try unsafe stream.compress(bytes)
            }
        }
        return try result.get()
    }

    /// Decompresses bytes that a stranger may have made.
    ///
    /// - Parameters:
    ///   - bytes: One complete stream, with nothing after it.
    ///   - format: The framing of the compressed data.
    ///   - maximumSize: The most bytes to inflate to; never more than 4 GiB − 2. Memory is taken as the content
    ///     grows, in proportion to it.
    /// - Throws: ``JOSEError/Code/limitExceeded`` for a stream that inflates to more,
    ///   ``JOSEError/Code/invalidCompression`` for bytes that are no such stream, end early or go on after it.
    public static func decompress(
        _ bytes: some ContiguousBytes,
        format: Format,
        maximumSize: Int
    ) throws(JOSEError) -> [UInt8] {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(JOSEError) in
                var stream = try DeflateStream(decompressing: format)
                defer { stream.end() }
                return try unsafe stream.decompress(bytes, maximumSize: maximumSize)
            }
        }
        return try result.get()
    }
}

@_spi(Layers) extension Deflate {
    /// The framing of the compressed data.
    public enum Format: Hashable, Sendable {
        /// Nothing: RFC 1951, as JWE's `zip` has it.
        case raw
        /// A header and a checksum: RFC 1950, as status lists have it.
        case zlib
        /// A header, a checksum and the length: RFC 1952, as bitstring status lists have it; one member only.
        case gzip
    }

    /// The compression level, which trades time for size.
    public struct Level: Hashable, Sendable {
        let value: Int32

        /// No compression at all.
        public static let stored = Level(value: 0)
        /// The fastest compression.
        public static let fastest = Level(value: 1)
        /// zlib's own middle.
        public static let balanced = Level(value: 6)
        /// The smallest result.
        public static let smallest = Level(value: 9)
    }
}

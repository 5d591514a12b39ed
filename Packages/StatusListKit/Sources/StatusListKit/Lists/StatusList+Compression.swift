@_spi(Layers) import JOSEKit

/// The effort that the compression of a list spends on size.
public struct StatusListCompression: Hashable, Sendable {
    let level: Deflate.Level

    /// No compression at all.
    public static let stored = StatusListCompression(level: .stored)
    /// The fastest compression.
    public static let fastest = StatusListCompression(level: .fastest)
    /// A compromise between time and size.
    public static let balanced = StatusListCompression(level: .balanced)
    /// The smallest result.
    public static let smallest = StatusListCompression(level: .smallest)
}

extension StatusList {
    /// Decompresses a list (`lst`).
    ///
    /// - Parameters:
    ///   - compressed: The list as one zlib stream (RFC 1950), with nothing after it.
    ///   - bits: The number of bits of an entry.
    ///   - limits: The limits for the size of the list.
    /// - Throws: ``StatusListError/Code/invalidCompression``, ``StatusListError/Code/limitExceeded``.
    public init(
        decompressing compressed: ArraySlice<UInt8>,
        bits: Bits,
        limits: StatusListLimits = .default
    ) throws(StatusListError) {
        do {
            let bytes = try Deflate.decompress(compressed, format: .zlib, maximumSize: limits.inflatedSize)
            self.init(bytes: bytes, bits: bits)
        } catch {
            let code = error.code == .limitExceeded ? StatusListError.Code.limitExceeded : .invalidCompression
            throw StatusListError(code, error.message, path: ["status_list", "lst"], cause: error)
        }
    }

    /// The list as a zlib stream (`lst`).
    ///
    /// - Parameter level: The effort spent on size; the specification recommends the smallest.
    /// - Throws: ``StatusListError/Code/limitExceeded`` for a list that zlib cannot take.
    public func compressed(level: StatusListCompression = .smallest) throws(StatusListError) -> [UInt8] {
        do {
            return try Deflate.compress(bytes, format: .zlib, level: level.level)
        } catch {
            throw StatusListError(.limitExceeded, error.message, path: ["status_list", "lst"], cause: error)
        }
    }

    /// The bits of a number that was received.
    static func bits(_ number: Int) throws(StatusListError) -> Bits {
        guard let bits = Bits(rawValue: number) else {
            throw StatusListError(
                .unsupportedBits,
                "an entry cannot have \(number) bits",
                path: ["status_list", "bits"]
            )
        }
        return bits
    }
}

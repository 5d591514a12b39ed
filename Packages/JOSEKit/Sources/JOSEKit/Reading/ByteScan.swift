#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Looks at many bytes at a time: finds those that separate the parts of long texts, and compares digests.
@_spi(Layers) public enum ByteScan {
    /// The places at which a byte stands, counted from the start of the text; no more than asked for.
    public static func places(of byte: UInt8, in text: Span<UInt8>, atMost limit: Int = .max) -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(min(limit, 32))
        unsafe text.withUnsafeBytes { text in
            guard let base = text.baseAddress else { return }
            var start = 0
            while places.count < limit, let found = unsafe memchr(base + start, Int32(byte), text.count - start) {
                let place = unsafe UnsafeRawPointer(found) - base
                places.append(place)
                start = place + 1
            }
        }
        return places
    }

    /// The first eight bytes as a number; 0 if there are fewer.
    public static func head(of bytes: Span<UInt8>) -> UInt64 {
        bytes.count >= 8 ? word(of: bytes, at: 0) : 0
    }

    /// Returns `true` for the same bytes; not in constant time, for public bytes.
    public static func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var start = 0
        while start + 8 <= one.count {
            guard word(of: one, at: start) == word(of: other, at: start) else { return false }
            start += 8
        }
        return (start..<one.count).allSatisfy { one[$0] == other[$0] }
    }

    /// Eight bytes, which the caller has made sure are there.
    @inline(__always)
    private static func word(of bytes: Span<UInt8>, at start: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
}

import CJOSEKitBase64URL

/// The loops of decoding base64url, over memory.
enum Base64URLDecoding {
    /// The reason that a text is refused.
    enum Fault {
        case length
        case character
        case unusedBits

        var error: JOSEError {
            switch self {
            case .length: JOSEError(.invalidBase64URL, "no base64url text has this length")
            case .character: JOSEError(.invalidBase64URL, "a character is not in the alphabet of base64url")
            case .unusedBits: JOSEError(.invalidBase64URL, "the unused bits of the last character are not zero")
            }
        }
    }

    /// The number of bytes that a text of some length holds.
    static func decodedCount(_ count: Int) -> Int {
        // Of a rest of one character, which is refused, nothing remains.
        count / 4 * 3 + max(count % 4 - 1, 0)
    }

    /// The table's entry for a character outside the alphabet: a bit that no group of four characters has.
    private static let invalid: UInt32 = 1 << 31

    /// For each place in a group of four characters, what a character contributes to the three bytes, the first of which is
    /// in the low bits.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: invalid, count: 4 * 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, character) in alphabet.utf8.enumerated() {
            for place in 0..<4 {
                let bits = UInt32(value) << (18 - 6 * UInt32(place))
                tables[place * 256 + Int(character)] = bits >> 16 | bits & 0xff00 | (bits & 0xff) << 16
            }
        }
        return tables
    }()

    /// Writes the bytes of a text into memory of ``decodedCount(_:)`` bytes; gives the fault where there is one.
    static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer
    ) -> Fault? {
        guard text.count % 4 != 1 else { return .length }
        return unsafe tables.withUnsafeBufferPointer { unsafe decode(text, into: bytes, $0) }
    }

    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer,
        _ tables: UnsafeBufferPointer<UInt32>
    ) -> Fault? {
        let characters = UnsafeRawBufferPointer(text)
        var source = unsafe decodeBlocks(text, into: bytes)
        var target = source / 4 * 3
        var seen: UInt32 = 0
        // Eight characters are read as one word, and what they stand for is written as one, whose last two bytes the next
        // characters overwrite: as long as there is room for them.
        while source + 8 <= text.count, target + 8 <= bytes.count {
            let word = unsafe characters.loadUnaligned(fromByteOffset: source, as: UInt64.self).littleEndian
            let first = unsafe group(UInt32(truncatingIfNeeded: word), tables)
            let second = unsafe group(UInt32(truncatingIfNeeded: word >> 32), tables)
            seen |= first | second
            let decoded = UInt64(first) | UInt64(second) << 24
            unsafe bytes.storeBytes(of: decoded.littleEndian, toByteOffset: target, as: UInt64.self)
            source += 8
            target += 6
        }
        while source + 4 <= text.count {
            let word = unsafe characters.loadUnaligned(fromByteOffset: source, as: UInt32.self).littleEndian
            let group = unsafe group(word, tables)
            seen |= group
            unsafe bytes[target] = UInt8(truncatingIfNeeded: group)
            unsafe bytes[target + 1] = UInt8(truncatingIfNeeded: group >> 8)
            unsafe bytes[target + 2] = UInt8(truncatingIfNeeded: group >> 16)
            source += 4
            target += 3
        }
        guard seen & invalid == 0 else { return .character }
        guard source < text.count else { return nil }
        return unsafe decodeRest(UnsafeBufferPointer(rebasing: text[source...]), into: bytes, at: target, tables)
    }

    /// Indicates whether the processor decodes blocks.
    private static let hasBlocks = josekit_base64url_has_blocks()

    /// Decodes the first characters in blocks, as far as there is room and nothing to refuse; gives their number.
    private static func decodeBlocks(
        _ text: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard text.count >= 16, hasBlocks, let source = text.baseAddress, let target = bytes.baseAddress else {
            return 0
        }
        return unsafe josekit_base64url_decode_blocks(
            source,
            text.count,
            target.assumingMemoryBound(to: UInt8.self),
            bytes.count
        )
    }

    /// The three bytes that four characters stand for, the first of which are in the low bits.
    @inline(__always)
    private static func group(_ characters: UInt32, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        unsafe tables[Int(characters & 0xff)] | tables[256 + Int(characters >> 8 & 0xff)]
            | tables[512 + Int(characters >> 16 & 0xff)] | tables[768 + Int(characters >> 24)]
    }

    /// The last two or three characters.
    private static func decodeRest(
        _ text: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer,
        at target: Int,
        _ tables: UnsafeBufferPointer<UInt32>
    ) -> Fault? {
        var group = unsafe tables[Int(text[0])] | tables[256 + Int(text[1])]
        if text.count == 3 { unsafe group |= tables[512 + Int(text[2])] }
        guard group & invalid == 0 else { return .character }
        unsafe bytes[target] = UInt8(truncatingIfNeeded: group)
        guard text.count == 3 else { return group >> 8 == 0 ? nil : .unusedBits }
        unsafe bytes[target + 1] = UInt8(truncatingIfNeeded: group >> 8)
        return group >> 16 == 0 ? nil : .unusedBits
    }
}
